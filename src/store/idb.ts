/** The store in IndexedDB. Every write is one transaction over all object stores. */

import { openDB, type IDBPDatabase, type IDBPTransaction } from 'idb'
import { CredenceError } from '../errors.ts'
import type { Change, Snapshot, Store, TurnRecord, Usage } from '../engine/ports.ts'
import { isSealed, RECORDS, sound } from './check.ts'
import { canClean, clean, isCopyLeft, restore, sweep, sweepsLeft } from './clean.ts'
import { closedError, conflictError, storeError } from './failure.ts'
import { readAll } from './read-all.ts'
import { ALL_STORES, databaseName, GENERATION, RECORD_STORE_NAMES, RECORD_STORES, upgrade, VERSION } from './schema.ts'
import type { RecordStore, Schema } from './schema.ts'

/** `upgrade`: another tab wants a newer version of the database, or to delete it. `terminated`: the browser took the connection away. */
export type ClosedReason = 'upgrade' | 'terminated'

export interface StoreHooks {
  /** The connection is gone; the next call opens a new one. */
  onClosed?(reason: ClosedReason): void
}

/** What a layer that encrypts needs besides. */
export interface IdbStore extends Omit<Store, 'encrypted' | 'changePassphrase'> {
  /** Puts the key of a database that nothing was ever written to; false when that is not so. */
  claim(key: object): Promise<boolean>
  /** Without reading all of it. */
  peek(): Promise<{ key?: unknown; empty: boolean }>
  /** In an encrypted database the records are sealed, in no order, and `key` is set. */
  load(): Promise<Snapshot & { key?: unknown }>
  /** `key` replaces the key, in the same transaction; with `fresh` everything is removed first. */
  commit(change: Change, expected: number, vault?: { key: object; fresh?: boolean }): Promise<number>
  clear(key?: object): Promise<number>
}

export type Database = IDBPDatabase<Schema>
type Writing = IDBPTransaction<Schema, typeof ALL_STORES, 'readwrite'>

/** Milliseconds to wait for a database that another tab keeps from being opened. */
const PATIENCE = 10_000
/** Milliseconds without another erasure after which the files are cleaned. */
const REST = 500

/** While a database is cleaned it is not there: whoever uses it waits. */
function withLock<Result>(name: string, kind: LockMode | 'turn', work: () => Promise<Result>): Promise<Result> {
  if (!canClean()) return work()
  const [lock, mode] = kind === 'turn' ? ['turn', 'exclusive' as const] : ['store', kind]
  return navigator.locks.request(`${databaseName(name)}/${lock}`, { mode }, work) as Promise<Result>
}

/**
 * Opens the database of this name, and creates it when there is none. Rejects with `SchemaTooNew`, `Blocked`, `QuotaExceeded` or `StoreFailed`.
 * A record that is damaged is left where it is and left out of `load`, which tells their number as `meta.quarantined`.
 */
