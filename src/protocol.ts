/**
 * Everything that crosses the boundary between page and worker.
 *
 * The worker speaks first: `hello`, once it can be called, so that no call is lost while its script loads. Then the page calls `Remote` through
 * Comlink, and the worker sends notices on the same port. Only plain data crosses: a signal travels as `abort` with the number of the call,
 * progress, items and events travel as notices, and errors as `EncodedError`, since Comlink itself would lose their class.
 */

import type { CheckedMemoryOptions } from './options.ts'
import type { EncodedError } from './codec.ts'
import type { Memory, MemoryEvent, Observation, Progress, Turn } from './memory.ts'

/** Page and worker must come from the same build; this counts changes of the boundary. */
export const protocolVersion = 1

/** What `openMemory` was given, as plain data. */
export type OpenOptions = Omit<CheckedMemoryOptions, 'assets' | 'onProgress' | 'signal'> & { assets: string }

/** Methods of `Memory` that are one question and one answer. */
export type MemoryMethod = Exclude<keyof Memory, 'observeAll' | 'subscribe' | 'close' | typeof Symbol.asyncDispose>

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

/** Which argument holds the options with the signal, for the methods that take one. */
export const signalAt: { readonly [M in Method]?: number } = { observe: 1, recall: 1, augment: 1, feedback: 0 }

export type Outcome<T = unknown> = { value: T } | { error: EncodedError }

/** What the worker exposes. `call` counts the page's calls from 1. Neither method rejects. */
export interface Remote {
  run<M extends Method>(call: number, method: M, args: Arguments<M>): Promise<Outcome<Answer<M>>>
  abort(call: number): void
}

export type Notice =
  /** `lock` names a Web Lock that the worker holds as long as it lives; null where there are none. */
  | { credence: 'hello'; protocol: number; lock: string | null }
  | { credence: 'progress'; progress: Progress }
  | { credence: 'item'; call: number; item: Observation }
  | { credence: 'event'; event: MemoryEvent }

export function isNotice(data: unknown): data is Notice {
  return typeof data === 'object' && data !== null && 'credence' in data
}
