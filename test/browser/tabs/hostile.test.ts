/** What another script of the origin may send: it is dropped, and reaches no memory that it did not open itself. */

import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openAt } from '../../../src/client/open.ts'
import { Tab } from '../../../src/client/tab.ts'
import type { Memory, MemoryEvent } from '../../../src/memory.ts'
import { checkMemoryOptions } from '../../../src/options.ts'
import { repeatable } from '../../../src/protocol.ts'
import { settled, workers } from '../boundary/helpers.ts'

let scope: string
let victim: Memory
let channels: BroadcastChannel[]
let releases: (() => void)[]

beforeEach(async () => {
  scope = `test/${Math.random()}`
  channels = []
  releases = []
  victim = await settled(
    openAt(new Tab({ assets: () => new URL('/', location.href), startWorker: workers.scripted }, { scope }), { name: 'victim' }),
  )
})

afterEach(async () => {
  channels.forEach(channel => channel.close())
  releases.forEach(release => release())
  await victim.close()
})

const channel = (name: string) => {
  const made = new BroadcastChannel(name)
  channels.push(made)
  return made
}

/** Gets itself served by the leader, as a tab does, and says what it likes. */
async function intruder() {
  const id = Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join('')
  await new Promise<void>(held => {
    void navigator.locks.request(`${scope}/tab/${id}`, () => new Promise<void>(release => (releases.push(release), held())))
  })
  const own = channel(`${scope}/tab/${id}`)
  const heard: any[] = []
  own.onmessage = ({ data }) => heard.push(data)
  channel(`${scope}/tabs`).postMessage({ hello: id, names: [] })
  const until = (find: (message: any) => boolean) =>
    settled(
      (async () => {
        for (;;) {
          const found = heard.find(find)
          if (found) return found
          await new Promise(resolve => setTimeout(resolve, 10))
        }
      })(),
    )
  const { from } = await until(message => message.welcome)
  return {
    id,
    heard,
    say: (message: unknown) => own.postMessage(message),
    call: (call: number, memory: string, method: string, args: unknown[]) => own.postMessage({ to: from, call, memory, method, args }),
    answer: async (call: number) => (await until(message => message.credence === 'answer' && message.call === call)).outcome,
    to: from as string,
  }
}

const plain = (name: string) => ({ ...checkMemoryOptions({ name }), assets: location.origin })

it('a handle of somebody else reaches nothing (asks 48)', async () => {
  const other = await settled(
    openAt(new Tab({ assets: () => new URL('/', location.href), startWorker: workers.scripted }, { scope }), { name: 'another' }),
  )
  // All that is said between the victim's tab and the leader can be overheard, so the handle is known.
  const overheard: string[] = []
  const meeting = channel(`${scope}/tabs`)
  const sniffed = new Promise<void>(resolve => {
    meeting.onmessage = ({ data }) => {
      const line = channel(`${scope}/tab/${data.hello}`)
      line.onmessage = ({ data }) => typeof data.memory === 'string' && (overheard.push(data.memory), resolve())
    }
  })
  const target = settled(
    openAt(new Tab({ assets: () => new URL('/', location.href), startWorker: workers.scripted }, { scope }), { name: 'victim' }),
  )
  await settled(sniffed)
  const stranger = await intruder()
  stranger.call(1, overheard[0]!, 'export', [])
  expect(await stranger.answer(1)).toMatchObject({ error: { code: 'WorkerFailed', message: expect.stringContaining('before open') } })
  await (await target).close()
  await other.close()
})

it.each<[string, unknown]>([
  ['no options', undefined],
  ['an unknown option', { ...plain('x'), withoutModels: 'x' }],
  ['a name that is none', { ...plain('x'), name: 7 }],
  ['assets that are no URL', { ...plain('x'), assets: 'nowhere' }],
  ['parameters out of range', { ...plain('x'), parameters: { k: -1 } }],
])('a memory is not opened with %s (asks 48)', async (_, options) => {
  const stranger = await intruder()
  stranger.call(1, 'mine', 'open', [options])
  expect(await stranger.answer(1)).toMatchObject({ error: { code: expect.stringMatching(/InvalidArgument|UnknownOption/) } })
})

it('arguments of any kind are answered, and stop nothing (asks 48)', async () => {
  const stranger = await intruder()
  stranger.call(1, 'mine', 'open', [plain('mine')])
  expect(await stranger.answer(1)).toEqual({ value: undefined })
  let call = 1
  for (const args of [[], [null], [7], [[null, 7, { text: 7 }]], [{ text: 'x'.repeat(10) }, null]]) {
    for (const method of ['observe', 'observeAll', 'status']) {
      stranger.call(++call, 'mine', method, args)
      expect(await stranger.answer(call)).toBeDefined()
    }
  }
  expect((await settled(victim.recall('still there'))).prompt).toBe('still there')
})

it('whatever is said on any channel, the others are served (asks 48, 94)', async () => {
  const stranger = await intruder()
  const meeting = channel(`${scope}/tabs`)
  const events = channel('credence/events/victim')
  const told: MemoryEvent[] = []
  victim.subscribe(event => told.push(event))
  const clonable = fc.anything({ withDate: true, withMap: true, withSet: true, withTypedArray: true, withBigInt: true })
  const request = fc.record(
    {
      to: fc.constantFrom(stranger.to, 'another', 7),
      call: fc.oneof(fc.integer(), clonable),
      memory: fc.oneof(fc.string(), clonable),
      method: fc.oneof(fc.constantFrom(...Object.keys(repeatable), '__proto__', 'constructor', 'hasOwnProperty'), clonable),
      args: fc.oneof(fc.array(clonable), clonable),
      ping: clonable,
      abort: clonable,
      hello: fc.oneof(fc.stringMatching(/^[0-9a-f]{32}$/), clonable),
      names: fc.oneof(fc.array(clonable), clonable),
      from: clonable,
      leading: fc.constant(undefined),
    },
    { requiredKeys: [] },
  )
  for (const message of fc.sample(fc.oneof(clonable, request), { numRuns: 1500, seed: 11 })) {
    stranger.say(message)
    meeting.postMessage(message)
    events.postMessage(message)
  }
  expect((await settled(victim.recall('still there'), 20_000)).prompt).toBe('still there')
  expect(await settled(victim.status())).toMatchObject({ name: 'victim', leader: true })
  expect(told.filter(event => event.type !== 'recalled')).toEqual([])
})

it('a false event reaches the listeners of its name at most, never a memory (asks 48)', async () => {
  const told: MemoryEvent[] = []
  victim.subscribe(event => told.push(event))
  const before = await settled(victim.status())
  channel('credence/events/victim').postMessage({ type: 'recalled', query: 'x', recall: {}, changes: [] })
  channel('credence/events/other').postMessage({ type: 'observed', turn: 'x', changes: [] })
  expect(await settled(victim.status())).toEqual(before)
  expect(told).toEqual([])
})
