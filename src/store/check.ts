/** The shapes of stored records, for data that we did not just make: an import, or a database that something damaged. */

import type { Snapshot } from '../engine/ports.ts'
import type { ChangeKind, Role } from '../memory.ts'
import type { RecordStore } from './schema.ts'

/** Where a value is wrong (such as `[3].confidence`) and what should stand there. */
export interface Problem {
  path: string
  wanted: string
}

/** `strict` also refuses fields that the format does not have; a database may hold fields of a later release. */
export type Check = (value: unknown, strict: boolean) => Problem | null

const wrong = (wanted: string, path = ''): Problem => ({ path, wanted })
const within = (step: string, problem: Problem): Problem => ({ ...problem, path: step + problem.path })

const when =
  (wanted: string, right: (value: unknown) => boolean): Check =>
  value =>
    right(value) ? null : wrong(wanted)

const number = (wanted: string, right: (value: number) => boolean): Check =>
  when(wanted, value => typeof value === 'number' && Number.isFinite(value) && right(value))

/** As `observe` allows for a turn. */
const LONGEST = 1_000_000
export const text = when(`a string of at most ${LONGEST} UTF-16 units`, value => typeof value === 'string' && value.length <= LONGEST)
const flag = when('true or false', value => typeof value === 'boolean')
export const count = when('a whole number, 0 or greater', value => Number.isSafeInteger(value) && (value as number) >= 0)
const anyNumber = number('a finite number', () => true)
/** The greatest time a Date can hold. */
const time = number('a time in milliseconds since 1970', value => Math.abs(value) <= 8.64e15)
const confidence = number('a number greater than 0 and at most 1', value => value > 0 && value <= 1)
const share = number('a number from 0 to 1', value => value >= 0 && value <= 1)
const oneOf = (...values: unknown[]): Check =>
  when(`one of ${values.map(value => JSON.stringify(value)).join(', ')}`, v => values.includes(v))
/** Items and nothing else: a field of its own, such as `constructor`, would change what the methods of an array do. */
const isPlainArray = (value: unknown): value is any[] => Array.isArray(value) && Object.keys(value).length === value.length
const vector = when('a Float32Array', value => value instanceof Float32Array)
const span = when(
  'a pair of offsets [start, end] with 0 ≤ start ≤ end',
  value =>
    isPlainArray(value) && value.length === 2 && value.every(end => Number.isSafeInteger(end)) && 0 <= value[0] && value[0] <= value[1],
)

export const list =
  (item: Check): Check =>
  (value, strict) => {
    if (!isPlainArray(value)) return wrong('an array with nothing but its items')
    for (let i = 0; i < value.length; i++) {
      const problem = item(value[i], strict)
      if (problem) return within(`[${i}]`, problem)
    }
    return null
  }

/** Own fields only: a field that comes from a prototype is a missing one, and `__proto__` is an unknown one. */
export function fields(required: Record<string, Check>, optional: Record<string, Check> = {}): Check {
  return (value, strict) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong('an object')
    const record = value as Record<string, unknown>
    for (const key in required) {
      if (!Object.hasOwn(record, key)) return wrong('present', `.${key}`)
      const problem = required[key]!(record[key], strict)
      if (problem) return within(`.${key}`, problem)
    }
    for (const key in optional) {
      if (!Object.hasOwn(record, key) || record[key] === undefined) continue
      const problem = optional[key]!(record[key], strict)
      if (problem) return within(`.${key}`, problem)
    }
    if (!strict) return null
    const extra = Object.keys(record).find(key => !Object.hasOwn(required, key) && !Object.hasOwn(optional, key))
    return extra === undefined ? null : wrong('absent: the format has no such field', `.${extra.slice(0, 100)}`)
  }
}

/** As objects, so that the compiler finds a name that is missing here. */
const ROLES: Record<Role, true> = { user: true, assistant: true, system: true, tool: true }
const KINDS: Record<ChangeKind, true> = {
  created: true,
  reinforced: true,
  weakened: true,
  promoted: true,
  woken: true,
  pruned: true,
  expired: true,
  edited: true,
  pinned: true,
  unpinned: true,
  merged: true,
  retracted: true,
  forgotten: true,
}

export const RECORDS: Record<RecordStore, Check> = {
  turns: fields(
    {
      id: text,
      order: count,
      tick: count,
      role: oneOf(...Object.keys(ROLES)),
      text,
      at: time,
      passages: list(span),
    },
    { speaker: text, conversation: text, trusted: oneOf(false) },
  ),
  beliefs: fields(
    {
      id: text,
      text,
      kind: oneOf('fact', 'hypothesis'),
      origin: oneOf('explicit', 'latent'),
      confidence,
      topic: (value, strict) => (value === null ? null : text(value, strict)),
      createdAt: time,
      lastSupported: count,
      protected: flag,
      pinned: flag,
      supersedes: list(text),
    },
    {
      speaker: text,
      expiresAt: time,
      fades: fields({ from: time, halfLife: time }),
      instruction: flag,
      supersededBy: text,
      retracted: flag,
    },
  ),
  evidence: fields({ id: text, belief: text, turn: text, span, stance: oneOf('supports', 'contradicts'), strength: share, at: time }),
  trails: fields(
    {
      id: text,
      belief: text,
      tick: count,
      at: time,
      kind: oneOf(...Object.keys(KINDS)),
      confidence: share,
    },
    { replaced: text },
  ),
  vectors: fields({ key: text, stamp: text, data: vector }),
  labels: fields(
    { id: text, query: text, item: text, text, salienceAnswer: anyNumber, used: flag, at: time, features: list(anyNumber) },
    { answer: text },
  ),
}

/** A record of an encrypted database. */
export function isSealed(record: unknown): boolean {
  return typeof record === 'object' && record !== null && 'box' in record && record.box instanceof Uint8Array
}

/** What is whole: turns in their order, and nothing that hangs on a record that was left out as damaged. */
export function sound(snapshot: Snapshot): Snapshot {
  const turns = new Map(snapshot.turns.map(turn => [turn.id, turn]))
  const beliefs = new Set(snapshot.beliefs.map(belief => belief.id))
  return {
    ...snapshot,
    turns: snapshot.turns.sort((a, b) => a.order - b.order),
    evidence: snapshot.evidence.filter(item => beliefs.has(item.belief) && item.span[1] <= (turns.get(item.turn)?.text.length ?? -1)),
    trails: snapshot.trails.filter(point => beliefs.has(point.belief)),
  }
}
