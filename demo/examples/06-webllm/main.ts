import { openMemory, type ChatMessage } from 'credence'
import { withMemory } from 'credence/webllm'
import { chat, standIn } from '../chat.ts'

// In your page: `const engine = await CreateMLCEngine('Llama-3.2-1B-Instruct-q4f16_1-MLC')`, or `new OpenAI(…)`.
const engine = {
  chat: {
    completions: {
      create: async (request: { messages: ChatMessage[] }) => ({
        choices: [{ message: { role: 'assistant' as const, content: standIn(request.messages) } }],
      }),
    },
  },
}

const memory = openMemory({ name: 'example-webllm', assets: '/' })
const complete = withMemory((request: { messages: ChatMessage[] }) => engine.chat.completions.create(request), memory)
const messages: ChatMessage[] = []

chat(async text => {
  messages.push({ role: 'user', content: text })
  const answer = (await complete({ messages })).choices[0]!.message
  messages.push(answer)
  return answer.content
})
