/** Answers of the small language model: the longest calls there are, from a tab that leads and from one that follows. */

import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { commands } from 'vitest/browser'
import { openAt } from '../../../src/client/open.ts'
import { besideScript } from '../../../src/client/place.ts'
import { Tab } from '../../../src/client/tab.ts'
import { CredenceError } from '../../../src/errors.ts'
import type { Memory, MemoryOptions } from '../../../src/memory.ts'
import { rejection, settled } from './helpers.ts'

const minute = 60_000
const name = `answer-${Date.now()}`
const options: MemoryOptions = { name, assets: '/', device: 'wasm', models: { embedder: false, evidence: false } }
const query = 'Who is my dentist?'
/** Choosing is quick: the model reads each once. */
const short = { options: ['Dr. Amari.', 'Dr. Lee.'] }
/** Of these it is asked too whether they agree with what is known. */
const compared = { options: ['See Dr. Lee about the tooth.', 'See Dr. Amari about the tooth.'] }
const long = { tokens: 256 }
const started: Worker[] = []
let leader: Memory
let follower: Memory

const newTab = () =>
  new Tab({ ...besideScript, startWorker: () => (started.push(besideScript.startWorker()), started.at(-1)!) }, { scope: `test/${name}` })

/** The model comes in behind the rest. */
const loaded = (memory: Memory) =>
  vi.waitUntil(async () => (await settled(memory.status(), 2 * minute)).missing.length === 0, { timeout: 2 * minute, interval: 200 })

beforeAll(async () => {
  leader = await settled(openAt(newTab(), options), 2 * minute)
  follower = await settled(openAt(newTab(), options), 2 * minute)
  await loaded(leader)
  await leader.observe({ id: 'a1', text: 'My dentist is Dr. Amari.' })
})

afterAll(async () => {
  await leader.forgetAll()
  await follower.close()
  await leader.close()
})

it('are the same from a tab that leads and from one that follows, and ask the network for nothing', async () => {
  await commands.takeRequests()
  const [one, two] = await settled(Promise.all([leader, follower].map(memory => memory.answer(query, short))), 2 * minute)
  expect(one).toMatchObject({ text: 'Dr. Amari.', choice: 0, recall: { needed: true } })
  expect(two).toMatchObject({ text: 'Dr. Amari.', choice: 0, recall: { prompt: one!.recall.prompt } })
  expect(started).toHaveLength(1)
  expect(await commands.takeRequests()).toEqual([])
})

it('among options that are compared with what is known too: the same from both tabs, ended by their signal, refused by name', async () => {
  await commands.takeRequests()
  const [one, two] = await settled(Promise.all([leader, follower].map(memory => memory.answer(query, compared))), 2 * minute)
  expect(one).toMatchObject({ choice: 1, recall: { needed: true } })
  expect(two).toEqual({ ...one, recall: { ...two!.recall, prompt: one!.recall.prompt } })
  expect(await commands.takeRequests()).toEqual([])
  for (const memory of [leader, follower]) {
    const control = new AbortController()
    const choice = memory.answer(query, { ...compared, signal: control.signal })
    control.abort()
    expect(await rejection(choice, 2 * minute)).toBe(control.signal.reason)
    const blank = memory.answer(query, { options: ['See Dr. Lee about the tooth.', ' '] })
    expect(await rejection(blank, 2 * minute)).toMatchObject({ code: 'InvalidArgument', message: /options\[1\]/ })
  }
})

it('to nothing are nothing', async () => {
  for (const memory of [leader, follower]) {
    expect(await settled(memory.answer(' '), 2 * minute)).toMatchObject({ text: '', choice: null, recall: { needed: false } })
  }
})

it('end with their signal, and make nobody wait after it', async () => {
  for (const memory of [leader, follower]) {
    const control = new AbortController()
    let ended = false
    const story = memory.answer('Tell me a story.', { ...long, signal: control.signal })
    void story.catch(() => {}).then(() => (ended = true))
    // It is at work when what was asked after it has come.
    await settled(memory.status(), 2 * minute)
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(ended).toBe(false)
    control.abort()
    expect(await rejection(story, 2 * minute)).toBe(control.signal.reason)
    expect((await settled(memory.answer(query, short), 2 * minute)).choice).toBe(0)
  }
})

it('are told when the worker is killed, and come from a fresh one as soon as it has the model', async () => {
  const dying = [leader, follower].map(memory => rejection(memory.answer('Tell me a story.', long), 2 * minute))
  await settled(follower.status(), 2 * minute)
  started[0]!.terminate()
  expect((await Promise.all(dying)).map(error => error.code)).toEqual(['WorkerEnded', 'WorkerEnded'])
  // Until then they say so.
  const early = await settled(
    follower.answer(query, short).catch(error => error),
    2 * minute,
  )
  if (early instanceof CredenceError) expect(early).toMatchObject({ code: 'ModelMissing', data: { role: 'lm' } })
  await loaded(follower)
  expect((await settled(follower.answer(query, short), 2 * minute)).choice).toBe(0)
  expect(started).toHaveLength(2)
})
