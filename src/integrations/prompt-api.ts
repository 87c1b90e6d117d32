/** Chats with the browser's own model (the Prompt API, `LanguageModel`). */

import type { ChatMessage } from '../memory.ts'
import { textOf } from '../messages.ts'
import { ChatMemory, type ChatOptions, type OpeningMemory } from './chat.ts'

export type { ChatOptions, OpeningMemory }

/** What is used of a `LanguageModel` session. */
export interface PromptSession {
  prompt(input: string, options?: { signal?: AbortSignal }): Promise<string>
  promptStreaming(input: string, options?: { signal?: AbortSignal }): ReadableStream<string>
}

/**
 * The session with a memory: `const chat = withMemory(await LanguageModel.create(), memory)`. A session keeps its messages itself and takes a system
 * prompt only when it is made, so the block goes to the head of the message, and what was said in this session is not repeated in it.
 */
export function withMemory(session: PromptSession, memory: OpeningMemory, options: Omit<ChatOptions, 'place'> = {}): PromptSession {
  const chat = new ChatMemory(memory, { ...options, place: 'user' })
  const said: ChatMessage[] = []

  async function before(input: string, signal: AbortSignal | undefined): Promise<{ messages: ChatMessage[]; prompt: string }> {
    said.push({ role: 'user', content: input })
    const messages = [...said]
    return { messages, prompt: textOf((await chat.before(messages, signal)).at(-1)!) }
  }

  function after(messages: ChatMessage[], answer: string): void {
    said.push({ role: 'assistant', content: answer })
    chat.after(messages, answer)
  }

  return {
    async prompt(input, settings) {
      const { messages, prompt } = await before(input, settings?.signal)
      const answer = await session.prompt(prompt, settings)
      after(messages, answer)
      return answer
    },
    promptStreaming(input, settings) {
      let answer = ''
      let messages: ChatMessage[] = []
      const listen = new TransformStream<string, string>({
        transform(chunk, controller) {
          answer += chunk
          controller.enqueue(chunk)
        },
        flush: () => after(messages, answer),
      })
      const start = async () => {
        const ready = await before(input, settings?.signal)
        messages = ready.messages
        await session.promptStreaming(ready.prompt, settings).pipeTo(listen.writable)
      }
      start().catch(error => listen.writable.abort(error).catch(() => {}))
      return listen.readable
    },
  }
}
