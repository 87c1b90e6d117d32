/**
 * The line to one worker: it ends, and with it all that is pending, when the worker cannot start, ends in whatever way, or misses a deadline.
 */

import { CredenceError } from '../errors.ts'
import { isNotice, isRecord, protocolVersion, type Method, type Notice, type OpenOptions, type Request } from '../protocol.ts'
import { leaderChanged, Line, type Ears, type OnEvent } from './line.ts'

/** The handshake is on the clock like a call, and so is each model that is built while a memory opens. */
export type Step = Method | 'hello' | 'load'

const minute = 60
/**
 * Seconds that a call may take, counted from when it is the oldest one, and anew after each sign of progress. A deadline is for a worker that
 * hangs: even the smallest call may have to wait for a model that is loading on a slow device.
 */
export const deadlines: Readonly<Record<Step, number>> = {
  hello: minute,
  load: minute,
  open: 10 * minute,
  observe: 2 * minute,
  observeAll: 2 * minute,
  recall: 2 * minute,
  answer: 5 * minute,
  promptFor: minute,
  feedback: 5 * minute,
  resetLearning: minute,
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
  tidy: 60 * minute,
  export: 10 * minute,
  import: 10 * minute,
  toMarkdown: minute,
  status: minute,
  changePassphrase: 10 * minute,
  close: minute,
}

/** A long turn has many passages to read. */
const secondsPerCharacter = 1 / 500
const slice = 5
/** In a tab that nobody looks at, timers may run once a minute. A longer gap means that the computer or the page slept. */
const longestGap = 65

export interface GuardOptions {
  onEvent?: OnEvent
  /** Models begin to load in the worker, or have come to rest. */
  onLoading?: (models: string, on: boolean) => void
  /** Last word on how a memory is opened. */
  admit?: (options: OpenOptions) => OpenOptions
  deadlines?: Partial<Record<Step, number>>
}

export class Guard extends Line {
  readonly #worker: Worker
  readonly #options: GuardOptions
  /** What was asked for before the worker could listen; null from its hello on. */
  #waiting: Request[] | null = []
  /** A model is being built, which needs nothing from outside and holds the worker's thread. */
  #building = false
  #clock: ReturnType<typeof setTimeout> | undefined

  constructor(worker: Worker, options: GuardOptions = {}) {
    super(options.onEvent)
    this.#worker = worker
    this.#options = options
    const signal = this.ending
    worker.addEventListener('message', event => isNotice(event.data) && this.#onNotice(event.data), { signal })
    worker.addEventListener('error', event => this.#onError(event), { signal })
    worker.addEventListener(
      'messageerror',
      () => this.end(new CredenceError('WorkerFailed', 'a message of the worker could not be read')),
      { signal },
    )
    this.oldestChanged()
  }

  override open(memory: string, options: OpenOptions, ears?: Ears, signal?: AbortSignal): Promise<void> {
    return super.open(memory, this.#options.admit?.(options) ?? options, ears, signal)
  }

  protected send(request: Request): void {
    if (this.#waiting) this.#waiting.push(request)
    else this.deliver(request, message => this.#worker.postMessage(message))
  }

  protected dispose(): void {
    clearTimeout(this.#clock)
    this.#worker.terminate()
  }

  /** Only the oldest call is on the clock: the worker has one queue, and a call must not pay for those before it. */
  protected oldestChanged(): void {
    clearTimeout(this.#clock)
    if (this.ended) return
    const oldest = this.oldest?.method
    const step = this.#waiting ? 'hello' : oldest === 'open' && this.#building ? 'load' : oldest
    if (step !== undefined) this.#tick(step, secondsFor(step, this.oldest?.args, this.#options.deadlines))
  }

  /** Counted in slices, so that a computer that slept does not find its calls overdue. */
  #tick(step: Step, seconds: number): void {
    if (seconds <= 0) return this.#expire(step)
    const next = Math.min(seconds, slice)
    const since = performance.now()
    this.#clock = setTimeout(() => {
      const passed = (performance.now() - since) / 1000
      this.#tick(step, seconds - (passed > longestGap ? next : Math.max(passed, next)))
    }, next * 1000)
  }

  /** A worker that misses a deadline hangs, and nothing but its end can stop it. */
  #expire(step: Step): void {
    if (step === 'hello') {
      const message = 'the worker did not answer in time; see whether its script and all that it imports can be loaded'
      return this.end(new CredenceError('WorkerFailed', message))
    }
    // In Firefox it happens that the runtime's threads wait for each other for ever when they start; another time they do not.
    if (step === 'load') return this.end(leaderChanged('a model could not be loaded in time and its worker was ended', true))
    const message = `${step} took too long and its worker was ended; the next call starts a fresh one`
    this.fail(this.pending[0]!, new CredenceError('Deadline', message, { data: { method: step } }))
    this.end(new CredenceError('WorkerEnded', `the worker was ended because ${step} hung; call again`))
  }

  #onNotice(notice: Notice): void {
    if (notice.credence === 'hello') return this.#onHello(notice)
    if (notice.credence === 'loading') {
      // Of a load that was given up no progress is told any more.
      if (!notice.on) this.#building = false
      this.oldestChanged()
      return this.#options.onLoading?.(notice.models, notice.on)
    }
    if (notice.credence === 'progress' && notice.progress.stage === 'load') this.#building = notice.progress.done < notice.progress.total
    this.receive(notice)
  }

  #onHello({ protocol, lock }: Notice & { credence: 'hello' }): void {
    if (protocol !== protocolVersion) {
      const message = `the worker speaks protocol ${protocol}, this page ${protocolVersion}; serve both files from the same release`
      return this.end(new CredenceError('WorkerFailed', message))
    }
    if (lock) this.#watch(lock)
    const waiting = this.#waiting ?? []
    this.#waiting = null
    this.oldestChanged()
    for (const request of waiting) this.send(request)
  }

  /** No event tells that a worker closed itself or was killed; but its lock becomes free. */
  #watch(lock: string): void {
    const ended = () => this.end(new CredenceError('WorkerEnded', 'the worker ended while this call was pending; call again'))
    navigator.locks.request(lock, { signal: this.ending }, ended).catch(() => {})
  }

  #onError(event: Event): void {
    // An error that reaches a caller is handled; any other stays visible in the console.
    if (this.oldest) event.preventDefault()
    const { message, filename, lineno, error } = event as Partial<ErrorEvent>
    const reason = message
      ? `the worker threw outside a call: ${message}`
      : 'the worker script could not be loaded; see that it is served and that the Content-Security-Policy allows it (worker-src)'
    this.end(new CredenceError('WorkerFailed', reason, { cause: error ?? undefined, ...(message && { data: { filename, lineno } }) }))
  }
}

/** The deadline of a call. */
export function secondsFor(step: Step, args: unknown[] = [], own: GuardOptions['deadlines'] = {}): number {
  return (own[step] ?? deadlines[step]) + longestText(step, args) * secondsPerCharacter
}

/** Of the turns among the arguments, which another tab may have sent and nobody has checked yet. */
function longestText(step: Step, args: unknown[]): number {
  const turns = step === 'observe' ? args.slice(0, 1) : step === 'observeAll' && Array.isArray(args[0]) ? args[0] : []
  return turns.reduce<number>(
    (most, turn) => Math.max(most, isRecord(turn) && typeof turn['text'] === 'string' ? turn['text'].length : 0),
    0,
  )
}
