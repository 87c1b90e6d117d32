/** Middleware for the Vercel AI SDK: `wrapLanguageModel({ model, middleware: memoryMiddleware(memory) })`. */

import type { ChatMessage } from '../memory.ts'
import { ChatMemory, type ChatOptions, type OpeningMemory } from './chat.ts'

export type { ChatOptions, OpeningMemory }

/** The part of a call that is read and written; the rest passes through. */
interface CallOptions {
  prompt: unknown[]
  abortSignal?: AbortSignal | undefined
}

interface StreamPart {
  type: string
  delta?: unknown
}

/**
 * By shape, so that the AI SDK is not loaded for it, and one middleware fits its versions 5, 6 and 7 (`LanguageModelMiddleware`).
 * Methods are generic in what they pass through.
 */
export interface MemoryMiddleware {
  // oxlint-disable-next-line typescript/no-explicit-any -- 'v2', 'v3' or 'v4': each version of the SDK wants its own literal, and none reads it.
  readonly specificationVersion: any
  transformParams<P extends CallOptions>(call: { params: P }): Promise<P>
  wrapGenerate<R extends { content: { type: string }[] }, P extends CallOptions>(call: {
    doGenerate: () => PromiseLike<R>
    params: P
  }): Promise<R>
  wrapStream<R extends { stream: ReadableStream<any> }, P extends CallOptions>(call: {
    doStream: () => PromiseLike<R>
    params: P
  }): Promise<R>
}

/** Puts what bears on the last user message into the prompt, and observes that message and the answer. Tool calls, images and files pass untouched. */
export function memoryMiddleware(memory: OpeningMemory, options: ChatOptions = {}): MemoryMiddleware {
  const chat = new ChatMemory(memory, options)
  /** The prompts as the host wrote them, by what became of them: turns are told apart by the former. */
  const written = new WeakMap<unknown[], ChatMessage[]>()
  const told = ({ prompt }: CallOptions) => written.get(prompt) ?? (prompt as ChatMessage[])

  return {
    specificationVersion: 'v3',
    async transformParams({ params }) {
      const messages = params.prompt as ChatMessage[]
      const prompt = await chat.before(messages, params.abortSignal)
      written.set(prompt, messages)
      return { ...params, prompt }
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate()
      const texts = result.content.flatMap(part => (part.type === 'text' ? [(part as { type: 'text'; text: string }).text] : []))
      chat.after(told(params), texts.join(''))
      return result
    },
    async wrapStream({ doStream, params }) {
      const result = await doStream()
      let answer = ''
      const listen = new TransformStream<StreamPart, StreamPart>({
        transform(part, controller) {
          if (part.type === 'text-delta' && typeof part.delta === 'string') answer += part.delta
          controller.enqueue(part)
        },
        flush: () => chat.after(told(params), answer),
      })
      return { ...result, stream: result.stream.pipeThrough(listen) }
    },
  }
}
