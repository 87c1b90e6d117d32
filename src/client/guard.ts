/**
 * One worker and the calls made to it. Every promise given out has an owner here: it settles when the worker answers, when its signal fires,
 * when its deadline passes, or when the worker ends in whatever way.
 */

import { wrap } from 'comlink'
import { decodeError } from '../codec.ts'
import { abortError, CredenceError } from '../errors.ts'
import type { MemoryEvent, Observation, Progress, Turn } from '../memory.ts'
import { isNotice, protocolVersion, type Answer, type Arguments, type Method, type Notice, type Remote } from '../protocol.ts'

/** The handshake counts as the first call. */
export type Step = Method | 'hello'

const minute = 60
/**
 * Seconds that a call may take, counted from when it is the oldest one, and anew after each sign of progress. A deadline is for a worker that
 * hangs: even the smallest call may have to wait for a model that is loading on a slow device.
 */
export const deadlines: Readonly<Record<Step, number>> = {
  hello: minute,
  open: 10 * minute,
  observe: 2 * minute,
  observeAll: 2 * minute,
  recall: 2 * minute,
  augment: 2 * minute,
  feedback: 5 * minute,
  beliefs: minute,
  belief: minute,
  history: minute,
  explain: minute,
  turn: minute,
  edit: 2 * minute,
  pin: minute,
  retract: minute,
  forget: 5 * minute,
  forgetAll: 10 * minute,
  export: 10 * minute,
  import: 10 * minute,
  toMarkdown: minute,
  status: minute,
  close: 10,
}

/** A long turn has many passages to read. */
const secondsPerCharacter = 1 / 500

interface Pending {
  step: Step
  seconds: number
  resolve(value: unknown): void
  reject(error: unknown): void
  onItem?: ((item: Observation) => void) | undefined
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  onItem?: ((item: Observation) => void) | undefined
}

export interface GuardOptions {
  onProgress?: ((progress: Progress) => void) | undefined
  onEvent?: (event: MemoryEvent) => void
  deadlines?: Partial<Record<Step, number>>
}

export class Guard {
  readonly #worker: Worker
  readonly #options: GuardOptions
  /** Kept for the worker's whole life: Comlink closes the connection of a proxy that was collected. */
  readonly #remote: Remote
  readonly #hello: Promise<unknown>
  /** In the order of the calls. */
  readonly #pending = new Map<number, Pending>()
  readonly #ending = new AbortController()
  #calls = 0
  #clock: ReturnType<typeof setTimeout> | undefined

