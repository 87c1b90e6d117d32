/** The real memory through the real worker: models, database, engine. */

import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openMemory, type Memory, type MemoryEvent, type Progress } from 'credence'
import { openAt } from '../../../src/client/open.ts'
import { besideScript } from '../../../src/client/place.ts'
import { Tab } from '../../../src/client/tab.ts'
import { databaseName } from '../../../src/store/schema.ts'
import { rejection, settled } from './helpers.ts'

const minute = 60_000
const name = `boundary-${Date.now()}`
const progress: Progress[] = []
/** The databases while the first model is built. */
let during: Promise<IDBDatabaseInfo[]> | undefined
let memory: Memory

// The person never answers: nothing may wait for it.
const persist = vi.spyOn(StorageManager.prototype, 'persist').mockImplementation(() => new Promise(() => {}))

beforeAll(async () => {
  memory = await openMemory({
    name,
    assets: '/',
    device: 'wasm',
    onProgress(p) {
      progress.push(p)
      if (p.stage === 'load') during ??= indexedDB.databases()
    },
  })
})

afterAll(async () => {
  await memory.forgetAll()
  await memory.close()
})

it('opens with all models, and tells its progress', async () => {
  // The language model comes in behind the rest.
  const status = await vi.waitUntil(
    async () => {
      const now = await memory.status()
      return now.missing.length === 0 && now
    },
    { timeout: 2 * minute, interval: 500 },
  )
  expect(status).toMatchObject({ name, missing: [], turns: 0, readOnly: null, crossOriginIsolated })
  expect(status.models.map(model => [model.role, model.device, model.selfTest]).sort()).toEqual([
    ['embedder', 'wasm', 'passed'],
    ['evidence', 'wasm', 'passed'],
    ['lm', 'wasm', 'passed'],
    ['nli', 'wasm', 'passed'],
  ])
  expect(new Set(progress.map(p => p.stage))).toContain('load')
})

it('has no database in use while models are built: a worker that hangs there would keep it', async () => {
  expect((await during)!.map(found => found.name)).not.toContain(databaseName(name))
  expect((await indexedDB.databases()).map(found => found.name)).toContain(databaseName(name))
})

it('observes, tells the event, and recalls', async () => {
  const events: MemoryEvent[] = []
  const end = memory.subscribe(event => events.push(event))
  expect(persist).not.toHaveBeenCalled()
  const { turn, propositions, changes } = await settled(memory.observe({ id: 'm1', text: 'I am allergic to peanuts.' }), minute)
  expect(turn).toBe('m1')
  expect(changes.map(change => change.kind)).toEqual(['created'])
  expect(events).toEqual([{ type: 'observed', turn: 'm1', propositions, changes }])
  expect(persist).toHaveBeenCalledOnce()
  expect(await settled(memory.observe({ id: 'm1', text: 'again' }))).toMatchObject({ repeated: true, changes: [] })

  const recalled = await settled(memory.recall('Which foods must I avoid because of an allergy?'), minute)
  expect(recalled).toMatchObject({ needed: true, strategy: 'current' })
  expect(recalled.beliefs[0]).toMatchObject({ id: changes[0]!.belief, turns: ['m1'] })
  expect(recalled.prompt).toContain('peanuts')
  expect(events.slice(1)).toEqual([
    { type: 'recalled', query: 'Which foods must I avoid because of an allergy?', recall: recalled, changes: [] },
  ])
  await memory.augment([{ role: 'user', content: 'Which nuts must I not eat?' }])
  expect(events.at(-1)).toMatchObject({ type: 'recalled', query: 'Which nuts must I not eat?', recall: { needed: true } })
  end()
  expect(persist).toHaveBeenCalledOnce()
})

it('answers, writes a block of what the page chose, and takes back what it learnt', async () => {
  const query = 'Which snack suits me?'
  const { text, choice, probabilities, recall } = await settled(
    memory.answer(query, { options: ['Peanuts.', 'An apple.'], tokens: 1 }),
    minute,
  )
  expect(['Peanuts.', 'An apple.'][choice!]).toBe(text)
  expect(probabilities.reduce((a, b) => a + b)).toBeCloseTo(1, 6)
  const { candidates } = recall.trace
  expect(await memory.promptFor(candidates)).toContain('I am allergic to peanuts.')
  expect(await memory.promptFor(candidates, 5)).toBe('')
  expect(await rejection(memory.answer(query, { signal: AbortSignal.abort() }))).toMatchObject({ name: 'AbortError' })
  expect(await rejection(memory.answer(query, { options: ['one'] }))).toMatchObject({ code: 'InvalidArgument' })

  await settled(memory.feedback({ query, answer: 'An apple.' }), minute)
  expect((await memory.export()).labels.length).toBeGreaterThan(0)
  await settled(memory.resetLearning())
  expect((await memory.export()).labels).toEqual([])
})

