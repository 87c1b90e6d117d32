import { generateText, wrapLanguageModel, type LanguageModel, type ModelMessage } from 'ai'
import { openMemory } from 'credence'
import { memoryMiddleware } from 'credence/ai-sdk'
import { chat, standIn } from '../chat.ts'

// In your page: a model of a provider, such as `openai('gpt-5')` or one of `@built-in-ai/transformers-js`.
const model: Exclude<LanguageModel, string> & { specificationVersion: 'v3' } = {
  specificationVersion: 'v3',
  provider: 'example',
  modelId: 'stand-in',
  supportedUrls: {},
  doGenerate: async ({ prompt }) => ({
    content: [{ type: 'text', text: standIn(prompt) }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    },
    warnings: [],
  }),
  doStream: () => Promise.reject(new Error('this example does not stream')),
}

const memory = openMemory({ name: 'example-ai-sdk', assets: '/' })
const remembering = wrapLanguageModel({ model, middleware: memoryMiddleware(memory) })
const messages: ModelMessage[] = []

chat(async text => {
  messages.push({ role: 'user', content: text })
  const { text: answer } = await generateText({ model: remembering, messages })
  messages.push({ role: 'assistant', content: answer })
  return answer
})
