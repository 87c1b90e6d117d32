/** What `openMemory` makes of a worker: checks, one fresh worker after an end, events, imports. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openAt } from '../../../src/client/open.ts'
import { startForeign, type Place } from '../../../src/client/place.ts'
import { Tab } from '../../../src/client/tab.ts'
import type { Memory, MemoryEvent, MemoryOptions, Progress, Turn } from '../../../src/memory.ts'
import { defaultParameters } from '../../../src/parameters.ts'
import { rejection, settled, workers } from './helpers.ts'

const started: Worker[] = []
const scripted: Place = {
  assets: () => new URL('/assets', location.href),
  startWorker() {
    const worker = workers.scripted()
    started.push(worker)
    return worker
  },
}

const memories: Memory[] = []
let tab: Tab

/** Another tab, as far as locks and channels can tell. */
const anotherTab = (place = scripted, scope = `test/${Math.random()}`) => new Tab(place, { scope })

async function open(options?: MemoryOptions, at: Tab | Place = tab): Promise<Memory> {
  const memory = await settled(openAt(at, options))
  memories.push(memory)
  return memory
}

beforeEach(() => {
  tab = anotherTab()
})
const answer = async (promise: Promise<unknown>): Promise<any> => settled(promise)

afterEach(async () => {
  await Promise.all(memories.splice(0).map(memory => memory.close()))
  started.length = 0
})

it('sends options with their defaults, and the base of the assets made absolute', async () => {
  const memory = await open({ device: 'wasm' })
  expect((await answer(memory.status())).options).toEqual({
    name: 'default',
    assets: `${location.origin}/assets/`,
    allowDownload: false,
    device: 'wasm',
    granularity: 'proposition',
    controller: 'auto',
    readOnly: false,
    languages: [...navigator.languages],
    parameters: defaultParameters,
  })
  const other = await open({ assets: new URL('https://cdn.example/credence/') })
  expect((await answer(other.status())).options.assets).toBe('https://cdn.example/credence/')
})

it('refuses wrong options before a worker is started', async () => {
  expect(await rejection(openAt(tab, { colour: 'red' } as never))).toMatchObject({ code: 'UnknownOption', data: { option: 'colour' } })
  expect((await rejection(openAt(tab, { name: '' }))).code).toBe('InvalidArgument')
  expect((await rejection(openAt(tab, { assets: 'http://[' }))).code).toBe('InvalidArgument')
  const hidden = anotherTab({ ...scripted, assets: () => new URL('file:///somewhere/assets/') })
  expect((await rejection(openAt(hidden, {}))).message).toMatch(/assets must be given/)
  const reason = new Error('no')
  expect(await rejection(openAt(tab, { signal: AbortSignal.abort(reason) }))).toBe(reason)
  expect(started).toHaveLength(0)
})

it('rejects with the reason of the worker', async () => {
  expect(await rejection(openAt(tab, { name: 'refused' }))).toMatchObject({ code: 'StoreFailed' })
  expect(await rejection(openAt(anotherTab({ ...scripted, startWorker: workers.missing }), {}))).toMatchObject({ code: 'WorkerFailed' })
  await vi.waitFor(async () => {
    const { held = [] } = await navigator.locks.query()
    expect(held.filter(lock => lock.name?.startsWith('credence/worker/'))).toEqual([])
  })
})

it('stops opening when its signal fires', async () => {
  const controller = new AbortController()
  const opening = rejection(openAt(tab, { name: 'never-opens', signal: controller.signal }))
  setTimeout(() => controller.abort(), 100)
  expect((await opening).name).toBe('AbortError')
})

it('checks the arguments of a call and fills in defaults', async () => {
  const memory = await open()
  expect(await answer(memory.recall('x', { at: '2026-11-29T10:00:00Z' }))).toMatchObject({ options: { budget: 400, at: 1795946400000 } })
  expect((await rejection(memory.recall('x', { limit: 0 }))).code).toBe('InvalidArgument')
  expect((await rejection(memory.recall('x', { top: 3 } as never))).code).toBe('UnknownOption')
  expect((await rejection(memory.observe({ content: 'x' } as never))).code).toBe('UnknownOption')
  expect((await rejection(memory.belief(''))).code).toBe('InvalidArgument')
})

it('tells the worker of an abort', async () => {
  const memory = await open()
  const controller = new AbortController()
  const waiting = rejection(memory.recall('wait', { signal: controller.signal }))
  expect((await answer(memory.status())).aborted).toBe(0)
  controller.abort()
  expect((await waiting).name).toBe('AbortError')
  expect((await answer(memory.status())).aborted).toBe(1)
})

it.each(['end', 'crash', 'terminate'])('starts one fresh worker after its end (%s), and events go on', async way => {
  const memory = await open()
  const events: MemoryEvent[] = []
  memory.subscribe(event => events.push(event))
  const first = await answer(memory.status())
  await answer(memory.observe({ text: 'a', id: '1' }))
  const dying = rejection(memory.recall(way === 'terminate' ? 'hang' : way))
  if (way === 'terminate') started[0]!.terminate()
  expect((await dying).code).toBe(way === 'crash' ? 'WorkerFailed' : 'WorkerEnded')

  const [second, third] = await Promise.all([answer(memory.status()), answer(memory.status())])
  expect(second.worker).not.toBe(first.worker)
  expect(third.worker).toBe(second.worker)
  expect(second.options).toEqual(first.options)
  expect(started).toHaveLength(2)
  await answer(memory.observe({ text: 'b', id: '2' }))
  expect(events.map(event => event.turn)).toEqual(['1', '2'])
})

it('a fresh worker that fails is told to the call that needed it; the next call tries again', async () => {
  const kinds = [workers.scripted, workers.missing, workers.scripted]
  const memory = await open({}, anotherTab({ ...scripted, startWorker: () => kinds.shift()!() }))
  await rejection(memory.recall('end'))
  expect((await rejection(memory.recall('second'))).code).toBe('WorkerFailed')
  expect(await answer(memory.recall('third'))).toMatchObject({ prompt: 'third' })
})

it('is not kept from a fresh worker by the signal it was opened with', async () => {
  const controller = new AbortController()
  const memory = await open({ signal: controller.signal })
  controller.abort()
  await rejection(memory.recall('end'))
  expect(await answer(memory.recall('again'))).toMatchObject({ prompt: 'again' })
})

it('closes once, and every call then says Closed', async () => {
  const memory = await open()
  const pending = rejection(memory.recall('hang'))
  const closing = memory.close()
  expect(memory.close()).toBe(closing)
  await settled(closing)
  expect((await pending).code).toBe('Closed')
  expect((await rejection(memory.recall('late'))).code).toBe('Closed')
  expect((await rejection(memory.status())).code).toBe('Closed')
  expect(
    (
      await rejection(
        memory
          .observeAll([{ text: 'x' }])
          [Symbol.asyncIterator]()
          .next(),
      )
    ).code,
  ).toBe('Closed')
  expect(() => memory.subscribe(() => {})).toThrow(/after close/)
  await settled(memory[Symbol.asyncDispose]())
})

it('closes at the end of an await using block', async () => {
  let kept: Memory
  {
    await using memory = await settled(openAt(tab, {}))
    kept = memory
  }
  expect((await rejection(kept.status())).code).toBe('Closed')
})

it('tells events to each memory of the name once, before the answer of the call that made them', async () => {
  const [here, there, elsewhere] = [await open({ name: 'shared' }), await open({ name: 'shared' }), await open({ name: 'other' })]
  const seen = { here: 0, there: 0, elsewhere: 0, gone: 0 }
  here.subscribe(() => seen.here++)
  there.subscribe(() => seen.there++)
  elsewhere.subscribe(() => seen.elsewhere++)
  const end = here.subscribe(() => seen.gone++)
  end()
  await answer(here.observe({ text: 'x', id: '1' }))
  expect(seen).toEqual({ here: 1, there: 1, elsewhere: 0, gone: 0 })
  await answer(there.observe({ text: 'x', id: '2' }))
  expect(seen).toEqual({ here: 2, there: 2, elsewhere: 0, gone: 0 })
})

it('memories opened at once and closed again share one worker, which ends with the last (asks 81, 95, 96)', async () => {
  const opening = [open(), open(), open({ name: 'other' })]
  const [first, second, other] = await Promise.all(opening)
  expect(started).toHaveLength(1)
  await settled(first!.close())
  await settled(other!.close())
  expect(await answer(second!.recall('still there'))).toMatchObject({ prompt: 'still there' })
  await settled(second!.close())
  await vi.waitFor(async () => {
    const { held = [] } = await navigator.locks.query()
    expect(held.filter(lock => lock.name?.startsWith('credence/worker/'))).toEqual([])
  })
  expect(started).toHaveLength(1)
})

it('a listener that throws stops neither the others nor the call', async () => {
  const memory = await open()
  const reported: unknown[] = []
  const onError = (event: ErrorEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    reported.push(event.error)
  }
  window.addEventListener('error', onError, { capture: true })
  const broken = new Error('broken listener')
  let told = 0
  memory.subscribe(() => {
    throw broken
  })
  memory.subscribe(() => told++)
  await answer(memory.observe({ text: 'x', id: '1' }))
  window.removeEventListener('error', onError, { capture: true })
  expect(told).toBe(1)
  expect(reported).toEqual([broken])
})

const turns = (n: number): Turn[] => Array.from({ length: n }, (_, i) => ({ text: `turn ${i}`, id: String(i) }))

it('observes all turns in their order, with progress', async () => {
  const memory = await open()
  const progress: Progress[] = []
  const ids: string[] = []
  for await (const { turn } of memory.observeAll(turns(40), { onProgress: p => progress.push(p) })) ids.push(turn)
  expect(ids).toEqual(turns(40).map(turn => turn.id))
  expect(progress).toHaveLength(40)
  expect(progress.at(-1)).toEqual({ stage: 'import', item: '39', done: 40, total: 40 })
  expect((await answer(memory.status())).observed).toEqual(ids)
})

it('takes an asynchronous source turn by turn', async () => {
  const memory = await open()
  const seen: string[] = []
  async function* source() {
    for (const turn of turns(5)) {
      expect(seen).toHaveLength(Number(turn.id)) // waits for what became of the last one
      yield turn
    }
  }
  for await (const { turn } of memory.observeAll(source())) seen.push(turn)
  expect(seen).toHaveLength(5)
})

it('leaving the loop stops the import', async () => {
  const memory = await open()
  for await (const { turn } of memory.observeAll(turns(40))) if (turn === '2') break
  const { observed } = await answer(memory.recall('x').then(() => memory.status()))
  await new Promise(resolve => setTimeout(resolve, 200))
  const later = (await answer(memory.status())).observed
  expect(observed.length).toBeLessThan(8)
  expect(later.length - observed.length).toBeLessThanOrEqual(1)
})

it('the turns before one that fails are observed', async () => {
  const memory = await open()
  const import_ = async (list: Turn[], into: string[]) => {
    for await (const { turn } of memory.observeAll(list)) into.push(turn)
  }
  const worker: string[] = []
  expect((await rejection(import_(turns(5).with(3, { text: 'bad', id: 'bad' }), worker))).code).toBe('StoreFailed')
  expect(worker).toEqual(['0', '1', '2'])
  const page: string[] = []
  expect((await rejection(import_([...turns(20), { text: 5 as never }], page))).code).toBe('InvalidArgument')
  expect(page).toHaveLength(20)
})

it('an import stops by its signal, and by the end of the worker', async () => {
  const memory = await open()
  const controller = new AbortController()
  const run = async (signal?: AbortSignal) => {
    for await (const { turn } of memory.observeAll(turns(1000), signal ? { signal } : {})) {
      if (turn === '3' && signal) controller.abort()
      if (turn === '3' && !signal) started[0]!.terminate()
    }
  }
  expect((await rejection(run(controller.signal))).name).toBe('AbortError')
  expect((await rejection(run())).code).toBe('WorkerEnded')
})

it('starts a worker whose script is of another origin', async () => {
  const url = (await import('./fixtures/scripted.ts?worker&url')).default as string
  const memory = await open({}, anotherTab({ ...scripted, startWorker: () => startForeign(new URL(url, location.href)) }))
  expect(await answer(memory.recall('from afar'))).toMatchObject({ prompt: 'from afar' })
})
