/** The middleware in the real AI SDK. */

import { generateText, streamText, wrapLanguageModel, type ModelMessage } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { memoryMiddleware } from 'credence/ai-sdk'
import { CredenceError, type Memory } from 'credence'
import { allergy, answered, answerTo, exchange, open, question, transcript, unrelated } from './model.ts'

let memory: Memory
let conversation: string
const errors: unknown[] = []

beforeAll(async () => {
  memory = await open('ai-sdk')
})
beforeEach(async () => {
  conversation = crypto.randomUUID()
  await memory.forgetAll()
  await memory.observe({ text: allergy })
  errors.length = 0
})
afterAll(() => memory.close())

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const finishReason = { unified: 'stop' as const, raw: 'stop' }

const local = () =>
  new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => ({
      content: [{ type: 'text', text: answerTo(JSON.stringify(prompt)) }],
      finishReason,
      usage,
      warnings: [],
    }),
    doStream: async ({ prompt }) => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: 'stream-start', warnings: [] })
          controller.enqueue({ type: 'text-start', id: '1' })
          for (const delta of answerTo(JSON.stringify(prompt)).split(/(?<= )/)) controller.enqueue({ type: 'text-delta', id: '1', delta })
          controller.enqueue({ type: 'text-end', id: '1' })
          controller.enqueue({ type: 'finish', finishReason, usage })
          controller.close()
        },
      }),
    }),
  })

const remembering = (used: Memory | Promise<Memory> = memory, model = local()) => ({
  model: wrapLanguageModel({
    model,
    middleware: memoryMiddleware(used, { conversation, onError: error => errors.push(error) }),
  }),
  calls: model.doGenerateCalls,
})

it('brings in what bears on the message, observes both sides, and nothing twice', async () => {
  const { model, calls } = remembering()
  const messages: ModelMessage[] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: question },
        { type: 'file', data: new Uint8Array([1, 2, 3]), mediaType: 'image/png' },
      ],
    },
  ]
  const { text } = await generateText({ model, system: 'Be brief.', messages })
  expect(text).toBe(answered)
  const prompt = calls[0]!.prompt
  expect(prompt.map(message => message.role)).toEqual(['system', 'system', 'user'])
  expect(prompt[1]!.content).toContain(allergy)
  expect(prompt[2]!.content).toHaveLength(2)
  expect(await transcript(memory, conversation, 2)).toEqual(exchange)
  await generateText({ model, system: 'Be brief.', messages })
  expect(await transcript(memory, conversation, 2)).toEqual(exchange)
  expect(errors).toEqual([])
})

it('leaves a message alone that needs no memory', async () => {
  const { model, calls } = remembering()
  await generateText({ model, prompt: unrelated })
  expect(calls[0]!.prompt).toEqual([{ role: 'user', content: [{ type: 'text', text: unrelated }] }])
})

it('listens to a stream', async () => {
  const { model } = remembering()
  let text = ''
  for await (const piece of streamText({ model, prompt: question }).textStream) text += piece
  expect(text).toBe(answered)
  expect(await transcript(memory, conversation, 2)).toEqual(exchange)
})

it('learns from what is said', async () => {
  const { model } = remembering()
  await generateText({ model, prompt: 'I moved to Lisbon in May.' })
  await transcript(memory, conversation, 2)
  expect((await memory.beliefs()).map(belief => belief.text).sort()).toEqual([allergy, 'I moved to Lisbon in May.'])
})

it('goes on without a memory that fails, and says so', async () => {
  const { model } = remembering(Promise.reject(new CredenceError('WorkerFailed', 'no worker today')))
  expect((await generateText({ model, prompt: question })).text).toBe('I cannot know that.')
  expect(errors[0]).toMatchObject({ code: 'WorkerFailed' })
})

it('stops with the call', async () => {
  const { model, calls } = remembering()
  await expect(generateText({ model, prompt: question, abortSignal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  expect(calls).toEqual([])
})
