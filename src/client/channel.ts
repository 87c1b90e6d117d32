/**
 * The line between tabs. One channel, which all tabs hear, is there to find each other: a leader says that it leads, another tab says that it wants
 * to be served. All else goes over a channel of these two, so that no other tab is woken by it.
 *
 * Whatever comes in is checked by its shape. A tab reaches the memories that it opened itself, by handles of its own, and no other.
 */

import { CredenceError } from '../errors.ts'
import { newId } from '../id.ts'
import { checkMemoryOptions } from '../options.ts'
import { isNotice, isRecord, isRequest, type Arguments, type Method, type Notice, type OpenOptions, type Request } from '../protocol.ts'
import { serve, type Service } from '../serve.ts'
import { leaderChanged, Line, type CallOptions, type OnEvent } from './line.ts'
import { Seat } from './seat.ts'

/** Seconds. */
export interface Timing {
  /** How long a tab looks for a leader; twice in vain, and it takes the lead itself. */
  patience: number
  /** How often a tab that waits for an answer asks for a sign of life. */
  beat: number
  /** How often it asks in vain before the leader counts as gone. */
  beats: number
}

export const timing: Timing = { patience: 6, beat: 3, beats: 3 }

type Up = { to: string } & (Request | { ping: number } | { bye: true })
type Down = { from: string } & (Notice | { welcome: true } | { pong: number; calls: number[] } | { gone: true })

const meeting = (scope: string) => `${scope}/tabs`
const between = (scope: string, id: string) => `${scope}/tab/${id}`

/** The asking end: a line to the tab that leads. */
export class Follower extends Line {
  readonly #timing: Timing
  readonly #leader: string
  readonly #meeting: BroadcastChannel
  readonly #own: BroadcastChannel
  readonly #letGo: () => void
  #beating: ReturnType<typeof setTimeout> | undefined
  #unanswered = 0
  #pings = 0
  /** The calls that were pending when the last sign of life was asked for. */
  #asked: number[] = []

  private constructor(own: BroadcastChannel, common: BroadcastChannel, leader: string, letGo: () => void, times: Timing, onEvent: OnEvent) {
    super(onEvent)
    this.#own = own
    this.#meeting = common
    this.#leader = leader
    this.#letGo = letGo
    this.#timing = times
    own.onmessage = ({ data }) => isRecord(data) && data['from'] === leader && this.#onMessage(data as Down)
    common.onmessage = ({ data }) => {
      if (isRecord(data) && typeof data['leading'] === 'string' && data['leading'] !== leader)
        this.end(leaderChanged('another tab took the lead'))
    }
  }

  /** Looks for the tab that leads. Undefined when none answers in time, or when the signal fires. */
  static async find(
    scope: string,
    names: string[],
    onEvent: OnEvent,
    options: { times: Timing; signal: AbortSignal },
  ): Promise<Follower | undefined> {
    const id = newId()
    const letGo = await holdLock(between(scope, id))
    const own = new BroadcastChannel(between(scope, id))
    const common = new BroadcastChannel(meeting(scope))
    const leader = await new Promise<string | undefined>(resolve => {
      const clock = setTimeout(resolve, options.times.patience * 1000)
      const done = (found?: string) => {
        clearTimeout(clock)
        resolve(found)
      }
      if (options.signal.aborted) done()
      options.signal.addEventListener('abort', () => done(), { once: true })
      const hello = () => common.postMessage({ hello: id, names })
      own.onmessage = ({ data }) => isRecord(data) && data['welcome'] === true && typeof data['from'] === 'string' && done(data['from'])
      common.onmessage = ({ data }) => isRecord(data) && typeof data['leading'] === 'string' && hello()
      hello()
    })
    if (leader !== undefined && !options.signal.aborted) return new Follower(own, common, leader, letGo, options.times, onEvent)
    own.close()
    common.close()
    letGo()
    return undefined
  }

