/** The store in IndexedDB. Every write is one transaction over all object stores. */

import { openDB, type IDBPDatabase, type IDBPTransaction } from 'idb'
import { CredenceError } from '../errors.ts'
import type { Change, Snapshot, Store, TurnRecord } from '../engine/ports.ts'
import { RECORDS } from './check.ts'
import { closedError, conflictError, storeError } from './failure.ts'
import { ALL_STORES, databaseName, GENERATION, RECORD_STORE_NAMES, RECORD_STORES, upgrade, VERSION } from './schema.ts'
import type { RecordStore, Schema } from './schema.ts'

/** `upgrade`: another tab wants a newer version of the database, or to delete it. `terminated`: the browser took the connection away. */
export type ClosedReason = 'upgrade' | 'terminated'

export interface StoreHooks {
  /** The connection is gone; the next call opens a new one. */
  onClosed?(reason: ClosedReason): void
}

type Database = IDBPDatabase<Schema>
type Writing = IDBPTransaction<Schema, typeof ALL_STORES, 'readwrite'>

/** Milliseconds to wait for a database that another tab keeps from being opened. */
const PATIENCE = 10_000
/** Records a request: some browsers send the result of one request as one message, which must not grow without bound. */
const BATCH = 1_000

/**
 * Opens the database of this name, and creates it when there is none. Rejects with `SchemaTooNew`, `Blocked`, `QuotaExceeded` or `StoreFailed`.
 * A record that is damaged is left where it is and left out of `load`, which tells their number as `meta.quarantined`.
 */
export async function openIdbStore(name: string, hooks: StoreHooks = {}): Promise<Store> {
  let connection: Promise<Database> | null = null
  let closed = false

  function connect(): Promise<Database> {
    const opening = open(name, reason => {
      if (connection !== opening) return
      connection = null
      hooks.onClosed?.(reason)
    })
    opening.catch(() => {
      if (connection === opening) connection = null
    })
    return opening
  }

  /** A connection may be dead without our knowing, so what fails on it is tried once more on a new one; the generation makes that safe. */
  async function run<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      if (closed) throw closedError()
      const used = (connection ??= connect())
      try {
        return await work(await used)
      } catch (error) {
        if (attempt > 1 || !isConnectionLost(error)) throw error instanceof CredenceError ? error : storeError(error)
        if (connection === used) connection = null
        void used.then(db => db.close()).catch(() => {})
      }
    }
  }

  /** All or nothing, on the disk before it resolves. Gives the new generation. */
  const write = (expected: number | null, work: (tx: Writing) => Promise<unknown>): Promise<number> =>
    run(async db => {
      const tx = db.transaction(ALL_STORES, 'readwrite', { durability: 'strict' })
      const done = tx.done
      done.catch(() => {}) // the catch below reports it
      try {
        const found = await readGeneration(tx)
        if (expected !== null && found !== expected) throw conflictError(expected, found)
        await work(tx)
        await tx.objectStore('meta').put(found + 1, GENERATION)
        await done
        return found + 1
      } catch (error) {
        const cause = tx.error ?? error // a request that an abort has ended does not know why
        try {
          tx.abort()
        } catch {} // it has ended already
        await done.catch(() => {})
        throw cause
      }
    })

  await run(async () => {})

  return {
    load: () => run(read),

    generation: () => run(db => readGeneration(db.transaction('meta'))),

    commit: (change, expected) => write(expected, tx => apply(tx, change)),

    clear: () => write(null, tx => Promise.all(ALL_STORES.map(store => tx.objectStore(store).clear()))),

    usage: () =>
      run(async () => {
        const storage = globalThis.navigator?.storage
        const [estimate, persisted] = await Promise.all([storage?.estimate?.(), storage?.persisted?.()])
        return { used: estimate?.usage ?? null, quota: estimate?.quota ?? null, persisted: persisted ?? null }
      }),

    async close() {
      closed = true
      const last = connection
      connection = null
      await last?.then(db => db.close()).catch(() => {})
    },
  }
}

