/**
 * Everything that crosses a boundary: between a page and its worker, and between the tab that leads and the others.
 *
 * Both are the same line. The asking end sends requests, the answering end sends notices. The worker speaks first: `hello`, once it can be
 * called, so that no request is lost while its script loads. Only plain data crosses: a signal travels as `abort` with the number of the call,
 * progress, items and events travel as notices, and errors as `EncodedError`.
 */

import type { EncodedError } from './codec.ts'
import { keyOf } from './key.ts'
import type { Memory, MemoryEvent, MemoryOptions, Observation, Progress, Turn } from './memory.ts'
import type { CheckedMemoryOptions } from './options.ts'

/** Page and worker must come from the same build; this counts changes of the boundary. */
export const protocolVersion = 4

/** What `openMemory` was given, as plain data. */
export type OpenOptions = Omit<CheckedMemoryOptions, 'assets' | 'onProgress' | 'signal'> & {
  assets: string
  /** Set by the tab that leads when no model shall be loaded: the reason, as `status()` tells it. */
  withoutModels?: string
}

/** Names a choice of models, by what decides about the memory that they take. */
export const modelsKey = ({ models = {}, device, languages = [] }: Pick<MemoryOptions, 'models' | 'device' | 'languages'>): string =>
  keyOf({ models, device, languages })

/** Methods of `Memory` that are one question and one answer of their own: `augment` is a recall. */
export type MemoryMethod = Exclude<keyof Memory, 'augment' | 'observeAll' | 'subscribe' | 'close' | typeof Symbol.asyncDispose>

/** An options object as it is sent: without what cannot be cloned. */
type Plain<T> = T extends { signal?: AbortSignal } ? Omit<T, 'signal'> : T
type PlainAll<A extends unknown[]> = { [I in keyof A]: Plain<A[I]> }

export type Calls = { [M in MemoryMethod]: (...args: PlainAll<Parameters<Memory[M]>>) => Awaited<ReturnType<Memory[M]>> } & {
  open(options: OpenOptions): void
  /** One portion of an import; its observations come as `item` notices. */
  observeAll(turns: Turn[]): void
  close(): void
}
export type Method = keyof Calls
export type Arguments<M extends Method> = Parameters<Calls[M]>
export type Answer<M extends Method> = ReturnType<Calls[M]>

/**
 * Whether a call may be made again when it is not known what became of it: `true` for what reads, and for turns, which are known by their ids.
 * Doing any other act twice would not be the same as once.
 */
export const repeatable: Readonly<Record<Method, boolean>> = {
  open: true,
  observe: true,
  observeAll: true,
  recall: true,
  answer: true,
  promptFor: true,
  feedback: false,
  resetLearning: false,
  beliefs: true,
  belief: true,
  history: true,
  explain: true,
  turn: true,
  edit: false,
  pin: false,
  retract: false,
  forget: false,
  forgetAll: false,
  tidy: true,
  export: true,
  import: false,
  toMarkdown: true,
  status: true,
  changePassphrase: false,
  close: true,
}

/** Which argument holds the options with the signal, for the methods that take one. */
export const signalAt: { readonly [M in Method]?: number } = { observe: 1, recall: 1, answer: 1, feedback: 0, tidy: 0, import: 2 }

export type Outcome<T = unknown> = { value: T } | { error: EncodedError }

/** `call` counts the calls of one line from 1. `memory` is the handle under which the memory was opened on this line, and reaches no other. */
export type Request = { call: number; memory: string; method: Method; args: unknown[] } | { abort: number }

export type Notice =
  /** `lock` names a Web Lock that the worker holds as long as it lives; null where there are none. */
  | { credence: 'hello'; protocol: number; lock: string | null }
  | { credence: 'answer'; call: number; outcome: Outcome }
  | { credence: 'item'; call: number; item: Observation }
  | { credence: 'progress'; memory: string; progress: Progress }
  /** A commit, for all who have a memory of this name open; or, with `memory`, a recall, for the one that asked. */
  | { credence: 'event'; name: string; memory?: string; event: MemoryEvent }
  /** These models begin to load, or have all been loaded or given up. */
  | { credence: 'loading'; models: string; on: boolean }

export function isRequest(data: unknown): data is Request {
  if (!isRecord(data)) return false
  if ('abort' in data) return isCount(data['abort'])
  const { call, memory, method, args } = data
  return (
    isCount(call) && typeof memory === 'string' && typeof method === 'string' && Object.hasOwn(repeatable, method) && Array.isArray(args)
  )
}

export function isNotice(data: unknown): data is Notice {
  if (!isRecord(data)) return false
  switch (data['credence']) {
    case 'hello':
      return typeof data['protocol'] === 'number'
    case 'answer':
      return isCount(data['call']) && isOutcome(data['outcome'])
    case 'item':
      return isCount(data['call']) && isRecord(data['item'])
    case 'progress':
      return typeof data['memory'] === 'string' && isRecord(data['progress'])
    case 'event':
      return typeof data['name'] === 'string' && isEvent(data['event'])
    case 'loading':
      return typeof data['models'] === 'string' && typeof data['on'] === 'boolean'
    default:
      return false
  }
}

export function isEvent(data: unknown): data is MemoryEvent {
  return isRecord(data) && typeof data['type'] === 'string' && Array.isArray(data['changes'])
}

function isOutcome(data: unknown): data is Outcome {
  if (!isRecord(data)) return false
  const { error } = data
  return error === undefined
    ? 'value' in data
    : isRecord(error) && typeof error['name'] === 'string' && typeof error['message'] === 'string'
}

export function isRecord(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0
