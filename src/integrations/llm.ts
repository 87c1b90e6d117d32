/** For hosts with a model of their own: it chooses what is recalled, answers from it, and can be tuned on what was fed back. */

export { openAI, promptApi, webLLM, type Ask, type AskMessage, type LanguageModels, type Question } from './ask.ts'
export { withController } from './llm-controller.ts'
export { withReader } from './llm-reader.ts'
export { trainingRecords, type TrainingRecord } from './training.ts'