export async function openIdbStore(name: string, hooks: StoreHooks = {}): Promise<IdbStore> {
  let connection: Promise<Database> | null = null
  let closed = false
  let due = false
  let rest: ReturnType<typeof setTimeout> | undefined
  let cleaning: Promise<void> = Promise.resolve()

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

  function disconnect(): Promise<void> | undefined {
    const last = connection
    connection = null
    return last?.then(db => db.close()).catch(() => {})
  }

  /** A connection may be dead without our knowing, so what fails on it is tried once more on a new one; the generation makes that safe. */
  async function run<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      if (closed) throw closedError()
      let used: Promise<Database> | null = null
      try {
        const result = await withLock(name, 'shared', async () => {
          if (!connection && (await isCopyLeft(name))) return null
          return { value: await work(await (used = connection ??= connect())) }
        })
        if (result) return result.value
        // Whoever cleaned the database was ended in the midst of it.
        await withLock(name, 'exclusive', () => restore(name, open))
      } catch (error) {
        if (attempt > 1 || !isConnectionLost(error)) throw error instanceof CredenceError ? error : storeError(error)
        if (connection === used) connection = null
        void (used as Promise<Database> | null)?.then(db => db.close()).catch(() => {})
      }
    }
  }

  /** All or nothing, on the disk before it resolves. Gives the new generation. */
  const write = (expected: number | null, erase: boolean, work: (tx: Writing) => Promise<unknown>): Promise<number> =>
    run(async db => {
      const tx = db.transaction(ALL_STORES, 'readwrite', { durability: 'strict' })
      const done = tx.done
      done.catch(() => {}) // the catch below reports it
      try {
        const found = await readGeneration(tx)
        if (expected !== null && found !== expected) throw conflictError(expected, found)
        await work(tx)
        await tx.objectStore('meta').put(found + 1, GENERATION)
        if (erase) await tx.objectStore('vault').put(true, 'due')
        await done
        if (erase) cleanLater()
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

  function cleanLater(): void {
    due = true
    clearTimeout(rest)
    if (canClean()) rest = setTimeout(cleanNow, REST)
  }

  function cleanNow(): void {
    cleaning = withLock(name, 'exclusive', async () => {
      await disconnect()
      await clean(name, open)
      due = false
    })
    // What fails is done after the next opening.
    cleaning.then(sweep).catch(() => {})
  }

  const empty = (tx: Writing) => Promise.all(ALL_STORES.filter(store => store !== 'vault').map(store => tx.objectStore(store).clear()))

  if (await run(db => db.get('vault', 'due'))) cleanLater()
  else sweep().catch(() => {}) // what somebody who was ended has left

  return {
    claim: key =>
      run(async db => {
        const tx = db.transaction(ALL_STORES, 'readwrite', { durability: 'strict' })
        const vault = tx.objectStore('vault')
        const free = (await readGeneration(tx)) === 0 && !(await vault.get('key'))
        if (free) await vault.put(key, 'key')
        await tx.done
        return free
      }),

    peek: () =>
      run(async db => {
        const tx = db.transaction(ALL_STORES)
        const stores = RECORD_STORE_NAMES.map(store => tx.objectStore(store).count())
        const [key, ...counts] = await Promise.all([tx.objectStore('vault').get('key'), ...stores])
        return { key, empty: counts.every(count => count === 0) }
      }),

    load: () => run(read),

    turn: work => withLock(name, 'turn', work),

    generation: () => run(db => readGeneration(db.transaction('meta'))),

    commit: (change, expected, vault) =>
      write(expected, change.erase ?? false, async tx => {
        if (vault?.fresh) await empty(tx)
        await Promise.all([apply(tx, change), vault && tx.objectStore('vault').put(vault.key, 'key')])
      }),

    clear: key => write(null, true, tx => Promise.all([empty(tx), key && tx.objectStore('vault').put(key, 'key')])),

    usage: async (): Promise<Usage> => {
      if (closed) throw closedError()
      const storage = globalThis.navigator?.storage
      const [estimate, persisted, sweeps] = await Promise.all([storage?.estimate?.(), storage?.persisted?.(), sweepsLeft()])
      return {
        used: estimate?.usage ?? null,
        quota: estimate?.quota ?? null,
        persisted: persisted ?? null,
        temporary: false,
        erasing: due || sweeps.length > 0,
      }
    },

    async close() {
      if (closed) return
      closed = true
      clearTimeout(rest)
      if (due && canClean()) cleanNow()
      await cleaning.catch(() => {})
      await disconnect()
    },
  }
}

/** Settles in bounded time: an open that waits behind another tab's upgrade or deletion gets no `blocked` event, so the clock runs from the start. */
function open(name: string, onClosed?: (reason: ClosedReason) => void, database = databaseName(name)): Promise<Database> {
  return new Promise((resolve, reject) => {
    let late = false
    const opening: Promise<Database> = openDB<Schema>(database, VERSION, {
      upgrade(db, from) {
        clearTimeout(clock) // it is our turn, and an upgrade may take its time
        upgrade(db, from)
      },
      blocking() {
        void opening.then(db => db.close())
        onClosed?.('upgrade')
      },
      terminated() {
        onClosed?.('terminated')
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

async function read(db: Database): Promise<Snapshot & { key?: unknown }> {
  const tx = db.transaction(ALL_STORES)
  const key = await tx.objectStore('vault').get('key')
  let quarantined = 0

  async function records<Name extends RecordStore>(name: Name): Promise<Schema[Name]['value'][]> {
    const { values: all } = await readAll(tx.objectStore(name))
    const whole = all.filter(record => (key ? isSealed(record) : RECORDS[name](record, false) === null))
    quarantined += all.length - whole.length
    return whole
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
  const meta = Object.fromEntries(names.map((key, i) => [key, values[i]] as const).filter(([key]) => typeof key === 'string'))
  const snapshot = { turns, beliefs, evidence, trails, vectors, labels, meta, generation }
  if (quarantined > 0) meta.quarantined = quarantined
  return key ? { ...snapshot, key } : sound(snapshot)
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
