import { openMemory } from 'credence'
import { withMemory, type PromptSession } from 'credence/prompt-api'
import { chat, standIn } from '../chat.ts'

const { LanguageModel } = globalThis as { LanguageModel?: { availability(): Promise<string>; create(): Promise<PromptSession> } }
const own = LanguageModel && (await LanguageModel.availability()) === 'available' ? await LanguageModel.create() : undefined
const session: PromptSession = own ?? {
  prompt: async input => standIn([{ content: input }]),
  promptStreaming: input => new Blob([standIn([{ content: input }])]).stream().pipeThrough(new TextDecoderStream()),
}

const memory = openMemory({ name: 'example-prompt-api', assets: '/' })
const remembering = withMemory(session, memory)

chat(text => remembering.prompt(text))
