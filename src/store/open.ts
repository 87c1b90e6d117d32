/** The store of a worker: IndexedDB, encrypted with a passphrase, or memory alone where the browser gives no storage. */

import { CredenceError } from '../errors.ts'
import type { Store } from '../engine/ports.ts'
import { openIdbStore, type IdbStore } from './idb.ts'
import { openMemoryStore } from './memory.ts'
import { lock, unlock, type KeyRecord } from './vault.ts'

export interface StoreOptions {
  passphrase?: string
  /** Nothing is written, not even the key of a memory that is not there yet. */
  readOnly?: boolean
}

/** Besides the errors of `openIdbStore`, rejects with `PassphraseNeeded`, `WrongPassphrase` or `NotEncrypted`. */
export async function openStore(name: string, { passphrase, readOnly = false }: StoreOptions = {}): Promise<Store> {
  let inner: IdbStore
  try {
    inner = await openIdbStore(name)
  } catch (error) {
    if (isWithoutStorage(error)) return openMemoryStore()
    throw error
  }
  try {
    const { key, empty } = await inner.peek()
    if (passphrase === undefined) {
      if (key) throw needed()
      return plain(inner)
    }
    if (key) return await unlock(inner, passphrase, key as KeyRecord)
    if (!empty) {
      const message = 'this memory is not encrypted; open it without a passphrase, and call changePassphrase to encrypt it'
      throw new CredenceError('NotEncrypted', message)
    }
    return readOnly ? plain(inner) : await lock(inner, passphrase)
  } catch (error) {
    await inner.close()
    throw error
  }
}

/** Until it gets a passphrase. */
function plain(inner: IdbStore): Store {
  let encrypted: Store | undefined
  const open = {
    ...inner,
    async load() {
      const { key, ...snapshot } = await inner.load()
      if (key) throw needed()
      return snapshot
    },
  }
  return {
    load: () => (encrypted ?? open).load(),
    turn: work => inner.turn(work),
    generation: () => inner.generation(),
    commit: (change, expected) => (encrypted ?? open).commit(change, expected),
    clear: () => (encrypted ?? open).clear(),
    usage: () => inner.usage(),
    get encrypted() {
      return encrypted !== undefined
    },
    async changePassphrase(passphrase) {
      if (encrypted) return encrypted.changePassphrase(passphrase)
      encrypted = await lock(inner, passphrase)
    },
    close: () => inner.close(),
  }
}

const needed = () => new CredenceError('PassphraseNeeded', 'this memory is encrypted; open it with its passphrase')

/** Blocked by the person, by a frame's sandbox or by a private window. */
function isWithoutStorage(error: unknown): boolean {
  if (!('indexedDB' in globalThis) || globalThis.indexedDB === null) return true
  const cause = error instanceof CredenceError ? error.cause : error
  return cause instanceof DOMException && (cause.name === 'SecurityError' || cause.name === 'InvalidStateError')
}
