/** What every `Store` does, whatever it is made of. */

import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Change, Snapshot, Store as Whole } from '../../../src/engine/ports.ts'
import { sound } from '../../../src/store/check.ts'
import { anyChange, belief, evidence, label, nothing, trail, turn, vector } from './records.ts'

/** As it is without a layer that encrypts, too. */
export type Store = Omit<Whole, 'encrypted' | 'changePassphrase'>

export interface Subject {
  /** Opens what is kept under this name. */
  open(name: string): Promise<Store>
  /** Closes the store and opens what it wrote anew. */
  reopen(store: Store, name: string): Promise<Store>
  /** Whether `load` leaves out what hangs on a record that is not there. */
  sound?: boolean
}

let names = 0
export const freshName = (): string => `suite ${Date.now()} ${names++}`

export const everyKind = {
  turns: [turn('t2', { order: 0 }), turn('t1', { order: 1 })],
  beliefs: [belief('z'), belief('a', { confidence: 0.1 + 0.2 })],
  evidence: [evidence('e2', 'z', 't2'), evidence('e1', 'a', 't1')],
  trails: [trail('p2', 'z'), trail('p1', 'a')],
  vectors: [vector('t:t2', [1e-45, 0.1, -0, 3]), vector('b:a')],
  labels: [label('l2', 'belief:z'), label('l1', 'turn:t1')],
  meta: { tick: 2, head: { weights: [0.1, 0.2] } },
} satisfies Change['put']

