/** Chats through a function in the style of OpenAI's `chat.completions.create`, such as WebLLM's. */

import type { ChatMessage } from '../memory.ts'
import { ChatMemory, type ChatOptions, type OpeningMemory } from './chat.ts'

export type { ChatOptions, OpeningMemory }

interface Choice {
  message?: { content?: string | null }
  delta?: { content?: string | null }
}

interface Completion {
  choices: readonly Choice[]
}

/**
 * The same function, with a memory: `withMemory(request => engine.chat.completions.create(request), memory)`. Streams pass as they come.
 * The block goes into the system message by default (`place: 'system'`), because WebLLM takes a system message only at the beginning.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- any request and answer of the host's own types, overloads included
export function withMemory<Create extends (request: any, ...rest: any[]) => PromiseLike<any>>(
  create: Create,
  memory: OpeningMemory,
  options: ChatOptions = {},
): Create {
  const chat = new ChatMemory(memory, { place: 'system', ...options })
  const wrapped = async (request: { messages: ChatMessage[] }, ...rest: [{ signal?: AbortSignal }?]) => {
    const { messages } = request
    const answer: unknown = await create({ ...request, messages: await chat.before(messages, rest[0]?.signal) }, ...rest)
    if (isStream(answer)) return listen(answer, said => chat.after(messages, said))
    chat.after(messages, (answer as Completion).choices[0]?.message?.content ?? '')
    return answer
  }
  return wrapped as unknown as Create
}

/** A reader who stops early has seen a part of the answer, which is observed. */
async function* listen(stream: AsyncIterable<Completion>, done: (answer: string) => void): AsyncGenerator<Completion> {
  let answer = ''
  try {
    for await (const chunk of stream) {
      answer += chunk.choices[0]?.delta?.content ?? ''
      yield chunk
    }
  } finally {
    done(answer)
  }
}

const isStream = (answer: unknown): answer is AsyncIterable<Completion> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer
