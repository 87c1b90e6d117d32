/** Several tabs, each a `Tab` of its own: locks and channels treat those of one page as they treat those of many. */

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openAt } from '../../../src/client/open.ts'
import { Tab, type TabOptions } from '../../../src/client/tab.ts'
import type { Memory, MemoryEvent, MemoryOptions, Observation, Progress, Turn } from '../../../src/memory.ts'
import { rejection, settled, workers } from '../boundary/helpers.ts'
import { memories, scope, started } from './setup.ts'

const timing = { patience: 0.5, beat: 0.1, beats: 3 }

function newTab(options: Partial<TabOptions> = {}): Tab {
  const startWorker = () => (started.push(workers.scripted()), started.at(-1)!)
  return new Tab({ assets: () => new URL('/assets', location.href), startWorker }, { scope, timing, ...options })
}

async function open(options?: MemoryOptions, tab = newTab()): Promise<Memory> {
  const memory = await settled(openAt(tab, options))
  memories.push(memory)
  return memory
}

const answer = async (promise: Promise<unknown>): Promise<any> => settled(promise)

/** Takes the lead away, as a tab does that finds the leader silent, and gives it back to the queue. */
const depose = () => navigator.locks.request(`${scope}/leader`, { steal: true }, async () => {})

const turns = (n: number): Turn[] => Array.from({ length: n }, (_, i) => ({ text: `turn ${i}`, id: String(i) }))

describe('one tab leads, the others call it', () => {
  it('ten tabs have one worker (asks 95)', async () => {
    const tabs = [await open()]
    for (let i = 1; i < 10; i++) tabs.push(await open({ name: i % 2 ? 'default' : `tab ${i}` }))
    expect(started).toHaveLength(1)
    const statuses = await Promise.all(tabs.map(memory => answer(memory.status())))
    expect(statuses.map(status => status.leader)).toEqual([true, ...Array.from({ length: 9 }, () => false)])
    expect(new Set(statuses.map(status => status.worker)).size).toBe(1)
    expect(statuses.map(status => status.name)).toEqual(Array.from({ length: 10 }, (_, i) => (i % 2 || i === 0 ? 'default' : `tab ${i}`)))
  })

  it('tabs that open at the same moment find one leader (asks 95)', async () => {
    const tabs = await Promise.all(Array.from({ length: 6 }, () => open()))
    const statuses = await Promise.all(tabs.map(memory => answer(memory.status())))
    expect(statuses.filter(status => status.leader)).toHaveLength(1)
    expect(started).toHaveLength(1)
  })

  it('answers, errors and aborts come through', async () => {
    const leader = await open()
    const memory = await open()
    expect(await answer(memory.recall('hello', { limit: 3 }))).toMatchObject({ prompt: 'hello', options: { limit: 3, budget: 400 } })
    expect(await rejection(memory.recall('not found'))).toMatchObject({
      code: 'NotFound',
      data: { id: 'b1' },
      cause: { name: 'RangeError' },
    })
    expect(await rejection(memory.import({ turns: [() => {}] } as never))).toMatchObject({ code: 'InvalidArgument' })
    expect(await rejection(memory.recall('uncloneable answer'))).toMatchObject({ code: 'WorkerFailed' })
    const control = new AbortController()
    const waiting = rejection(memory.recall('wait', { signal: control.signal }))
    await answer(memory.status())
    control.abort()
    expect((await waiting).name).toBe('AbortError')
    await vi.waitFor(async () => expect((await answer(leader.status())).aborted).toBe(1))
  })

  it('progress of the opening reaches the tab that waits for it', async () => {
    await open({ name: 'other' })
    const seen: Progress[] = []
    await open({ name: 'slow-open', onProgress: p => seen.push(p) })
    expect(seen).toHaveLength(8)
  })

  it('events reach every tab of the name before the answer, a recall only the tab that asked (asks 48)', async () => {
    const [a, b, other] = [await open({ name: 'shared' }), await open({ name: 'shared' }), await open({ name: 'other' })]
    const seen: string[] = []
    const listen = (memory: Memory, who: string) => memory.subscribe(event => seen.push(`${who} ${event.turn ?? event.type}`))
    listen(a!, 'a')
    listen(b!, 'b')
    listen(other!, 'other')
    await answer(b!.observe({ text: 'x', id: '1' }))
    expect(seen).toContain('b 1')
    await vi.waitFor(() => expect(seen.sort()).toEqual(['a 1', 'b 1']))
    await answer(b!.recall('mine'))
    await answer(a!.status())
    expect(seen.sort()).toEqual(['a 1', 'b 1', 'b recalled'])
  })

  it('an import comes through item by item, and leaving its loop stops it', async () => {
    await open()
    const memory = await open()
    const ids: string[] = []
    for await (const { turn } of memory.observeAll(turns(40))) ids.push(turn)
    expect(ids).toEqual(turns(40).map(turn => turn.id))
    for await (const { turn } of memory.observeAll(turns(400))) if (turn === '2') break
    const { observed } = await answer(memory.recall('x').then(() => memory.status()))
    // The portion that was under way at most.
    expect(observed.length).toBeLessThanOrEqual(40 + 16)
  })

  it('a hundred calls from each of three tabs are all answered (asks 82)', async () => {
    const tabs = [await open(), await open(), await open()]
    const calls = tabs.flatMap((memory, t) => Array.from({ length: 100 }, (_, i) => memory.recall(`${t}/${i}`)))
    const answers = (await settled(Promise.all(calls), 20_000)) as { prompt: string }[]
    expect(answers.map(({ prompt }) => prompt)).toEqual(tabs.flatMap((_, t) => Array.from({ length: 100 }, (_, i) => `${t}/${i}`)))
  })

  it('a worker that ends is told to all, and the next call starts one fresh worker (asks 93)', async () => {
    const [a, b] = [await open(), await open()]
    const dying = [rejection(a!.recall('hang')), rejection(b!.recall('hang'))]
    await answer(b!.status())
    started[0]!.terminate()
    expect((await Promise.all(dying)).map(error => error.code)).toEqual(['WorkerEnded', 'WorkerEnded'])
    expect(await answer(b!.recall('again'))).toMatchObject({ prompt: 'again' })
    expect(await answer(a!.recall('again'))).toMatchObject({ prompt: 'again' })
    expect(started).toHaveLength(2)
  })

  it('a worker whose model is never built is replaced, and after two of them the models are left out', async () => {
    onTestFinished(() => localStorage.removeItem('credence/unfinished-loads'))
    await open({ name: 'other' }, newTab({ deadlines: { load: 0.5 } }))
    const memory = await open({ name: 'never-loads' })
    expect(started).toHaveLength(3)
    const { options } = await answer(memory.status())
    expect(options.withoutModels).toMatch(/^the last 2 times/)
  })

  it('close in the leading tab leaves the others their worker, which ends with the last of them (asks 81)', async () => {
    const [a, b] = [await open(), await open()]
    await settled(a!.close())
    expect(await answer(b!.recall('still there'))).toMatchObject({ prompt: 'still there' })
    expect(started).toHaveLength(1)
    const pending = rejection(b!.recall('hang'))
    await settled(b!.close())
    expect((await pending).code).toBe('Closed')
    await vi.waitFor(async () => {
      const { held = [], pending = [] } = await navigator.locks.query()
      expect([...held, ...pending].filter(lock => lock.name?.startsWith(scope) || lock.name?.startsWith('credence/worker/'))).toEqual([])
    })
  })
})

describe('the leader changes', () => {
  it('a call that only reads, and a turn, are made again at the next leader (asks 93, 95)', async () => {
    const [a, b, c] = [await open(), await open(), await open()]
    const pending = Promise.all([
      settled(a!.recall('report')),
      settled(b!.recall('report')),
      settled(c!.observe({ text: 'slow' })),
      settled(b!.observe({ text: 'slow', id: 'named' })),
    ])
    await new Promise(resolve => setTimeout(resolve, 60))
    await depose()
    const [one, two, unnamed, named] = (await pending) as any[]
    expect([one.prompt, two.prompt, named.turn]).toEqual(['reported', 'reported', 'named'])
    expect(unnamed.turn).toMatch(/^[0-9a-f]{32}$/)
    const statuses = await Promise.all([a, b, c].map(memory => answer(memory!.status())))
    expect(statuses.filter(status => status.leader)).toHaveLength(1)
    expect(started).toHaveLength(2)
  })

  it('an act that twice is not the same as once is rejected with LeaderChanged', async () => {
    await open()
    const memory = await open()
    const acts = [
      memory.feedback({ query: 'hang', answer: '' }),
      memory.edit('hang', 'x'),
      memory.retract('hang'),
      memory.pin('hang'),
      memory.forget('hang'),
      memory.forgetAll(),
      memory.import({ hang: true } as never),
    ].map(act => rejection(act))
    await answer(memory.status())
    await depose()
    expect((await Promise.all(acts)).map(error => error.code)).toEqual(acts.map(() => 'LeaderChanged'))
  })

  it('a call is made again a few times after leaders that hand over, not for ever', async () => {
    await open()
    const memory = await open()
    await open()
    const hanging = rejection(memory.recall('hang'), 20_000)
    for (let i = 0; i < 5; i++) {
      await answer(memory.status())
      await depose()
    }
    expect((await hanging).code).toBe('LeaderChanged')
  })

  it('a call is made again once after leaders that go without a word: it may be what takes them down (asks 73)', async () => {
    const first = fakeLeader()
    const memory = await open()
    const hanging = rejection(memory.recall('hang'), 20_000)
    first.silent = true
    await vi.waitUntil(() => started.length === 1, { timeout: 10_000 })
    const second = fakeLeader({ steal: true }) // serves, and knows of no call
    expect((await hanging).code).toBe('LeaderChanged')
    first.end()
    second.end()
  })

  it('an import goes on where it was, and gives each turn once', async () => {
    await open()
    const memory = await open()
    await open()
    const seen: Observation[] = []
    for await (const item of memory.observeAll(turns(30))) {
      seen.push(item)
      if (seen.length === 5) void depose()
    }
    expect(seen.map(item => item.turn)).toEqual(turns(30).map(turn => turn.id))
  })

  it('events are still heard by a tab that makes no calls', async () => {
    const [a, b] = [await open(), await open()]
    const heard: MemoryEvent[] = []
    a!.subscribe(event => heard.push(event))
    await depose()
    await answer(b!.observe({ text: 'x', id: 'later' }))
    await vi.waitFor(() => expect(heard.map(event => event.turn)).toEqual(['later']))
  })

  it('a leader that holds the lock and never answers is replaced when a tab opens', async () => {
    const stop = new AbortController()
    const deposed = navigator.locks.request(`${scope}/leader`, () => new Promise(resolve => stop.signal.addEventListener('abort', resolve)))
    const opening = [open(), open(), open()]
    expect((await rejection(deposed)).name).toBe('AbortError')
    const statuses = await Promise.all((await Promise.all(opening)).map(memory => answer(memory.status())))
    expect(statuses.filter(status => status.leader)).toHaveLength(1)
    expect(started).toHaveLength(1)
  })

  it('a leader that falls silent in the middle of a call is replaced (asks 94)', async () => {
    const fake = fakeLeader()
    const memory = await open()
    fake.silent = true
    expect(await answer(memory.recall('anybody there?'))).toMatchObject({ prompt: 'anybody there?' })
    expect((await answer(memory.status())).leader).toBe(true)
    fake.end()
  })

  it('a call has one deadline, however many leaders it is made again at (asks 94)', async () => {
    await open()
    const memory = await open({}, newTab({ deadlines: { recall: 2 } }))
    await open()
    const hanging = rejection(memory.recall('hang'), 20_000)
    const handOver = setInterval(() => void depose(), 1000)
    const { code, data } = await hanging
    clearInterval(handOver)
    expect({ code, data }).toEqual({ code: 'Deadline', data: { method: 'recall' } })
    expect(await answer(memory.recall('still there'))).toMatchObject({ prompt: 'still there' })
  })

  it('a leader that says of a call that it is in work, and never answers it, is not waited for longer than the deadline (asks 94)', async () => {
    const fake = fakeLeader({}, [1, 2, 3, 4, 5])
    const memory = await open({}, newTab({ deadlines: { recall: 1 } }))
    const calls = [memory.recall('one'), memory.recall('two')].map(call => rejection(call, 10_000))
    expect((await Promise.all(calls)).map(error => error.code)).toEqual(['Deadline', 'Deadline'])
    fake.end()
  })

  it('a call that the leader does not know of is not waited for (asks 94)', async () => {
    const fake = fakeLeader()
    const memory = await open()
    const lost = await rejection(memory.edit('b1', 'x'))
    expect(lost.code).toBe('LeaderChanged')
    fake.end()
  })

  it('close settles what is pending while there is no leader at all', async () => {
    const fake = fakeLeader()
    const memory = await open()
    fake.silent = true
    const pending = rejection(memory.recall('hang'))
    await settled(memory.close())
    expect((await pending).code).toBe('Closed')
    fake.end()
  })
})

/** Another script that leads: it answers `open` and asks for a sign of life, and forgets every other call. */
function fakeLeader(options: LockOptions = {}, calls: number[] = []) {
  const channels: BroadcastChannel[] = []
  const self = { silent: false, end: () => channels.forEach(channel => channel.close()) }
  const common = new BroadcastChannel(`${scope}/tabs`)
  channels.push(common)
  void navigator.locks.request(`${scope}/leader`, options, () => new Promise(() => {})).catch(() => {})
  common.onmessage = ({ data }) => {
    if (!data.hello || self.silent) return
    const own = new BroadcastChannel(`${scope}/tab/${data.hello}`)
    channels.push(own)
    own.onmessage = ({ data }) => {
      if (self.silent) return
      if (data.method === 'open' || data.method === 'status')
        own.postMessage({ from: 'fake', credence: 'answer', call: data.call, outcome: { value: { missing: [], storage: {} } } })
      if (data.ping) own.postMessage({ from: 'fake', pong: data.ping, calls })
    }
    own.postMessage({ from: 'fake', welcome: true })
  }
  return self
}

describe('pages that sleep', () => {
  const persisted = { persisted: true }

  it('hand over when they are kept for going back to, and take part again afterwards', async () => {
    const memory = await open()
    await answer(memory.status())
    window.dispatchEvent(new PageTransitionEvent('pagehide', persisted))
    // All tabs of this test are in the page that sleeps: nothing of them may be left, or the browser would not keep it.
    await vi.waitFor(async () => {
      const { held = [], pending = [] } = await navigator.locks.query()
      expect([...held, ...pending].filter(lock => lock.name?.startsWith(scope) || lock.name?.startsWith('credence/worker/'))).toEqual([])
    })
    const asleep = settled(memory.recall('report'))
    const act = rejection(memory.edit('b1', 'x'), 20_000)
    window.dispatchEvent(new PageTransitionEvent('pageshow', persisted))
    expect(await asleep).toMatchObject({ prompt: 'reported' })
    expect((await act).code).toBe('WorkerFailed') // the scripted memory cannot edit; it was asked
  })

  it('freezing rejects an act under way with LeaderChanged, and makes the rest again', async () => {
    const memory = await open()
    const [reading, acting] = [settled(memory.recall('report')), rejection(memory.forgetAll())]
    await answer(memory.status())
    document.dispatchEvent(new Event('freeze'))
    document.dispatchEvent(new Event('resume'))
    expect(await reading).toMatchObject({ prompt: 'reported' })
    expect((await acting).code).toBe('LeaderChanged')
  })
})