  protected send(request: Request): void {
    this.deliver(request, message => this.#post(message))
  }

  protected dispose(): void {
    clearTimeout(this.#beating)
    this.#post({ bye: true })
    this.#own.close()
    this.#meeting.close()
    this.#letGo()
  }

  /** A leader that lives sees to it that every call ends in time. Whether it lives has to be asked, as long as something is pending. */
  protected oldestChanged(): void {
    this.#beating ??= setTimeout(() => this.#beat(), this.#timing.beat * 1000)
  }

  #beat(): void {
    this.#beating = undefined
    if (this.ended || !this.oldest) return
    if (this.#unanswered >= this.#timing.beats) return this.end(leaderChanged('the tab that did the work no longer answered'))
    this.#unanswered++
    this.#asked = this.pending
    this.#post({ ping: ++this.#pings })
    this.oldestChanged()
  }

  #onMessage(message: Down): void {
    this.#unanswered = 0
    if ('gone' in message) return this.end(leaderChanged('the tab that did the work went away', true))
    if ('pong' in message) {
      if (message.pong !== this.#pings || !Array.isArray(message.calls)) return
      // What the leader does not know of will never be answered.
      for (const call of this.#asked) if (!message.calls.includes(call)) this.fail(call, leaderChanged('the message was lost'))
      return
    }
    if (isNotice(message)) this.receive(message)
  }

  #post(message: Request | { ping: number } | { bye: true }): void {
    this.#own.postMessage({ to: this.#leader, ...message } satisfies Up)
  }
}

interface Client {
  channel: BroadcastChannel
  names: Set<string>
  seats: Map<string, Seat>
  service: Service
  /** Fires when the other tab is gone. */
  ending: AbortController
}

/** The answering end: what the tab that leads does for the others. */
export class Desk {
  readonly #scope: string
  readonly #lineOf: () => Line
  readonly #onIdle: () => void
  readonly #id = newId()
  readonly #meeting: BroadcastChannel
  readonly #clients = new Map<string, Client>()
  #closed = false

  /** `lineOf` gives the line to the worker; `onIdle` is called when the last memory of the others was closed. */
  constructor(scope: string, lineOf: () => Line, onIdle: () => void) {
    this.#scope = scope
    this.#lineOf = lineOf
    this.#onIdle = onIdle
    this.#meeting = new BroadcastChannel(meeting(scope))
    this.#meeting.onmessage = ({ data }) => this.#onHello(data)
    this.#meeting.postMessage({ leading: this.#id })
  }

  /** Whether others have memories open here. */
  get busy(): boolean {
    return [...this.#clients.values()].some(client => client.seats.size > 0)
  }

  /** To the tabs that have a memory of this name open. */
  tell: OnEvent = (name, event) => {
    for (const client of this.#clients.values()) if (client.names.has(name)) this.#post(client, { credence: 'event', name, event })
  }

  close(): void {
    this.#closed = true
    this.#meeting.close()
    for (const [id, client] of this.#clients) {
      this.#post(client, { gone: true })
      this.#drop(id)
    }
  }

  #onHello(data: unknown): void {
    if (!isRecord(data) || typeof data['hello'] !== 'string' || !/^[0-9a-f]{32}$/.test(data['hello']) || !Array.isArray(data['names']))
      return
    const id = data['hello']
    if (this.#clients.has(id)) return
    const channel = new BroadcastChannel(between(this.#scope, id))
    const ending = new AbortController()
    const names = new Set(data['names'].filter(name => typeof name === 'string'))
    const seats = new Map<string, Seat>()
    const service = serve(
      notice => this.#post(client, notice),
      (handle, method, args, signal, onItem) => this.#perform(client, handle, method, args, { signal, onItem }),
    )
    const client: Client = { channel, names, seats, service, ending }
    this.#clients.set(id, client)
    channel.onmessage = ({ data }) => isRecord(data) && data['to'] === this.#id && this.#onMessage(id, client, data)
    // The other tab holds this lock as long as it follows; when it is gone, however it went, the lock is ours.
    navigator.locks.request(between(this.#scope, id), { signal: ending.signal }, () => this.#drop(id)).catch(() => {})
    this.#post(client, { welcome: true })
  }

  #onMessage(id: string, client: Client, data: Record<string, unknown>): void {
    if (data['bye'] === true) return this.#drop(id)
    if (typeof data['ping'] === 'number') return this.#post(client, { pong: data['ping'], calls: client.service.running() })
    if (isRequest(data)) client.service.receive(data)
  }

  async #perform(client: Client, handle: string, method: Method, args: unknown[], options: CallOptions): Promise<unknown> {
    if (method === 'open') {
      const checked = checkOpenOptions(args[0])
      client.names.add(checked.name)
      const seat = new Seat(checked, {
        onProgress: progress => this.#post(client, { credence: 'progress', memory: handle, progress }),
        onRecall: event => this.#post(client, { credence: 'event', name: checked.name, memory: handle, event }),
      })
      client.seats.set(handle, seat)
      return seat.open(this.#lineOf(), options.signal).catch(error => {
        if (client.seats.get(handle) === seat) client.seats.delete(handle)
        throw error
      })
    }
    const seat = client.seats.get(handle)
    if (!seat) throw new CredenceError('WorkerFailed', `${method} was called before open`)
    if (method !== 'close') return seat.call(this.#lineOf(), method, args as Arguments<typeof method>, options)
    client.seats.delete(handle)
    client.service.abort(handle)
    await seat.close()
    if (!this.busy) this.#onIdle()
  }

  #drop(id: string): void {
    const client = this.#clients.get(id)
    if (!client) return
    this.#clients.delete(id)
    client.ending.abort()
    client.service.abort()
    client.channel.close()
    if (this.#closed) return
    for (const seat of client.seats.values()) void seat.close().catch(() => {})
    if (client.seats.size > 0 && !this.busy) this.#onIdle()
  }

  #post(client: Client, message: Notice | { welcome: true } | { pong: number; calls: number[] } | { gone: true }): void {
    if (!client.ending.signal.aborted) client.channel.postMessage({ from: this.#id, ...message } satisfies Down)
  }
}

/** What another tab asks to have opened; it has checked it, but anybody can send anything. */
function checkOpenOptions(given: unknown): OpenOptions {
  const { assets, ...plain } = checkMemoryOptions(given as OpenOptions)
  if (typeof assets !== 'string' || !URL.canParse(assets)) {
    throw new CredenceError('InvalidArgument', 'assets must be an absolute URL', { data: { argument: 'assets' } })
  }
  return { ...plain, assets }
}

/** Resolves with the function that lets go of it. */
function holdLock(name: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    navigator.locks.request(name, () => new Promise<void>(release => resolve(release))).catch(reject)
  })
}
