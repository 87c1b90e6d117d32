/** What the readers of the different formats share. Every value from a file is looked at as `unknown`, and own properties only. */

import type { Turn } from '../memory.ts'

/** Why something in the file did not become a turn. */
export type SkipReason =
  | 'system' // a system message
  | 'tool' // a call of a tool, or its output
  | 'hidden' // context the person did not write
  | 'other-branch' // an edited question or an answer asked again
  | 'image' // a part of a message; the message's text is kept
  | 'attachment' // another file or part; the message's text is kept
  | 'not-text' // a message of another kind: code run, thoughts, quotations from the web
  | 'empty'
  | 'too-long' // more than 1,000,000 UTF-16 units
  | 'unknown-role'
  | 'preamble' // text before the first message of a Markdown chat

/** Counts what is left out. Returns undefined, so that `return skip(…)` reads as "no turn". */
export type Skip = (reason: SkipReason) => undefined

/** One conversation, its turns in their order. */
export interface Conversation {
  /** When it began, milliseconds since 1970. */
  at: number | undefined
  turns: Turn[]
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An own property: a key such as `__proto__` or `constructor` in a file must not reach the prototype. */
export const own = (object: Record<string, unknown>, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined)

/** `observe` takes no longer text. */
export const tooLong = (text: string) => text.length > 1_000_000

/** Largest time a Date can hold. */
const latest = 8.64e15

/** A time as exports write it: seconds (up to 11 digits) or milliseconds since 1970, as number or digits, or an ISO 8601 string. */
export function millis(value: unknown): number | undefined {
  if (typeof value === 'string') return /^\d+(\.\d+)?$/.test(value) ? millis(Number(value)) : valid(Date.parse(value))
  if (typeof value !== 'number') return undefined
  return valid(Math.round(Math.abs(value) < 1e11 ? value * 1000 : value))
}

const valid = (time: number) => (Number.isFinite(time) && Math.abs(time) <= latest ? time : undefined)

/** Ids for messages without one: the same message of the same file gets the same id again, so that an import can be resumed or repeated. */
export class DerivedIds {
  readonly #seen = new Map<string, number>()

  next(turn: Turn): string {
    const hash = hash53(JSON.stringify([turn.conversation ?? '', turn.role ?? '', turn.speaker ?? '', turn.text]))
    const count = (this.#seen.get(hash) ?? 0) + 1
    this.#seen.set(hash, count)
    return `imported-${hash}-${count}`
  }
}

/** cyrb53: 53 bits are enough to tell the messages of one person apart, and need no asynchronous digest. */
export function hash53(text: string): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 2654435761)
    b = Math.imul(b ^ unit, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36)
}
