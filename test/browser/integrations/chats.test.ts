/** Chats whose model is a function or a session: in the style of OpenAI and WebLLM, transformers.js, and the browser's Prompt API. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChatMessage, Memory } from 'credence'
import * as promptApi from 'credence/prompt-api'
import * as transformers from 'credence/transformers'
import * as webllm from 'credence/webllm'
import { textOf } from '../../../src/messages.ts'
import { allergy, answered, answerTo, exchange, open, question, transcript, unrelated } from './model.ts'

let memory: Memory
let conversation: string

beforeAll(async () => {
  memory = await open('chats')
})
beforeEach(async () => {
  conversation = crypto.randomUUID()
  await memory.forgetAll()
  await memory.observe({ text: allergy })
})
afterAll(() => memory.close())

const whole = (messages: readonly ChatMessage[]) => messages.map(textOf).join('\n')
describe('in the style of OpenAI', () => {
  type Request = { messages: ChatMessage[]; stream?: boolean; temperature?: number }
  const seen: Request[] = []
  async function create(request: Request) {
    seen.push(request)
    const pieces = answerTo(whole(request.messages)).split(/(?<= )/)
    if (request.stream) {
      return (async function* () {
        yield { choices: [{ delta: { role: 'assistant' } }] }
        for (const content of pieces) yield { choices: [{ delta: { content } }] }
        yield { choices: [] } // the usage comes without a choice
      })()
    }
    return { choices: [{ message: { role: 'assistant', content: pieces.join('') } }] }
  }
  beforeEach(() => void (seen.length = 0))

  it('brings in what bears on the message and observes both sides', async () => {
    const chat = webllm.withMemory(create, memory, { conversation })
    const messages: ChatMessage[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'assistant', content: null },
      { role: 'user', content: [{ type: 'text', text: question }] },
    ]
    const answer = (await chat({ messages, temperature: 0 })) as { choices: { message: { content: string } }[] }
    expect(answer.choices[0]!.message.content).toBe(answered)
    expect(seen[0]!.temperature).toBe(0)
    // WebLLM refuses a system message that is not the first.
    expect(seen[0]!.messages.map(message => message.role)).toEqual(['system', 'assistant', 'user'])
    expect(seen[0]!.messages[0]!.content).toMatch(/^Be brief\.\n\n<credence-memory>/)
    expect(messages[0]!.content).toBe('Be brief.')
    expect(await transcript(memory, conversation, 2)).toEqual(exchange)
  })

  it('leaves a message alone that needs no memory', async () => {
    const messages: ChatMessage[] = [{ role: 'user', content: unrelated }]
    await webllm.withMemory(create, memory)({ messages })
    expect(seen[0]!.messages).toBe(messages)
  })

  it('listens to a stream', async () => {
    const chat = webllm.withMemory(create, memory, { conversation })
    let text = ''
    const stream = (await chat({ messages: [{ role: 'user', content: question }], stream: true })) as AsyncIterable<{
      choices: { delta: { content?: string } }[]
    }>
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe(answered)
    expect(await transcript(memory, conversation, 2)).toEqual(exchange)
  })

  it('observes what was said of an answer that was stopped', async () => {
    const chat = webllm.withMemory(create, memory, { conversation })
    for await (const chunk of (await chat({ messages: [{ role: 'user', content: question }], stream: true })) as AsyncIterable<{
      choices: { delta: { content?: string } }[]
    }>) {
      if (chunk.choices[0]?.delta.content) break
    }
    expect((await transcript(memory, conversation, 2)).at(-1)!.text).toBe('No: ')
  })

  it('hands on what the model rejects with', async () => {
    const failing = webllm.withMemory(async (_request: Request) => Promise.reject(new Error('no model')), memory)
    await expect(failing({ messages: [{ role: 'user', content: question }] })).rejects.toThrow('no model')
  })

  it('waits for a memory that is opening, and goes on without one that does not open', async () => {
    const late = webllm.withMemory(create, new Promise<Memory>(resolve => setTimeout(resolve, 50, memory)), { conversation })
    await late({ messages: [{ role: 'user', content: question }] })
    expect(whole(seen[0]!.messages)).toContain(allergy)
    const errors: unknown[] = []
    const broken = webllm.withMemory(create, Promise.reject(new Error('no worker')), { onError: error => errors.push(error) })
    await broken({ messages: [{ role: 'user', content: question }] })
    expect(whole(seen[1]!.messages)).not.toContain(allergy)
    expect(errors).toContainEqual(new Error('no worker'))
  })
})

describe('transformers.js', () => {
  const generate = async (messages: ChatMessage[], settings?: { max_new_tokens: number }) => [
    { generated_text: [...messages, { role: 'assistant', content: answerTo(whole(messages)) }], settings },
  ]

  it('answers with the messages as they were given', async () => {
    const chat = transformers.withMemory(generate, memory, { conversation })
    const messages: ChatMessage[] = [{ role: 'user', content: question }]
    const [result] = await chat(messages, { max_new_tokens: 20 })
    expect(result!.generated_text).toEqual([...messages, { role: 'assistant', content: answered }])
    expect(result!.settings).toEqual({ max_new_tokens: 20 })
    expect(await transcript(memory, conversation, 2)).toEqual(exchange)
  })
})

describe('the Prompt API', () => {
  const prompts: string[] = []
  const session: promptApi.PromptSession = {
    async prompt(input) {
      prompts.push(input)
      return answerTo(input)
    },
    promptStreaming(input) {
      prompts.push(input)
      return new ReadableStream({
        start(controller) {
          for (const piece of answerTo(input).split(/(?<= )/)) controller.enqueue(piece)
          controller.close()
        },
      })
    },
  }
  beforeEach(() => void (prompts.length = 0))

  it('puts the block at the head of the message', async () => {
    const chat = promptApi.withMemory(session, memory, { conversation })
    expect(await chat.prompt(question)).toBe(answered)
    expect(prompts[0]).toMatch(/^<credence-memory>/)
    expect(prompts[0]!.endsWith(`\n\n${question}`)).toBe(true)
    expect(await transcript(memory, conversation, 2)).toEqual(exchange)
  })

  it('does not repeat what was said in the session', async () => {
    const chat = promptApi.withMemory(session, memory)
    await chat.prompt(allergy)
    await chat.prompt(question)
    expect(prompts).toEqual([allergy, question])
  })

  it('streams', async () => {
    let text = ''
    for await (const piece of promptApi.withMemory(session, memory, { conversation }).promptStreaming(question)) text += piece
    expect(text).toBe(answered)
    expect(await transcript(memory, conversation, 2)).toEqual(exchange)
  })

  it('fails as the session fails', async () => {
    const failing = { ...session, promptStreaming: () => new ReadableStream({ start: c => c.error(new Error('destroyed')) }) }
    const reader = promptApi
      .withMemory(failing as promptApi.PromptSession, memory)
      .promptStreaming(question)
      .getReader()
    await expect(reader.read()).rejects.toThrow('destroyed')
  })
})
