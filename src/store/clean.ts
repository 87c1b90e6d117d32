/**
 * Getting what was erased out of the files of a database. Browsers append to files and tidy them up when it suits them; only a database that is
 * deleted is soon gone from them. So what is left is copied to a second database, the first is deleted, and what is left is copied back.
 */

import { openDB } from 'idb'
import { CredenceError } from '../errors.ts'
import { ALL_STORES, copyName, databaseName, GENERATION } from './schema.ts'
import { readAll } from './read-all.ts'
import type { Database } from './idb.ts'

/** Milliseconds to wait for a connection that does not give way. */
const PATIENCE = 10_000

type Open = (name: string, onClosed?: undefined, database?: string) => Promise<Database>

/** Without locks another tab could write to the database that is being replaced. */
export const canClean = (): boolean => Boolean(globalThis.navigator?.locks && indexedDB.databases)

export async function isCopyLeft(name: string): Promise<boolean> {
  return canClean() && (await indexedDB.databases()).some(found => found.name === copyName(name))
}

/** Nobody else may have the database in use. It can be ended at any moment: `restore` does the rest. */
export async function clean(name: string, open: Open): Promise<void> {
  await restore(name, open)
  await prepareSweep()
  const [from, copy] = [await open(name), await open(name, undefined, copyName(name))]
  await replace(from, copy)
  const whole = (await generation(copy)) === (await generation(from))
  copy.close()
  from.close()
  if (whole) await remove(databaseName(name))
  await restore(name, open)
}

/** Takes back the copy, if it is whole and the database is not, and deletes it. */
export async function restore(name: string, open: Open): Promise<void> {
  if (!(await isCopyLeft(name))) return
  const [copy, to] = [await open(name, undefined, copyName(name)), await open(name)]
  // A copy is written in one transaction, so it is whole or empty.
  if ((await generation(copy)) > (await generation(to))) await replace(copy, to)
  to.close()
  copy.close()
  await remove(copyName(name))
}

const generation = async (db: Database): Promise<number> => ((await db.get('meta', GENERATION)) as number | undefined) ?? 0

async function replace(from: Database, to: Database): Promise<void> {
  const reading = from.transaction(ALL_STORES)
  const contents = await Promise.all(ALL_STORES.map(async name => ({ name, ...(await readAll(reading.objectStore(name as 'turns'))) })))
  const tx = to.transaction(ALL_STORES, 'readwrite', { durability: 'strict' })
  await Promise.all([
    ...contents.flatMap(({ name, keys, values }) => {
      const store = tx.objectStore(name as 'turns') // what it holds does not matter here
      const cleared = store.clear()
      // A copy holds nothing that was erased.
      return [cleared, ...keys.map((key, i) => (key === 'due' ? undefined : store.put(values[i]!, key as number)))]
    }),
    tx.done,
  ])
}

/** Settles in bounded time. A deletion that comes later does no harm: the copy stays until what it holds is back. */
function remove(database: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(database)
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error)
    setTimeout(
      () => reject(new CredenceError('Blocked', 'another tab keeps the database from being cleaned; close the other tabs of this page')),
      PATIENCE,
    )
  })
}

/**
 * Databases that hold nothing, made before the copy and deleted after it, the last one longest after the one before. Chromium tidies up only those
 * of its files whose range of keys has the deleted database in it, and keys are in the order in which databases were made: of one made later, the
 * files with what was erased know nothing. Several, because a file goes one deletion after it has been tidied up, and because a write at the same
 * moment makes Chromium pass over one.
 */
const SWEEPS = [...'01234567'].map(round => `credence-sweep/${round}`)
/** Milliseconds before the first of these deletions; twice as many before each further one. */
const PAUSE = 100

async function prepareSweep(): Promise<void> {
  for (const name of SWEEPS) (await openDB(name)).close()
}

/** While there are any, files may hold what was erased from a database that is clean. */
export async function sweepsLeft(): Promise<string[]> {
  if (!canClean()) return []
  const names = new Set((await indexedDB.databases()).map(found => found.name))
  return SWEEPS.filter(name => names.has(name))
}

let sweeping = false

/** Deletes them one after another, also those left by somebody who was ended. */
export async function sweep(): Promise<void> {
  if (sweeping) return
  sweeping = true
  try {
    for (let [next] = await sweepsLeft(); next; [next] = await sweepsLeft()) {
      const pause = PAUSE * 2 ** SWEEPS.indexOf(next)
      await new Promise(resolve => setTimeout(resolve, pause))
      await remove(next)
    }
  } finally {
    sweeping = false
  }
}
