import { openMemory, type ChatMessage } from 'credence'
import { withMemory } from 'credence/transformers'
import { chat, standIn } from '../chat.ts'

// In your page: `const generate = await pipeline('text-generation', 'HuggingFaceTB/SmolLM2-360M-Instruct')`.
const generate = async (messages: ChatMessage[], _options?: { max_new_tokens: number }) => [
  { generated_text: [...messages, { role: 'assistant' as const, content: standIn(messages) }] },
]

const memory = openMemory({ name: 'example-transformers', assets: '/' })
const generateWithMemory = withMemory(generate, memory)
let messages: ChatMessage[] = []

chat(async text => {
  const [result] = await generateWithMemory([...messages, { role: 'user', content: text }], { max_new_tokens: 200 })
  messages = result!.generated_text
  return messages.at(-1)!.content as string
})
