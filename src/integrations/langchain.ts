/** LangChain.js: a retriever over a memory, and a chat model that has one. */

import { Document } from '@langchain/core/documents'
import {
  coerceMessageLikeToMessage,
  HumanMessage,
  SystemMessage,
  type BaseMessage,
  type BaseMessageChunk,
  type MessageContent,
} from '@langchain/core/messages'
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base'
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers'
import { Runnable, type RunnableConfig } from '@langchain/core/runnables'
import type { ChatMessage, RecallOptions, RecalledItem } from '../memory.ts'
import { ChatMemory, type ChatOptions, type OpeningMemory } from './chat.ts'

export type { ChatOptions, OpeningMemory }

/** What a document of `MemoryRetriever` says of its memory; meanings and units as in `RecalledItem`. */
export type MemoryMetadata = Pick<RecalledItem, 'kind' | 'id' | 'role' | 'score' | 'turns' | 'at' | 'confidence' | 'past'>

export interface MemoryRetrieverInput extends BaseRetrieverInput, Pick<RecallOptions, 'limit'> {
  memory: OpeningMemory
}

/** The memories that bear on a query, best first: one document each, none when no memory is needed. */
export class MemoryRetriever extends BaseRetriever<MemoryMetadata> {
  static override lc_name() {
    return 'MemoryRetriever'
  }
  override readonly lc_namespace = ['credence', 'retrievers']
  readonly #memory: OpeningMemory
  readonly #limit: number | undefined

  constructor({ memory, limit, ...fields }: MemoryRetrieverInput) {
    super(fields)
    this.#memory = memory
    this.#limit = limit
  }

  override async _getRelevantDocuments(query: string): Promise<Document<MemoryMetadata>[]> {
    const memory = await this.#memory
    const { beliefs, turns } = await memory.recall(query, this.#limit === undefined ? {} : { limit: this.#limit })
    const items = [...beliefs, ...turns].sort((a, b) => b.score - a.score)
    return items.map(({ text, kind, id, role, score, turns: from, at, confidence, past }) => {
      return new Document({ pageContent: text, id, metadata: { kind, id, role, score, turns: from, at, confidence, past } })
    })
  }
}

/** The same chat model, with a memory: what bears on the last human message is put in, that message and the answer are observed. */
export function withMemory<Output extends BaseMessage>(
  model: Runnable<BaseLanguageModelInput, Output>,
  memory: OpeningMemory,
  options: ChatOptions = {},
): Runnable<BaseLanguageModelInput, Output> {
  return new ModelWithMemory(model, new ChatMemory(memory, options))
}

class ModelWithMemory<Output extends BaseMessage> extends Runnable<BaseLanguageModelInput, Output> {
  static override lc_name() {
    return 'ModelWithMemory'
  }
  override readonly lc_namespace = ['credence', 'chat_models']
  readonly #model: Runnable<BaseLanguageModelInput, Output>
  readonly #chat: ChatMemory

  constructor(model: Runnable<BaseLanguageModelInput, Output>, chat: ChatMemory) {
    super()
    this.#model = model
    this.#chat = chat
  }

  override async invoke(input: BaseLanguageModelInput, options?: Partial<RunnableConfig>): Promise<Output> {
    const { written, prompt } = await this.#prepare(input, options)
    const answer = await this.#model.invoke(prompt, options)
    this.#chat.after(written, answer.text)
    return answer
  }

  override async *_streamIterator(input: BaseLanguageModelInput, options?: Partial<RunnableConfig>): AsyncGenerator<Output> {
    const { written, prompt } = await this.#prepare(input, options)
    let answer = ''
    try {
      for await (const chunk of await this.#model.stream(prompt, options)) {
        answer += (chunk as unknown as BaseMessageChunk).text
        yield chunk
      }
    } finally {
      this.#chat.after(written, answer)
    }
  }

  async #prepare(input: BaseLanguageModelInput, options: Partial<RunnableConfig> | undefined) {
    const messages = toMessages(input)
    const written = messages.map(toChat)
    const originals = new Map(written.map((message, i) => [message, messages[i]!]))
    const sent = await this.#chat.before(written, options?.signal)
    return { written, prompt: sent.map(message => originals.get(message) ?? fromChat(message)) }
  }
}

function toMessages(input: BaseLanguageModelInput): BaseMessage[] {
  if (typeof input === 'string') return [new HumanMessage(input)]
  return Array.isArray(input) ? input.map(coerceMessageLikeToMessage) : input.toChatMessages()
}

const roles: Record<string, ChatMessage['role']> = {
  human: 'user',
  ai: 'assistant',
  system: 'system',
  developer: 'developer',
  tool: 'tool',
}

const toChat = (message: BaseMessage): ChatMessage => ({
  role: roles[message.getType()] ?? 'function',
  content: message.content as NonNullable<ChatMessage['content']>,
})

/** Only a message with the block in it is new. */
function fromChat({ role, content }: ChatMessage): BaseMessage {
  const fields = { content: content as MessageContent }
  return role === 'user' ? new HumanMessage(fields) : new SystemMessage(fields)
}
