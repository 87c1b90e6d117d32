/**
 * Encryption at rest: a layer over the store. Every record is sealed with AES-GCM under a random data key, and filed under a keyed hash of its id.
 * The data key lies in the database, itself sealed under a key that PBKDF2 makes from the passphrase. Nothing is searched in the database: the
 * engine reads all of it when it opens, and builds its indexes in memory.
 */

import { CredenceError } from '../errors.ts'
import type { Change, Meta, Snapshot, Store } from '../engine/ports.ts'
import { RECORDS, sound } from './check.ts'
import { conflictError, storeError } from './failure.ts'
import type { IdbStore } from './idb.ts'
import { RECORD_STORE_NAMES, RECORD_STORES, type RecordStore } from './schema.ts'

/** OWASP's Password Storage Cheat Sheet, for PBKDF2 with HMAC-SHA-256. Kept with each key, so that it can grow. */
export const ITERATIONS = 600_000
/** Records in work at once. */
const BATCH = 2_000

type Bytes = Uint8Array<ArrayBuffer>

/** What lies in the database. */
export interface KeyRecord {
  /** Tells one data key from another. */
  id: string
  iterations: number
  salt: Bytes
  /** The data key, sealed. */
  box: Bytes
}

interface Keys {
  record: KeyRecord
  /** From the passphrase. */
  outer: CryptoKey
  seal: CryptoKey
  hash: CryptoKey
}

interface Sealed {
  box: Bytes
}

const utf8 = new TextEncoder()
const random = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))

/** Opens an encrypted database. Rejects with `WrongPassphrase`. */
export async function unlock(inner: IdbStore, passphrase: string, record: KeyRecord): Promise<Store> {
  return vault(inner, await keysOf(record, await outerKey(passphrase, record)))
}

/** Encrypts a database that is not, in one transaction. */
export async function lock(inner: IdbStore, passphrase: string): Promise<Store> {
  const keys = await freshKeys(passphrase)
  const { generation, key, ...plain } = await inner.load()
  if (key) throw conflictError(generation, generation)
  if (generation === 0) {
    if (!(await inner.claim(keys.record))) throw conflictError(0, 1)
    return vault(inner, keys)
  }
  const { quarantined: _damaged, ...meta } = plain.meta
  const put = await sealAll(keys, { ...plain, meta })
  await inner.commit({ put, erase: true }, generation, { key: keys.record, fresh: true })
  return vault(inner, keys)
}

function vault(inner: IdbStore, first: Keys): Store {
  let keys = first

  return {
    ...inner,
    encrypted: true,

    async load() {
      const { key, ...sealed } = await inner.load()
      // An empty database without a key is one that the browser has taken away.
      if (key) await adopt(key as KeyRecord)
      else if (sealed.turns.length + sealed.beliefs.length > 0)
        throw new CredenceError('NotEncrypted', 'another tab put a memory here that is not encrypted; reload the page')
      return openAll(keys, sealed)
    },

    async commit(change, expected) {
      const sealed = await sealChange(keys, change)
      return inner.commit(sealed, expected, { key: keys.record })
    },

    async clear() {
      // With a fresh key, what old files still hold is nobody's.
      keys = await keysOf(await renewed(keys), keys.outer)
      return inner.clear(keys.record)
    },

    async changePassphrase(passphrase) {
      const raw = await decrypt(keys.outer, keys.record.box, keys.record.id)
      const salt = random(16)
      const outer = await outerKey(passphrase, { salt, iterations: ITERATIONS })
      const record = { ...keys.record, salt, iterations: ITERATIONS, box: await encrypt(outer, raw, keys.record.id) }
      await inner.commit({ erase: true }, await inner.generation(), { key: record })
      keys = { ...keys, record, outer }
    },
  }

  /** Another tab may have changed the passphrase, which leaves the data key, or erased all, which does not. */
  async function adopt(record: KeyRecord): Promise<void> {
    keys = record.id === keys.record.id ? { ...keys, record } : await keysOf(record, keys.outer)
  }
}

async function freshKeys(passphrase: string): Promise<Keys> {
  const salt = random(16)
  const outer = await outerKey(passphrase, { salt, iterations: ITERATIONS })
  return keysOf(await renewed({ outer, record: { salt, iterations: ITERATIONS } }), outer)
}

/** A record of a new data key. */
async function renewed({ outer, record }: { outer: CryptoKey; record: Pick<KeyRecord, 'salt' | 'iterations'> }): Promise<KeyRecord> {
  const id = base64(random(12))
  return { id, salt: record.salt, iterations: record.iterations, box: await encrypt(outer, random(64), id) }
}

async function outerKey(passphrase: string, { salt, iterations }: Pick<KeyRecord, 'salt' | 'iterations'>): Promise<CryptoKey> {
  // The same word must be the same on every keyboard.
  const material = await crypto.subtle.importKey('raw', utf8.encode(passphrase.normalize('NFKC')), 'PBKDF2', false, ['deriveKey'])
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations }
  return crypto.subtle.deriveKey(how, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

async function keysOf(record: KeyRecord, outer: CryptoKey): Promise<Keys> {
  let raw: Bytes
  try {
    raw = await decrypt(outer, record.box, record.id)
  } catch (cause) {
    throw new CredenceError('WrongPassphrase', 'the passphrase does not open this memory; without the right one it cannot be read', {
      cause,
    })
  }
  const seal = await crypto.subtle.importKey('raw', raw.slice(0, 32), 'AES-GCM', false, ['encrypt', 'decrypt'])
  const hash = await crypto.subtle.importKey('raw', raw.slice(32), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  raw.fill(0)
  return { record, outer, seal, hash }
}

/** A fresh nonce, then the text with its mark. `place` must be the same when it is decrypted: a box cannot be moved. */
async function encrypt(key: CryptoKey, data: Bytes, place: string): Promise<Bytes> {
  const iv = random(12)
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: utf8.encode(place) }, key, data)
  const box = new Uint8Array(12 + sealed.byteLength)
  box.set(iv)
  box.set(new Uint8Array(sealed), 12)
  return box
}