it('errors of the engine keep their code', async () => {
  expect(await rejection(memory.belief('none'))).toMatchObject({ name: 'CredenceError', code: 'NotFound' })
  expect(await rejection(memory.import({ format: 'other' } as never))).toMatchObject({ code: 'ImportInvalid' })
})

it('a hundred calls made at once are all answered', async () => {
  const calls = Array.from({ length: 100 }, (_, i) => (i % 2 ? memory.beliefs() : memory.turn('m1')))
  expect(await settled(Promise.all(calls), minute)).toHaveLength(100)
})

it('an import shows each observation, and an abort stops it between turns', async () => {
  const controller = new AbortController()
  const texts = ['My sister lives in Lisbon.', 'I play the cello.', 'I work as a nurse.', 'My dog is called Otto.', 'I hate mornings.']
  const seen: string[] = []
  const run = async () => {
    const turns = texts.map((text, i) => ({ text, id: `i${i}` }))
    for await (const { turn } of memory.observeAll(turns, { signal: controller.signal })) {
      seen.push(turn)
      if (turn === 'i1') controller.abort()
    }
  }
  expect((await rejection(run(), minute)).name).toBe('AbortError')
  expect(seen).toEqual(['i0', 'i1'])
  // What was being worked on is let go or finished, and nothing after it is begun.
  const { turns } = await settled(memory.status(), minute)
  expect(turns).toBeLessThanOrEqual(4)
})

it('all that may take long can be aborted, and then leaves the memory as it was (asks 87)', async () => {
  const before = { ...(await settled(memory.export())), exportedAt: '' }
  const signal = AbortSignal.abort()
  const ask = { role: 'user' as const, content: 'Can I eat peanuts?' }
  const all = async () => {
    for await (const _ of memory.observeAll([{ text: 'I live in Rome.' }], { signal }));
  }
  for (const call of [
    () => memory.observe({ text: 'I live in Rome.' }, { signal }),
    all,
    () => memory.recall(ask.content, { signal }),
    () => memory.augment([ask], { signal }),
    () => memory.answer(ask.content, { signal }),
    () => memory.feedback({ query: ask.content, answer: 'No.', signal }),
    () => memory.tidy({ signal }),
    () => memory.import({ ...before, turns: [], beliefs: [], evidence: [], trails: [] }, 'overwrite', { signal }),
    () => openMemory({ name: `${name}-other`, assets: '/', signal }),
  ])
    expect(await rejection(call()), String(call)).toMatchObject({ name: 'AbortError' })
  expect({ ...(await memory.export()), exportedAt: '' }).toEqual(before)
})

it('another tab reads what this one wrote, and hears of it', async () => {
  const other = await openMemory({ name, assets: '/', device: 'wasm', models: { lm: false, nli: false, evidence: false } })
  const heard = new Promise<MemoryEvent>(resolve => other.subscribe(resolve))
  const before = await other.status()
  // What was asked here stays here.
  await memory.recall('Where do I live?')
  await memory.observe({ id: 'm2', text: 'I moved to Oslo.' })
  expect(await settled(heard)).toMatchObject({ type: 'observed', turn: 'm2' })
  expect((await other.status()).turns).toBe(before.turns + 1)
  await other.close()
})

it('a worker that is killed in the middle of a turn leaves the turn before it, and the next call goes on', async () => {
  const workers: Worker[] = []
  const place = { ...besideScript, startWorker: () => (workers.push(besideScript.startWorker()), workers.at(-1)!) }
  // The memory of the tests above leads; this one has a worker of its own.
  const apart = new Tab(place, { scope: `test/${name}` })
  const killed = await openAt(apart, { name: `${name}-killed`, assets: '/', device: 'wasm', models: { lm: false, evidence: false } })
  await killed.observe({ id: 'k1', text: 'I play the cello.' })
  const before = await killed.export()
  // Long enough to take many times the wait on any machine.
  const text = Array.from({ length: 60 }, (_, i) => `I keep ${i + 2} books about the history of chess in box ${i}.`).join(' ')
  const dying = rejection(killed.observe({ id: 'k2', text }), minute)
  // A worker may have hung as it opened.
  const worker = workers.at(-1)!
  setTimeout(() => worker.terminate(), 20)
  expect(await dying).toMatchObject({ code: 'WorkerEnded' })

  const after = await settled(killed.export(), 4 * minute)
  expect({ ...after, exportedAt: '' }).toEqual({ ...before, exportedAt: '' })
  expect((await settled(killed.observe({ id: 'k2', text: 'I live in Lisbon with my sister.' }), minute)).repeated).toBe(false)
  expect(workers.at(-1)).not.toBe(worker)
  await killed.forgetAll()
  await killed.close()
})
