/** What every integration does around one call of a model: recall for the last user message, put the block in, then observe both sides. */

import type { AugmentOptions, ChatMessage, Memory } from '../memory.ts'
import { textOf } from '../messages.ts'
import { hash53 } from './conversation.ts'

/** A memory, or one that is still opening: the first call waits for it. */
export type OpeningMemory = Memory | PromiseLike<Memory>

export interface ChatOptions extends Pick<AugmentOptions, 'budget' | 'limit' | 'window' | 'place'> {
  /**
   * The conversation's own id. With it, an answer that is asked again after the page was loaded anew does not count a second time.
   * Default: a random one for each wrapped model.
   */
  conversation?: string
  /** What to do when the memory fails; the chat goes on without it. Default: the page's `error` event (`reportError`). */
  onError?: (error: unknown) => void
}

/** One conversation of a host with its model. */
export class ChatMemory {
  readonly #memory: OpeningMemory
  readonly #recall: AugmentOptions
  readonly #conversation: string
  readonly #onError: (error: unknown) => void
  /** Turns are observed one after the other; the chat does not wait for them. */
  #observed: Promise<unknown> = Promise.resolve()

  constructor(memory: OpeningMemory, options: ChatOptions = {}) {
    const { conversation, onError, ...recall } = options
    this.#memory = memory
    this.#recall = recall
    this.#conversation = conversation ?? `chat-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`
    this.#onError = onError ?? (error => globalThis.reportError(error))
  }

  /** What to send to the model. The last user message is observed afterwards, so that it is never recalled for itself. */
  async before(messages: ChatMessage[], signal?: AbortSignal): Promise<ChatMessage[]> {
    const augmented = await this.#augment(messages, signal)
    const last = messages.findLastIndex(message => message.role === 'user')
    if (last >= 0) this.#observe('user', textOf(messages[last]!), messages[last]!.id ?? this.#id(messages.slice(0, last + 1)))
    return augmented
  }

  /** What the model answered to `messages`, as far as it came. */
  after(messages: ChatMessage[], answer: string): void {
    this.#observe('assistant', answer, this.#id([...messages, { role: 'assistant', content: answer }]))
  }

  async #augment(messages: ChatMessage[], signal: AbortSignal | undefined): Promise<ChatMessage[]> {
    try {
      const memory = await this.#memory
      return await memory.augment(messages, { ...this.#recall, ...(signal && { signal }) })
    } catch (error) {
      if (signal?.aborted) throw error
      this.#onError(error)
      return messages
    }
  }

  #observe(role: 'user' | 'assistant', text: string, id: string): void {
    if (text.trim() === '') return
    const turn = { role, text, id, conversation: this.#conversation, at: Date.now() }
    this.#observed = this.#observed
      .then(async () => (await this.#memory).observe(turn))
      .catch(error => {
        // Who closes the memory while something is still to be observed knows.
        if ((error as { code?: string }).code !== 'Closed') this.#onError(error)
      })
  }

  /** The same for the same messages, so that a call made again (another answer, the result of a tool) observes nothing twice. */
  #id(messages: readonly ChatMessage[]): string {
    return `chat-${hash53(JSON.stringify([this.#conversation, ...messages.map(message => [message.role, textOf(message)])]))}`
  }
}
