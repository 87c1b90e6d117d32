/**
 * The asking end of a line, to a worker or to the tab that leads. Every promise given out has an owner here: it settles when the answer comes,
 * when its signal fires, or when the line ends.
 */

import { decodeError } from '../codec.ts'
import { abortError, CredenceError } from '../errors.ts'
import type { MemoryEvent, Observation, Progress } from '../memory.ts'
import type { Answer, Arguments, Method, Notice, OpenOptions, Request } from '../protocol.ts'

export interface CallOptions {
  signal?: AbortSignal | undefined
  onItem?: ((item: Observation) => void) | undefined
}

/** What one who opens a memory wants to hear of it. */
export interface Ears {
  onProgress?: ((progress: Progress) => void) | undefined
  /** A recall that was asked for by this one. */
  onRecall?: ((event: MemoryEvent) => void) | undefined
}

/** A commit to the memory of this name. */
export type OnEvent = (name: string, event: MemoryEvent) => void

/**
 * Another worker does the work from now on. `orderly` when the tab that led said itself that it stops, or its worker was ended on purpose: then the call
 * is not what took it down.
 */
export const leaderChanged = (what: string, orderly = false): CredenceError =>
  new CredenceError(
    'LeaderChanged',
    `${what} while this call was pending, and it may have been carried out or not; see what holds now, and call again if need be`,
    { data: { orderly } },
  )

interface Pending {
  method: Method
  args: unknown[]
  resolve(value: unknown): void
  reject(error: unknown): void
  onItem?: ((item: Observation) => void) | undefined
}

export abstract class Line {
  readonly #onEvent: OnEvent | undefined
  /** In the order of the calls. */
  readonly #pending = new Map<number, Pending>()
  readonly #ears = new Map<string, Ears>()
  readonly #ending = new AbortController()
  #calls = 0

  constructor(onEvent?: OnEvent) {
    this.#onEvent = onEvent
  }

  /** Fires when no call can be made any more; its reason is what calls reject with then. */
  get ending(): AbortSignal {
    return this.#ending.signal
  }

  get ended(): boolean {
    return this.ending.aborted
  }

  /** Opens a memory under a handle of the caller's own. Calls may be made at once: they wait for it. */
  open(memory: string, options: OpenOptions, ears: Ears = {}, signal?: AbortSignal): Promise<void> {
    this.#ears.set(memory, ears)
    return this.call(memory, 'open', [options], { signal })
  }

  /** Ends what `open` began; the line goes on for the other memories. */
  close(memory: string): Promise<void> {
    return this.call(memory, 'close', []).finally(() => this.#ears.delete(memory))
  }

  call<M extends Method>(memory: string, method: M, args: Arguments<M>, { signal, onItem }: CallOptions = {}): Promise<Answer<M>> {
    if (signal?.aborted) return Promise.reject(abortError(signal))
    if (this.ended) return Promise.reject(this.ending.reason)
    const call = ++this.#calls
    const abort = () => {
      this.#settle(call, { reject: abortError(signal!) })
      this.send({ abort: call })
    }
    signal?.addEventListener('abort', abort)
    const answer = new Promise<Answer<M>>((resolve, reject) => {
      this.#pending.set(call, { method, args, resolve: resolve as (value: unknown) => void, reject, onItem })
    })
    this.send({ call, memory, method, args })
    if (this.#isOldest(call)) this.oldestChanged()
    return answer.finally(() => signal?.removeEventListener('abort', abort))
  }

  /** What is pending, and what is called afterwards, rejects with `error`. */
  end(error: unknown): void {
    if (this.ended) return
    this.#ending.abort(error)
    this.dispose()
    for (const { reject } of this.#pending.values()) reject(error)
    this.#pending.clear()
  }

  /** Sends, now or when the other end can listen; must not throw. */
  protected abstract send(request: Request): void
  /** Lets go of the other end. */
  protected abstract dispose(): void
  /** Another call is the oldest one now, or none is left, or the oldest showed a sign of life. */
  protected abstract oldestChanged(): void

  protected get oldest(): { method: Method; args: unknown[] } | undefined {
    const [oldest] = this.#pending.values()
    return oldest
  }

  protected get pending(): number[] {
    return [...this.#pending.keys()]
  }

  /** For `send`: hands over what is still wanted, and settles what cannot be sent. */
  protected deliver(request: Request, post: (request: Request) => void): void {
    if (this.ended || ('call' in request && !this.#pending.has(request.call))) return
    try {
      post(request)
    } catch (cause) {
      if (!('call' in request)) return
      const message = `an argument of ${request.method} cannot be sent to the worker; give plain data only`
      this.#settle(request.call, { reject: new CredenceError('InvalidArgument', message, { cause }) })
    }
  }

  protected receive(notice: Notice): void {
    switch (notice.credence) {
      case 'answer': {
        const { call, outcome } = notice
        return this.#settle(call, 'error' in outcome ? { reject: decodeError(outcome.error) } : { resolve: outcome.value })
      }
      case 'item':
        if (this.#isOldest(notice.call)) this.oldestChanged()
        return this.#pending.get(notice.call)?.onItem?.(notice.item)
      case 'progress':
        this.oldestChanged()
        return tell(this.#ears.get(notice.memory)?.onProgress, notice.progress)
      case 'event':
        if (notice.memory === undefined) this.#onEvent?.(notice.name, notice.event)
        else tell(this.#ears.get(notice.memory)?.onRecall, notice.event)
    }
  }

  /** Rejects one call, when it is still pending. */
  protected fail(call: number, error: unknown): void {
    this.#settle(call, { reject: error })
  }

  #settle(call: number, result: { resolve: unknown } | { reject: unknown }): void {
    const pending = this.#pending.get(call)
    if (!pending) return
    const wasOldest = this.#isOldest(call)
    this.#pending.delete(call)
    if (wasOldest) this.oldestChanged()
    if ('resolve' in result) pending.resolve(result.resolve)
    else pending.reject(result.reject)
  }

  #isOldest(call: number): boolean {
    const [oldest] = this.#pending.keys()
    return oldest === call
  }
}

/** A listener that throws is its owner's matter: it must not stop the others. */
export function tell<T>(listener: ((value: T) => void) | undefined, value: T): void {
  try {
    listener?.(value)
  } catch (error) {
    reportError(error)
  }
}
