/** A store without a database: for Node, for tests, and where the browser gives no storage. It behaves as the one in IndexedDB does. */

import { CredenceError } from '../errors.ts'
import type { Change, Snapshot, Store } from '../engine/ports.ts'
import { closedError, conflictError, storeError } from './failure.ts'
import { RECORD_STORE_NAMES, RECORD_STORES } from './schema.ts'

export function openMemoryStore(snapshot?: Snapshot): Store {
  const start = structuredClone(snapshot)
  const stores = RECORD_STORE_NAMES.map(name => {
    const records = (start?.[name] ?? []) as unknown as Record<string, unknown>[]
    return { name, field: RECORD_STORES[name], records: new Map(records.map(record => [record[RECORD_STORES[name]], record])) }
  })
  const meta = new Map(Object.entries(start?.meta ?? {}))
  let generation = start?.generation ?? 0
  let closed = false

  /** Runs at once and whole: nothing else of this thread comes between. */
  async function run<Result>(work: () => Result): Promise<Result> {
    if (closed) throw closedError()
    try {
      return work()
    } catch (error) {
      throw error instanceof CredenceError ? error : storeError(error)
    }
  }

  return {
    load: () =>
      run(() => {
        const lists = Object.fromEntries(stores.map(({ name, records }) => [name, [...records.values()]]))
        const loaded = structuredClone({ ...lists, meta: Object.fromEntries(meta), generation }) as unknown as Snapshot
        loaded.turns.sort((a, b) => a.order - b.order)
        return loaded
      }),

    turn: work => work(),

    generation: () => run(() => generation),

    commit: (change: Change, expected: number) =>
      run(() => {
        const { put, remove } = structuredClone(change)
        if (generation !== expected) throw conflictError(expected, generation)
        for (const { name, field, records } of stores) {
          for (const id of remove?.[name] ?? []) records.delete(id)
          for (const record of (put?.[name] ?? []) as unknown as Record<string, unknown>[]) records.set(record[field], record)
        }
        for (const key of remove?.meta ?? []) meta.delete(key)
        for (const [key, value] of Object.entries(put?.meta ?? {})) meta.set(key, value)
        return ++generation
      }),

    clear: () =>
      run(() => {
        for (const { records } of stores) records.clear()
        meta.clear()
        return ++generation
      }),

    usage: () => run(() => ({ used: null, quota: null, persisted: null, temporary: true, erasing: false })),

    encrypted: false,

    changePassphrase: () =>
      run(() => {
        throw new CredenceError('NotEncrypted', 'this memory is not stored, so there is nothing to encrypt')
      }),

    async close() {
      closed = true
    },
  }
}
