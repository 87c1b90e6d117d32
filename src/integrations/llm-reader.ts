/** The reader by the host's own model (design §4.6). */

import { neutralise } from '../engine/prompt.ts'
import { CredenceError } from '../errors.ts'
import type { Answer, Memory, Recall } from '../memory.ts'
import { checkAnswerOptions, checkQuery } from '../options.ts'
import { askFor, jsonObjects, type Ask, type AskMessage } from './ask.ts'
import { override } from './override.ts'

/** The query alone when no memory is needed. */
export function readerMessages(query: string, block: string): AskMessage[] {
  return [...(block === '' ? [] : [{ role: 'system' as const, content: block }]), { role: 'user', content: query }]
}

function choiceMessages(query: string, block: string, options: readonly string[]): AskMessage[] {
  const lines = options.map((option, i) => `${i + 1}. ${neutralise(option)}`)
  const task = 'Choose the answer that suits this person best. Answer with nothing but JSON: {"choice": number of the answer}'
  return readerMessages(`${query}\n\n${lines.join('\n')}\n\n${task}`, block)
}

const choiceSchema = (options: number): object => ({
  type: 'object',
  properties: { choice: { type: 'integer', minimum: 1, maximum: options } },
  required: ['choice'],
  additionalProperties: false,
})

/** The place of the chosen option from 0; null when it is not what was asked for. */
export function readOption(text: string, options: number): number | null {
  for (const { choice } of jsonObjects(text)) {
    if (Number.isInteger(choice) && (choice as number) >= 1 && (choice as number) <= options) return (choice as number) - 1
  }
  return null
}

/**
 * The memory, with `answer` given by the host's model: it gets the prompt block, or the query alone when no memory is needed. When it fails, takes
 * more than half a minute or answers nothing that can be used, the built-in model answers; where there is none, `answer` rejects with `ModelFailed`.
 */
export function withReader(memory: Memory, ask: Ask): Memory {
  async function read(query: string, { prompt }: Recall, options: readonly string[] | undefined, signal: AbortSignal | undefined) {
    if (!options) {
      if (query.trim() === '') return { text: '', choice: null, probabilities: [] }
      const text = await askFor(ask, { messages: readerMessages(query, prompt) }, text => text.trim() || null, signal)
      return text === null ? null : { text, choice: null, probabilities: [] }
    }
    const request = { messages: choiceMessages(query, prompt, options), schema: choiceSchema(options.length) }
    const choice = await askFor(ask, request, text => readOption(text, options.length), signal)
    return choice === null ? null : { text: options[choice]!, choice, probabilities: [] }
  }

  return override(memory, {
    async answer(query, given): Promise<Answer> {
      checkQuery(query)
      const { options, tokens, recall: made, ...forRecall } = checkAnswerOptions(given)
      const recall = made ?? (await memory.recall(query, forRecall))
      const answer = await read(query, recall, options, forRecall.signal)
      if (answer) return { ...answer, recall }
      try {
        return await memory.answer(query, { ...forRecall, tokens, recall, ...(options && { options }) })
      } catch (cause) {
        if (!(cause instanceof CredenceError && cause.code === 'ModelMissing')) throw cause
        const message = 'the model given to withReader gave no answer that can be used, and there is no lm model to answer in its place'
        throw new CredenceError('ModelFailed', message, { cause })
      }
    },
  })
}
