/** Ended in the middle of whatever is going on: nothing stays pending, nothing is left behind, and the next opening works. */

import { afterEach, describe, expect, it, vi } from 'vitest'
import { openAt } from '../../../src/client/open.ts'
import { besideScript } from '../../../src/client/place.ts'
import { Tab } from '../../../src/client/tab.ts'
import type { Memory, MemoryOptions, Progress } from '../../../src/memory.ts'
import { modelsKey } from '../../../src/protocol.ts'
import { rejection, settled } from './helpers.ts'

const minute = 60_000
const scope = `test/${Math.random()}`
const started: Worker[] = []
const tab = new Tab({ ...besideScript, startWorker: () => (started.push(besideScript.startWorker()), started.at(-1)!) }, { scope })
const name = `phases-${Date.now()}`
// The smallest model: what is tested is the end, not the model.
const options: MemoryOptions = { name, assets: '/', device: 'wasm', models: { embedder: false, nli: false, lm: false } }

const open = (more: MemoryOptions = {}) => settled(openAt(tab, { ...options, ...more }), 2 * minute)

async function nothingLeft() {
  await vi.waitFor(async () => {
    const { held = [], pending = [] } = await navigator.locks.query()
    expect([...held, ...pending].filter(lock => lock.name?.startsWith(scope) || lock.name?.startsWith('credence/worker/'))).toEqual([])
  })
  expect(localStorage.getItem('credence/unfinished-loads')).toBeNull()
}

async function works() {
  const memory = await open()
  expect((await settled(memory.status(), minute)).missing).toEqual([])
  await settled(memory.close(), minute)
}

afterEach(nothingLeft)

describe('an opening that is aborted (asks 86, 87)', () => {
  it.each<Progress['stage']>(['download', 'load', 'self-test'])('at the first progress of the stage %s', async stage => {
    await caches.delete('credence-models')
    const control = new AbortController()
    const onProgress = (progress: Progress) => progress.stage === stage && control.abort()
    const error = await rejection(openAt(tab, { ...options, signal: control.signal, onProgress }), 2 * minute)
    expect(error).toBe(control.signal.reason)
    await nothingLeft()
    await works()
  })

  it('before the worker has said hello', async () => {
    const control = new AbortController()
    const opening = rejection(openAt(tab, { ...options, signal: control.signal }))
    control.abort()
    expect((await opening).name).toBe('AbortError')
    await works()
  })
})

describe('close', () => {
  const texts = Array.from({ length: 30 }, (_, i) => `I keep ${i + 2} books about the history of chess in box ${i}.`).join(' ')

  it.each<[string, (memory: Memory) => Promise<unknown>]>([
    ['observe', memory => memory.observe({ id: 'long', text: texts })],
    ['recall', memory => memory.recall('Where are my books?')],
    ['export', memory => memory.export()],
    ['import', async memory => memory.import(await memory.export(), 'append')],
    ['forget', memory => memory.forget({ since: 0 })],
    ['status', memory => memory.status()],
  ])('during %s', async (_, act) => {
    const memory = await open()
    await settled(memory.observe({ id: 'first', text: 'I play the cello.' }), minute)
    const pending = act(memory).then(
      () => 'answered',
      error => error.code,
    )
    await settled(memory.close(), minute)
    expect(await settled(pending)).toMatch(/^(answered|Closed)$/)
    await nothingLeft()
    const after = await open()
    expect((await settled(after.turn('first'), minute).catch(error => error)).text ?? 'forgotten').toMatch(/cello|forgotten/)
    await settled(after.forgetAll(), minute)
    await settled(after.close(), minute)
  })

  it('while a model is loaded behind', async () => {
    const memory = await open({ models: { embedder: false, nli: false, evidence: false } })
    expect((await settled(memory.status(), minute)).missing).toEqual([{ role: 'lm', reason: 'loading' }])
    await settled(memory.close(), minute)
    await nothingLeft()
    await works()
  })
})

it('opened and closed ten times, each with a worker of its own (asks 80, 81)', async () => {
  const before = started.length
  for (let i = 0; i < 10; i++) {
    const memory = await open()
    expect(await settled(memory.recall('tea?'), minute)).toMatchObject({ needed: false })
    await settled(memory.close(), minute)
    await nothingLeft()
  }
  expect(started.length - before).toBe(10)
})

it('a hundred calls of all kinds at once are answered (asks 82)', async () => {
  const memory = await open()
  const calls = Array.from({ length: 100 }, (_, i): Promise<unknown> => {
    switch (i % 5) {
      case 0:
        return memory.observe({ id: `h${i}`, text: `I own ${i + 1} clocks.` })
      case 1:
        return memory.recall('How many clocks do I own?')
      case 2:
        return memory.beliefs()
      case 3:
        return memory.toMarkdown()
      default:
        return memory.status()
    }
  })
  expect(await settled(Promise.all(calls), 2 * minute)).toHaveLength(100)
  expect((await settled(memory.status(), minute)).turns).toBe(20)
  await settled(memory.forgetAll(), minute)
  await settled(memory.close(), minute)
})

describe('models that took the tab down twice (asks 73)', () => {
  it('are left out, which status() says, until the choice of models is another', async () => {
    const models = { embedder: false, nli: false, lm: false } as const
    localStorage.setItem(
      'credence/unfinished-loads',
      JSON.stringify({ models: modelsKey({ device: 'wasm', models, languages: navigator.languages }), count: 2, at: Date.now() }),
    )
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const memory = await open()
    const { missing, models: loaded, controller } = await settled(memory.status(), minute)
    expect({ loaded, controller }).toEqual({ loaded: [], controller: 'lexical' })
    expect(missing).toEqual([{ role: 'evidence', reason: expect.stringMatching(/last 2 times.*left out until.*with fewer of them/) }])
    await settled(memory.observe({ id: 'x', text: 'I play the cello.' }), minute)
    expect((await settled(memory.recall('cello'), minute)).beliefs).toHaveLength(1)
    await settled(memory.forgetAll(), minute)
    await settled(memory.close(), minute)
    expect(warned).toHaveBeenCalledWith(expect.stringContaining('left out until'))
    warned.mockRestore()

    const other = await open({ device: 'auto' })
    expect((await settled(other.status(), minute)).missing).toEqual([])
    await settled(other.close(), minute)
    localStorage.removeItem('credence/unfinished-loads')
  })
})
