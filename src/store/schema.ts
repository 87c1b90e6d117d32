/** The database: one for each name, so that memories of different names cannot mix. */

import type { DBSchema, IDBPDatabase } from 'idb'
import type { Belief, Evidence } from '../memory.ts'
import type { LabelRecord, TrailRecord, TurnRecord, VectorRecord } from '../engine/ports.ts'

/**
 * Records are kept under a running number, so that reading a store from its start gives them in the order of insertion; the unique index `id`
 * finds them by their own id. There are no other indexes: the bank is read whole at opening, and each index would make every write slower.
 */
interface Numbered<Value> {
  key: number
  value: Value
  indexes: { id: string }
}

export interface Schema extends DBSchema {
  turns: Numbered<TurnRecord>
  beliefs: Numbered<Belief>
  evidence: Numbered<Evidence>
  trails: Numbered<TrailRecord>
  vectors: Numbered<VectorRecord>
  labels: Numbered<LabelRecord>
  /** Values of `Meta` under their names, and our own under `GENERATION`, which no name can equal. */
  meta: { key: string | [string]; value: unknown }
  /** `key`: how an encrypted database is unlocked. `due`: set while files of the database may hold what was erased. */
  vault: { key: 'key' | 'due'; value: unknown }
}

export const GENERATION: [string] = ['generation']

/** Field that names a record, by store. */
export const RECORD_STORES = { turns: 'id', beliefs: 'id', evidence: 'id', trails: 'id', vectors: 'key', labels: 'id' } as const
export type RecordStore = keyof typeof RECORD_STORES
export const RECORD_STORE_NAMES = Object.keys(RECORD_STORES) as RecordStore[]
export const ALL_STORES = [...RECORD_STORE_NAMES, 'meta', 'vault'] as const

export const databaseName = (name: string): string => `credence/${name}`
/** Of the copy that is made while a database is cleaned. */
export const copyName = (name: string): string => `credence-copy/${name}`

/** `UPGRADES[v]` takes a database from version v to v + 1. Never change one that was released: add the next. */
const UPGRADES: ((db: IDBPDatabase<Schema>) => void)[] = [
  db => {
    for (const name of RECORD_STORE_NAMES) {
      db.createObjectStore(name, { autoIncrement: true }).createIndex('id', RECORD_STORES[name], { unique: true })
    }
    db.createObjectStore('meta')
  },
  // Databases may be encrypted: releases that know nothing of it must not open them.
  db => void db.createObjectStore('vault'),
]

export const VERSION = UPGRADES.length

export function upgrade(db: IDBPDatabase<Schema>, from: number): void {
  for (const step of UPGRADES.slice(from)) step(db)
}