async function decrypt(key: CryptoKey, box: Bytes, place: string): Promise<Bytes> {
  const how = { name: 'AES-GCM', iv: box.subarray(0, 12), additionalData: utf8.encode(place) }
  return new Uint8Array(await crypto.subtle.decrypt(how, key, box.subarray(12)))
}

/** What a record is filed under. */
async function token(keys: Keys, store: string, id: string): Promise<string> {
  // JSON, for ids that are not well-formed Unicode.
  const mac = await crypto.subtle.sign('HMAC', keys.hash, utf8.encode(`${store}/${JSON.stringify(id)}`))
  return base64(new Uint8Array(mac).subarray(0, 16))
}

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

async function sealChange(keys: Keys, { put, remove, erase }: Change): Promise<Change> {
  const names = [...RECORD_STORE_NAMES, 'meta'] as const
  const gone = await Promise.all(names.map(async name => [name, await batched(remove?.[name] ?? [], id => token(keys, name, id))] as const))
  return { put: put && (await sealAll(keys, put)), remove: Object.fromEntries(gone), ...(erase && { erase }) } as Change
}

async function sealAll(keys: Keys, put: NonNullable<Change['put']>): Promise<NonNullable<Change['put']>> {
  let copy: typeof put
  try {
    copy = structuredClone(put) // what cannot be stored must not be dropped without a word
  } catch (cause) {
    throw storeError(cause)
  }
  const sealed: Record<string, unknown> = {}
  for (const name of RECORD_STORE_NAMES) {
    const field = RECORD_STORES[name]
    sealed[name] = await batched((copy[name] ?? []) as object[], async record => {
      const filed = await token(keys, name, (record as Record<string, string>)[field]!)
      return { [field]: filed, box: await encrypt(keys.seal, pack(record), `${name}/${filed}`) }
    })
  }
  const meta = await batched(Object.entries(copy.meta ?? {}), async entry => {
    const filed = await token(keys, 'meta', entry[0])
    return [filed, { box: await encrypt(keys.seal, pack({ entry }), `meta/${filed}`) }] as const
  })
  return { ...sealed, meta: Object.fromEntries(meta) }
}

/** What does not open, or is not what it should be, is left out and counted. */
async function openAll(keys: Keys, sealed: Snapshot): Promise<Snapshot> {
  let quarantined = typeof sealed.meta.quarantined === 'number' ? sealed.meta.quarantined : 0
  async function unseal(name: string, filed: string, value: Sealed): Promise<object | null> {
    try {
      return unpack(await decrypt(keys.seal, value.box, `${name}/${filed}`))
    } catch {
      return null
    }
  }
  const lists: Record<string, unknown[]> = {}
  for (const name of RECORD_STORE_NAMES) {
    const field = RECORD_STORES[name]
    const opened = await batched(sealed[name] as unknown as (Sealed & Record<string, string>)[], record =>
      unseal(name, record[field]!, record),
    )
    lists[name] = opened.filter(record => record !== null && RECORDS[name as RecordStore](record, false) === null)
    quarantined += opened.length - lists[name].length
  }
  const { quarantined: _damaged, ...named } = sealed.meta
  const opened = await batched(Object.entries(named), ([filed, value]) => unseal('meta', filed, value as Sealed))
  const entries = opened.flatMap(found => (found ? [(found as { entry: [string, unknown] }).entry] : []))
  quarantined += opened.length - entries.length
  const meta: Meta = Object.fromEntries(entries)
  if (quarantined > 0) meta.quarantined = quarantined
  return sound({ ...lists, meta, generation: sealed.generation } as unknown as Snapshot)
}

/** JSON; the numbers of a vector follow as they are. */
function pack(record: object): Bytes {
  const { data, ...rest } = record as { data?: unknown }
  const numbers = data instanceof Float32Array ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array()
  const json = utf8.encode(JSON.stringify(data instanceof Float32Array ? rest : record))
  const packed = new Uint8Array(4 + json.length + numbers.length)
  new DataView(packed.buffer).setUint32(0, json.length)
  packed.set(json, 4)
  packed.set(numbers, 4 + json.length)
  return packed
}

function unpack(packed: Bytes): object {
  const end = 4 + new DataView(packed.buffer).getUint32(0)
  const record = JSON.parse(new TextDecoder().decode(packed.subarray(4, end))) as object
  return Object.hasOwn(record, 'stamp') ? { ...record, data: new Float32Array(packed.slice(end).buffer) } : record
}

async function batched<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let i = 0; i < items.length; i += BATCH) results.push(...(await Promise.all(items.slice(i, i + BATCH).map(work))))
  return results
}