/** Settles in bounded time: an open that waits behind another tab's upgrade or deletion gets no `blocked` event, so the clock runs from the start. */
function open(name: string, onClosed: (reason: ClosedReason) => void): Promise<Database> {
  return new Promise((resolve, reject) => {
    let late = false
    const opening: Promise<Database> = openDB<Schema>(databaseName(name), VERSION, {
      upgrade(db, from) {
        clearTimeout(clock) // it is our turn, and an upgrade may take its time
        upgrade(db, from)
      },
      blocking() {
        void opening.then(db => db.close())
        onClosed('upgrade')
      },
      terminated() {
        onClosed('terminated')
      },
    })
    const clock = setTimeout(() => {
      late = true
      reject(new CredenceError('Blocked', 'another tab keeps the database from being opened; close or reload the other tabs of this page'))
    }, PATIENCE)
    opening.then(db => (late ? db.close() : resolve(db)), reject).finally(() => clearTimeout(clock))
  })
}

/** Closed by the system, by another tab or by the browser: as Chromium, Firefox and Safari put it. */
const isConnectionLost = (error: unknown): boolean =>
  error instanceof DOMException && ['InvalidStateError', 'AbortError', 'UnknownError'].includes(error.name)

async function readGeneration(tx: { objectStore(name: 'meta'): { get(key: [string]): Promise<unknown> } }): Promise<number> {
  const stored = await tx.objectStore('meta').get(GENERATION)
  return Number.isSafeInteger(stored) ? (stored as number) : 0
}

async function read(db: Database): Promise<Snapshot> {
  const tx = db.transaction(ALL_STORES)
  let quarantined = 0

  async function records<Name extends RecordStore>(name: Name): Promise<Schema[Name]['value'][]> {
    const store = tx.objectStore(name)
    const keys = await store.getAllKeys()
    const batches: Promise<Schema[Name]['value'][]>[] = []
    for (let i = 0; i < keys.length; i += BATCH) {
      batches.push(store.getAll(IDBKeyRange.bound(keys[i], keys[Math.min(i + BATCH, keys.length) - 1])))
    }
    const all = (await Promise.all(batches)).flat()
    const sound = all.filter(record => RECORDS[name](record, false) === null)
    quarantined += all.length - sound.length
    return sound
  }

  const named = tx.objectStore('meta')
  const [turns, beliefs, evidence, trails, vectors, labels, names, values, generation] = await Promise.all([
    records('turns'),
    records('beliefs'),
    records('evidence'),
    records('trails'),
    records('vectors'),
    records('labels'),
    named.getAllKeys(),
    named.getAll(),
    readGeneration(tx),
  ])
  turns.sort((a, b) => a.order - b.order)
  const meta = Object.fromEntries(names.map((key, i) => [key, values[i]] as const).filter(([key]) => typeof key === 'string'))
  if (quarantined > 0) meta.quarantined = quarantined
  return { turns, beliefs, evidence, trails, vectors, labels, meta, generation }
}

/** Removals first, then puts. The functions are `async` so that what `put` throws at once is a rejection like any other. */
async function apply(tx: Writing, { put, remove }: Change): Promise<void> {
  const named = tx.objectStore('meta')
  await Promise.all([
    ...RECORD_STORE_NAMES.flatMap(name => {
      const store = tx.objectStore(name)
      return (remove?.[name] ?? []).map(async id => {
        const key = await store.index('id').getKey(id)
        if (key !== undefined) await store.delete(key)
      })
    }),
    ...(remove?.meta ?? []).map(async key => named.delete(key)),
  ])
  await Promise.all([
    ...RECORD_STORE_NAMES.flatMap(name => putRecords(tx, name, put?.[name] ?? [])),
    ...Object.entries(put?.meta ?? {}).map(async ([key, value]) => named.put(value, key)),
  ])
}

/** A record that replaces another keeps its place. */
function putRecords(tx: Writing, name: RecordStore, records: readonly object[]): Promise<unknown>[] {
  const store = tx.objectStore(name as 'turns') // all of them are built alike
  const byId = new Map((records as Record<string, string>[]).map(record => [record[RECORD_STORES[name]]!, record as unknown as TurnRecord]))
  return [...byId].map(async ([id, record]) => store.put(record, await store.index('id').getKey(id)))
}