/** `runs` of the random tests. */
export function storeSuite(kind: string, implementation: Subject, runs = 25): void {
  /** Every store is closed at the end of its test. */
  const closing = async (opening: Promise<Store>): Promise<Store> => {
    const store = await opening
    onTestFinished(() => store.close())
    return store
  }
  const subject: Subject = {
    open: name => closing(implementation.open(name)),
    reopen: (store, name) => closing(implementation.reopen(store, name)),
  }

  const expected = (snapshot: Snapshot): Snapshot => {
    const turns = [...snapshot.turns].sort((a, b) => a.order - b.order)
    return implementation.sound ? sound({ ...snapshot, turns }) : { ...snapshot, turns }
  }

  describe(`${kind}: a store`, () => {
    it('is empty at first', async () => {
      const store = await subject.open(freshName())
      expect(await store.load()).toStrictEqual(nothing)
      expect(await store.generation()).toBe(0)
    })

    it('gives back every field of every record, in the order of insertion, after it is opened again', async () => {
      const name = freshName()
      const store = await subject.open(name)
      expect(await store.commit({ put: everyKind }, 0)).toBe(1)
      const loaded = await store.load()
      expect(loaded).toStrictEqual({ ...everyKind, generation: 1 })
      const again = await subject.reopen(store, name)
      expect(await again.load()).toStrictEqual(loaded)
      expect(await again.generation()).toBe(1)
    })

    it('orders turns by their order, and keeps the place of a record that is replaced', async () => {
      const store = await subject.open(freshName())
      await store.commit(
        { put: { turns: [turn('late', { order: 5 }), turn('early', { order: 1 })], beliefs: [belief('z'), belief('m'), belief('a')] } },
        0,
      )
      await store.commit({ put: { turns: [turn('middle', { order: 3 })], beliefs: [belief('z', { text: 'new' }), belief('b')] } }, 1)
      const { turns, beliefs } = await store.load()
      expect(turns.map(t => t.id)).toEqual(['early', 'middle', 'late'])
      expect(beliefs.map(b => `${b.id} ${b.text}`)).toEqual([
        'z new',
        'm I keep bees, says m',
        'a I keep bees, says a',
        'b I keep bees, says b',
      ])
    })

    it('takes the last of two puts of one id, and removes before it puts', async () => {
      const store = await subject.open(freshName())
      await store.commit({ put: { beliefs: [belief('x', { text: 'one' }), belief('y'), belief('x', { text: 'two' })] } }, 0)
      expect((await store.load()).beliefs.map(b => b.text)).toEqual(['two', 'I keep bees, says y'])
      await store.commit({ put: { beliefs: [belief('x', { text: 'three' })] }, remove: { beliefs: ['x', 'unknown'] } }, 1)
      expect((await store.load()).beliefs.map(b => b.text)).toEqual(['I keep bees, says y', 'three'])
    })

    it('refuses a commit against another generation and changes nothing', async () => {
      const store = await subject.open(freshName())
      await store.commit({ put: everyKind }, 0)
      const before = await store.load()
      for (const expected of [0, 2, -1, Number.NaN]) {
        const refused = store.commit({ put: { beliefs: [belief('q')] }, remove: { beliefs: ['z'] } }, expected)
        await expect(refused).rejects.toMatchObject({ name: 'CredenceError', code: 'Conflict', data: { found: 1 } })
      }
      expect(await store.load()).toStrictEqual(before)
    })

    it('lets one of several commits at once through', async () => {
      const store = await subject.open(freshName())
      const results = await Promise.allSettled([1, 2, 3, 4].map(n => store.commit({ put: { meta: { winner: n } } }, 0)))
      expect(results.map(r => r.status).sort()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
      const winner = results.findIndex(r => r.status === 'fulfilled') + 1
      expect(await store.load()).toMatchObject({ meta: { winner }, generation: 1 })
    })

    it('changes nothing when one of the records cannot be stored', async () => {
      const store = await subject.open(freshName())
      await store.commit({ put: everyKind }, 0)
      const before = await store.load()
      const uncloneable = belief('f', { topic: (() => 'a function') as unknown as string })
      const put = { turns: [turn('t9')], beliefs: [belief('g'), uncloneable, belief('h')], meta: { tick: 9 } }
      await expect(store.commit({ put, remove: { turns: ['t1'] } }, 1)).rejects.toMatchObject({
        code: 'StoreFailed',
        cause: { name: 'DataCloneError' },
      })
      expect(await store.load()).toStrictEqual(before)
      expect(await store.commit({ put: { meta: { tick: 3 } } }, 1)).toBe(2)
    })

    it('is not changed by what the caller does to a record before or after', async () => {
      const store = await subject.open(freshName())
      const mine = belief('own')
      const writing = store.commit({ put: { beliefs: [mine] } }, 0)
      await writing
      mine.text = 'tampered'
      const loaded = await store.load()
      loaded.beliefs[0]!.text = 'tampered'
      expect((await store.load()).beliefs[0]!.text).toBe('I keep bees, says own')
    })

    it('keeps a name in meta that means something to JavaScript or to the store itself', async () => {
      const store = await subject.open(freshName())
      const meta = Object.fromEntries([
        ['__proto__', { polluted: true }],
        ['generation', 'mine'],
        ['', null],
      ])
      await store.commit({ put: { meta } }, 0)
      const loaded = await store.load()
      expect(Object.entries(loaded.meta).sort()).toEqual(Object.entries(meta).sort())
      expect(loaded.generation).toBe(1)
      await store.commit({ remove: { meta: ['generation', '__proto__'] } }, 1)
      expect((await store.load()).meta).toEqual({ '': null })
    })

    it('clear erases everything and goes on counting', async () => {
      const name = freshName()
      const store = await subject.open(name)
      await store.commit({ put: everyKind }, 0)
      expect(await store.clear()).toBe(2)
      expect(await store.load()).toStrictEqual({ ...nothing, generation: 2 })
      await expect(store.commit({ put: everyKind }, 1)).rejects.toMatchObject({ code: 'Conflict' })
      const again = await subject.reopen(store, name)
      expect(await again.load()).toStrictEqual({ ...nothing, generation: 2 })
    })

    it('refuses every call after close', async () => {
      const store = await subject.open(freshName())
      await store.close()
      await store.close()
      const calls = await Promise.allSettled([store.load(), store.generation(), store.commit({}, 0), store.clear(), store.usage()])
      expect(calls).toMatchObject(calls.map(() => ({ status: 'rejected', reason: { code: 'Closed' } })))
    })

    it('does over random commits what plain arrays do', { timeout: 300_000 }, async () => {
      const step = fc.record({
        change: anyChange,
        // Weighed, as small integers come more often than others.
        stale: fc.oneof({ weight: 19, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
        act: fc.integer({ min: 0, max: 29 }),
      })
      let commits = 0
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 50, maxLength: 50 }), async steps => {
          const name = freshName()
          let store = await subject.open(name)
          let oracle = nothing
          for (const { change, stale, act } of steps) {
            if (act === 0) {
              await store.clear()
              oracle = { ...nothing, generation: oracle.generation + 1 }
            } else if (act === 1) {
              store = await subject.reopen(store, name)
            }
            if (stale) {
              await expect(store.commit(change, oracle.generation + 1)).rejects.toMatchObject({ code: 'Conflict' })
            } else {
              expect(await store.commit(change, oracle.generation)).toBe(oracle.generation + 1)
              oracle = naively(oracle, change)
              commits++
            }
            if (act < 8) expect(await store.load()).toStrictEqual(expected(oracle))
          }
          expect(await store.load()).toStrictEqual(expected(oracle))
          await store.clear()
          await store.close()
        }),
        { numRuns: runs, endOnFailure: true },
      )
      expect(commits).toBeGreaterThan(40 * runs)
    })

    it('never mixes names, in any kind of record (asks 48, 49, 50)', { timeout: 300_000 }, async () => {
      const anyName = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 })
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(anyName, { minLength: 2, maxLength: 3 }), async list => {
          const run = freshName()
          const stores = await Promise.all(list.map(name => subject.open(run + name)))
          await Promise.all(stores.map((store, i) => store.commit({ put: { turns: [turn('same', { text: list[i]! })] } }, 0)))
          await stores[0]!.commit({ put: { beliefs: [belief('only here')] } }, 1)
          const loaded = await Promise.all(stores.map(store => store.load()))
          expect(loaded.map(s => s.turns.map(t => t.text))).toEqual(list.map(name => [name]))
          expect(loaded.map(s => s.beliefs.length)).toEqual(list.map((_, i) => (i === 0 ? 1 : 0)))
          await stores[0]!.clear()
          expect((await stores[1]!.load()).turns).toHaveLength(1)
          await Promise.all(stores.map(store => store.close()))
        }),
        { numRuns: runs, endOnFailure: true },
      )
    })
  })
}

/** The same by the slowest and plainest means. */
function naively(before: Snapshot, { put = {}, remove = {} }: Change): Snapshot {
  function next<Item>(list: Item[], idOf: (item: Item) => string, gone: string[] = [], added: Item[] = []): Item[] {
    const result = list.filter(item => !gone.includes(idOf(item)))
    for (const item of added) {
      const at = result.findIndex(other => idOf(other) === idOf(item))
      if (at < 0) result.push(item)
      else result[at] = item
    }
    return result
  }
  const id = (item: { id: string }) => item.id
  const kept = Object.entries(before.meta).filter(([key]) => !remove.meta?.includes(key) && !Object.hasOwn(put.meta ?? {}, key))
  return {
    turns: next(before.turns, id, remove.turns, put.turns),
    beliefs: next(before.beliefs, id, remove.beliefs, put.beliefs),
    evidence: next(before.evidence, id, remove.evidence, put.evidence),
    trails: next(before.trails, id, remove.trails, put.trails),
    vectors: next(before.vectors, item => item.key, remove.vectors, put.vectors),
    labels: next(before.labels, id, remove.labels, put.labels),
    meta: Object.fromEntries([...kept, ...Object.entries(put.meta ?? {})]),
    generation: before.generation + 1,
  }
}
