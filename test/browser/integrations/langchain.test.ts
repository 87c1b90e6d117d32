/** The retriever and the chat model in the real LangChain.js. */

import { FakeListChatModel } from '@langchain/core/utils/testing'
import { AIMessage, AIMessageChunk, HumanMessage, SystemMessage, type BaseMessage } from '@langchain/core/messages'
import { ChatPromptTemplate } from '@langchain/core/prompts'
import { ChatGenerationChunk } from '@langchain/core/outputs'
import { SimpleChatModel } from '@langchain/core/language_models/chat_models'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { MemoryRetriever, withMemory } from 'credence/langchain'
import type { Memory } from 'credence'
import { allergy, answered, answerTo, exchange, open, question, transcript, unrelated } from './model.ts'

let memory: Memory
let conversation: string

beforeAll(async () => {
  memory = await open('langchain')
})
beforeEach(async () => {
  conversation = crypto.randomUUID()
  await memory.forgetAll()
  await memory.observe({ text: allergy, id: 'first', at: '2026-03-01' })
})
afterAll(() => memory.close())

class Local extends SimpleChatModel {
  readonly seen: BaseMessage[][] = []
  override _llmType() {
    return 'local'
  }
  override async _call(messages: BaseMessage[]) {
    this.seen.push(messages)
    return answerTo(messages.map(message => message.text).join('\n'))
  }
  override async *_streamResponseChunks(messages: BaseMessage[]) {
    for (const text of (await this._call(messages)).split(/(?<= )/)) {
      yield new ChatGenerationChunk({ text, message: new AIMessageChunk(text) })
    }
  }
}

it('retrieves what bears on a query as documents, and nothing else', async () => {
  const retriever = new MemoryRetriever({ memory, limit: 3 })
  const documents = await retriever.invoke(question)
  expect(documents[0]).toMatchObject({
    pageContent: allergy,
    metadata: { kind: 'belief', role: 'user', turns: ['first'], at: Date.parse('2026-03-01'), past: false },
  })
  expect(documents[0]!.metadata.confidence).toBeGreaterThan(0.5)
  expect(await retriever.invoke(unrelated)).toEqual([])
})

it('is a part of a chain', async () => {
  const retriever = new MemoryRetriever({ memory })
  const chain = retriever.pipe(documents => documents.map(document => document.pageContent).join())
  expect(await chain.invoke(question)).toBe(allergy)
})

it('gives a chat model a memory, and keeps its messages', async () => {
  const model = new Local({})
  const chat = withMemory(model, memory, { conversation })
  const picture = new HumanMessage({
    content: [
      { type: 'text', text: question },
      { type: 'image_url', image_url: 'data:,' },
    ],
  })
  const answer = await chat.invoke([new SystemMessage('Be brief.'), picture])
  expect(answer.text).toBe(answered)
  const [system, block, human] = model.seen[0]!
  expect(system!.text).toBe('Be brief.')
  expect(block).toBeInstanceOf(SystemMessage)
  expect(block!.text).toContain(allergy)
  expect(human!.content).toEqual(picture.content)
  expect(await transcript(memory, conversation, 2)).toEqual(exchange)
})

it.each(['system', 'user'] as const)('puts the block into the %s message', async place => {
  const model = new Local({})
  await withMemory(model, memory, { place }).invoke([new SystemMessage('Be brief.'), new HumanMessage(question)])
  const [system, human, ...none] = model.seen[0]!
  expect(none).toEqual([])
  expect(system!.text.includes(allergy)).toBe(place === 'system')
  expect(human!.text.includes(allergy)).toBe(place === 'user')
})

it('streams, and works behind a prompt template', async () => {
  const chain = ChatPromptTemplate.fromMessages([['human', '{question}']]).pipe(withMemory(new Local({}), memory, { conversation }))
  let text = ''
  for await (const chunk of await chain.stream({ question })) text += chunk.text
  expect(text).toBe(answered)
  await transcript(memory, conversation, 2)
})

it('takes a plain string and another model', async () => {
  const chat = withMemory(new FakeListChatModel({ responses: ['Hello.'] }), memory)
  expect(await chat.invoke('Good morning!')).toBeInstanceOf(AIMessage)
})
