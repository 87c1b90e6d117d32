/** Chats with a `text-generation` pipeline of transformers.js. */

import type { ChatMessage } from '../memory.ts'
import { ChatMemory, type ChatOptions, type OpeningMemory } from './chat.ts'

export type { ChatOptions, OpeningMemory }

/**
 * The same pipeline as a function, with a memory: `const chat = withMemory(await pipeline('text-generation', model), memory)`, then
 * `chat(messages, { max_new_tokens: 200 })`. In the result stand the messages as they were given and the answer, without the block.
 * The block goes into the system message by default; models whose template has none, such as Gemma's, want `place: 'user'`.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the pipeline's own types, overloads included
export function withMemory<Generate extends (messages: any, options?: any) => PromiseLike<any>>(
  generate: Generate,
  memory: OpeningMemory,
  options: ChatOptions = {},
): (...args: Parameters<Generate>) => Promise<Awaited<ReturnType<Generate>>> {
  const chat = new ChatMemory(memory, { place: 'system', ...options })
  const wrapped = async (messages: ChatMessage[], settings?: unknown) => {
    const sent = await chat.before(messages)
    const results = (await generate(sent, settings)) as { generated_text: string | ChatMessage[] }[]
    const [first] = results
    const answer = Array.isArray(first?.generated_text) ? first.generated_text.at(-1) : undefined
    chat.after(messages, typeof answer?.content === 'string' ? answer.content : '')
    return results.map(result =>
      Array.isArray(result.generated_text)
        ? { ...result, generated_text: [...messages, ...result.generated_text.slice(sent.length)] }
        : result,
    )
  }
  return wrapped as never
}