  constructor(worker: Worker, options: GuardOptions = {}) {
    this.#worker = worker
    this.#options = options
    this.#remote = wrap<Remote>(worker) as unknown as Remote
    const { signal } = this.#ending
    worker.addEventListener('message', event => isNotice(event.data) && this.#onNotice(event.data), { signal })
    worker.addEventListener('error', event => this.#onError(event), { signal })
    worker.addEventListener(
      'messageerror',
      () => this.end(new CredenceError('WorkerFailed', 'a message of the worker could not be read')),
      { signal },
    )
    this.#hello = this.#wait(0, { step: 'hello', seconds: this.#deadline('hello') })
    this.#hello.catch(() => {})
  }

  /** True when no call can be made any more. */
  get ended(): boolean {
    return this.#ending.signal.aborted
  }

  call<M extends Method>(method: M, args: Arguments<M>, { signal, onItem }: CallOptions = {}): Promise<Answer<M>> {
    if (signal?.aborted) return Promise.reject(abortError(signal))
    if (this.ended) return Promise.reject(this.#ending.signal.reason)
    const call = ++this.#calls
    const abort = () => {
      this.#settle(call, { reject: abortError(signal!) })
      this.#hello.then(() => this.#remote.abort(call)).catch(() => {})
    }
    signal?.addEventListener('abort', abort)
    this.#hello
      .then(() => (this.#pending.has(call) ? this.#remote.run(call, method, args) : undefined))
      .then(
        outcome => outcome && this.#settle(call, 'error' in outcome ? { reject: decodeError(outcome.error) } : { resolve: outcome.value }),
        error => this.#settle(call, { reject: boundaryError(method, error) }),
      )
    const seconds = this.#deadline(method) + longestText(method, args) * secondsPerCharacter
    return this.#wait<Answer<M>>(call, { step: method, seconds, onItem }).finally(() => signal?.removeEventListener('abort', abort))
  }

  /** Rejects what is pending with `Closed`, gives the worker the time to close its database, and ends it. */
  async close(): Promise<void> {
    const closed = new CredenceError('Closed', 'the memory was closed while this call was pending')
    const greeted = !this.#pending.has(0)
    for (const call of [...this.#pending.keys()]) if (call > 0) this.#settle(call, { reject: closed })
    // The database is safe whenever the worker ends, so a worker that does not close in time is only ended.
    if (greeted) await this.call('close', []).catch(() => {})
    this.end(closed)
  }

  /** Ends the worker; what is pending, and what is called afterwards, rejects with `error`. */
  end(error: unknown): void {
    if (this.ended) return
    this.#ending.abort(error)
    this.#worker.terminate()
    clearTimeout(this.#clock)
    for (const { reject } of this.#pending.values()) reject(error)
    this.#pending.clear()
  }

  #wait<T>(call: number, pending: Omit<Pending, 'resolve' | 'reject'>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(call, { ...pending, resolve: resolve as (value: unknown) => void, reject })
      if (this.#pending.size === 1) this.#restartClock()
    })
  }

  #deadline(step: Step): number {
    return this.#options.deadlines?.[step] ?? deadlines[step]
  }

  #settle(call: number, result: { resolve: unknown } | { reject: unknown }): void {
    const pending = this.#pending.get(call)
    if (!pending) return
    const wasOldest = this.#isOldest(call)
    this.#pending.delete(call)
    if (wasOldest) this.#restartClock()
    if ('resolve' in result) pending.resolve(result.resolve)
    else pending.reject(result.reject)
  }

  #isOldest(call: number): boolean {
    const [oldest] = this.#pending.keys()
    return oldest === call
  }

  /** Only the oldest call is on the clock: the worker has one queue, and a call must not pay for those before it. */
  #restartClock(): void {
    clearTimeout(this.#clock)
    const [oldest] = this.#pending
    if (oldest) this.#tick(...oldest, oldest[1].seconds)
  }

  /** Counted in slices, so that a computer that slept does not find its calls overdue. */
  #tick(call: number, pending: Pending, seconds: number): void {
    if (seconds <= 0) return this.#expire(call, pending)
    const slice = Math.min(seconds, 5)
    this.#clock = setTimeout(() => this.#tick(call, pending, seconds - slice), slice * 1000)
  }

  /** A worker that misses a deadline hangs, and nothing but its end can stop it. */
  #expire(call: number, { step }: Pending): void {
    if (step === 'hello') {
      const message = 'the worker did not answer in time; see whether its script and all that it imports can be loaded'
      return this.end(new CredenceError('WorkerFailed', message))
    }
    const message = `${step} took too long and its worker was ended; the next call starts a fresh one`
    this.#settle(call, { reject: new CredenceError('Deadline', message, { data: { method: step } }) })
    this.end(new CredenceError('WorkerEnded', `the worker was ended because ${step} hung; call again`))
  }

  #onNotice(notice: Notice): void {
    switch (notice.credence) {
      case 'hello':
        if (notice.protocol !== protocolVersion) {
          const message = `the worker speaks protocol ${notice.protocol}, this page ${protocolVersion}; serve both files from the same release`
          return this.end(new CredenceError('WorkerFailed', message))
        }
        if (notice.lock) this.#watch(notice.lock)
        return this.#settle(0, { resolve: undefined })
      case 'progress':
        this.#restartClock()
        return tell(this.#options.onProgress, notice.progress)
      case 'item':
        if (this.#isOldest(notice.call)) this.#restartClock()
        return this.#pending.get(notice.call)?.onItem?.(notice.item)
      case 'event':
        return tell(this.#options.onEvent, notice.event)
    }
  }

  /** No event tells that a worker closed itself or was killed; but its lock becomes free. */
  #watch(lock: string): void {
    const ended = () => this.end(new CredenceError('WorkerEnded', 'the worker ended while this call was pending; call again'))
    navigator.locks.request(lock, { signal: this.#ending.signal }, ended).catch(() => {})
  }

  #onError(event: Event): void {
    // An error that reaches a caller is handled; any other stays visible in the console.
    if (this.#pending.size > 0) event.preventDefault()
    const { message, filename, lineno, error } = event as Partial<ErrorEvent>
    const reason = message
      ? `the worker threw outside a call: ${message}`
      : 'the worker script could not be loaded; see that it is served and that the Content-Security-Policy allows it (worker-src)'
    this.end(new CredenceError('WorkerFailed', reason, { cause: error ?? undefined, ...(message && { data: { filename, lineno } }) }))
  }
}

function longestText<M extends Method>(method: M, args: Arguments<M>): number {
  const turns = method === 'observe' ? [args[0] as Turn] : method === 'observeAll' ? (args[0] as Turn[]) : []
  return Math.max(0, ...turns.map(turn => turn.text.length))
}

/** Why Comlink could not carry a call or its answer. */
function boundaryError(method: Method, error: unknown): unknown {
  if (error instanceof CredenceError) return error
  if (error instanceof DOMException && error.name === 'DataCloneError') {
    return new CredenceError('InvalidArgument', `an argument of ${method} cannot be sent to the worker; give plain data only`, {
      cause: error,
    })
  }
  return new CredenceError('WorkerFailed', `the answer to ${method} could not be sent; please report it with its cause`, { cause: error })
}

/** A listener that throws is its owner's matter: it must not stop the others. */
export function tell<T>(listener: ((value: T) => void) | undefined, value: T): void {
  try {
    listener?.(value)
  } catch (error) {
    reportError(error)
  }
}
