/**
 * This tab among those of its origin. One of them leads: its worker holds the models and the memories of all. The others call it. A tab takes part as
 * long as it has a memory open, and not while its page is frozen or kept for going back to.
 */

import { version } from '../../package.json'
import { abortable } from '../abortable.ts'
import { CredenceError } from '../errors.ts'
import type { MemoryEvent, Progress } from '../memory.ts'
import { modelsKey, repeatable, type Answer, type Arguments, type Method, type OpenOptions } from '../protocol.ts'
import { Desk, Follower, timing, type Timing } from './channel.ts'
import { Deadlines } from './deadline.ts'
import { Election } from './election.ts'
import { Guard, secondsFor, type GuardOptions } from './guard.ts'
import { leaderChanged, tell, type CallOptions, type Ears, type Line } from './line.ts'
import * as loads from './loads.ts'
import type { Place } from './place.ts'
import { Seat } from './seat.ts'

const tabs = new WeakMap<Place, Tab>()

/** Pages have one; made at the first use, so that the library can be imported where there is no page. */
export function tabAt(place: Place): Tab {
  let tab = tabs.get(place)
  if (!tab) tabs.set(place, (tab = new Tab(place)))
  return tab
}

export interface TabOptions {
  /** Tabs of other releases are not served, as they may differ in anything. */
  scope?: string
  timing?: Timing
  deadlines?: GuardOptions['deadlines']
}

export class Tab {
  readonly place: Place
  readonly #scope: string
  readonly #timing: Timing
  readonly #deadlines: NonNullable<GuardOptions['deadlines']>
  readonly #pending = new Deadlines()
  readonly #election: Election
  readonly #members = new Set<Member>()
  #joining: Promise<void> | undefined
  /** Ends the search for a leader when this tab becomes it. */
  #searching: AbortController | undefined
  #follower: Follower | undefined
  #leads = false
  #guard: Guard | undefined
  #desk: Desk | undefined
  /** The models that are being loaded in our worker. */
  readonly #loading = new Set<string>()
  #present = Promise.resolve()
  #comeBack: (() => void) | undefined

  constructor(place: Place, options: TabOptions = {}) {
    this.place = place
    this.#scope = options.scope ?? `credence/${version}`
    this.#timing = options.timing ?? timing
    this.#deadlines = options.deadlines ?? {}
    this.#election = new Election(
      `${this.#scope}/leader`,
      () => this.#lead(),
      () => this.#stepDown('another tab took the lead'),
    )
    // Locks, channels and a worker would keep the browser from freezing the page, or from keeping it for going back to.
    addEventListener('pagehide', () => this.#goAway())
    addEventListener('pageshow', () => this.#return())
    globalThis.document?.addEventListener('freeze', () => this.#goAway())
    globalThis.document?.addEventListener('resume', () => this.#return())
  }

  /** Whether the work is done in this tab. */
  get leads(): boolean {
    return this.#leads
  }

  /** Opens a memory for this page. */
  async open(options: OpenOptions, ears: Ears & { onEvent(event: MemoryEvent): void }, signal?: AbortSignal): Promise<Member> {
    const member = new Member(this, options, ears)
    this.#members.add(member)
    try {
      await member.open(signal)
    } catch (error) {
      void this.leave(member)
      throw error
    }
    return member
  }

  /** Waits for the work of a call, at most as long as its deadline. */
  inTime<T>(method: Method, args: unknown[], work: (late: AbortSignal, restart: () => void) => Promise<T>): Promise<T> {
    return this.#pending.during(method, secondsFor(method, args, this.#deadlines), work)
  }

  /** Models are being fetched or loaded for a memory of this tab. */
  progressed(): void {
    this.#pending.restart()
  }

  /** For the last one it ends what this tab took part in. */
  async leave(member: Member): Promise<void> {
    if (!this.#members.delete(member)) return
    // The database is safe whenever the worker ends, so one that does not close in time is only ended.
    await Promise.race([member.seat.close().catch(() => {}), new Promise(resolve => setTimeout(resolve, 10_000))])
    this.#endIfIdle()
  }

  /** The line on which the work is done now. */
  async line(): Promise<Line> {
    for (;;) {
      const follower = await this.#place()
      if (follower) return follower
      if (this.#leads) return this.#ownLine()
    }
  }

  /** Finds its place: nothing when this tab leads, else the line to the tab that does. */
  async #place(): Promise<Follower | undefined> {
    for (;;) {
      await this.#present
      if (this.#members.size === 0) throw new CredenceError('Closed', 'the memory was closed')
      if (this.#leads) return undefined
      if (this.#follower && !this.#follower.ended) return this.#follower
      await (this.#joining ??= this.#join().finally(() => (this.#joining = undefined)))
    }
  }

  async #join(): Promise<void> {
    if (!navigator.locks || typeof BroadcastChannel === 'undefined') return this.#lead({ alone: true })
    try {
      await this.#election.tryNow()
      if (this.#leads || this.#resting) return
      this.#election.queue()
      if (await this.#follow()) return
      // It holds the lock and does not answer: it is frozen, or it hangs.
      const takeOver = async () => {
        if (!(await this.#follow())) await this.#election.take()
      }
      await this.#election.exclusively(takeOver, 3 * this.#timing.patience)
    } catch {
      // Locks that cannot be asked for, as in a sandboxed frame: every such page works alone.
      if (!this.#leads) this.#lead({ alone: true })
    }
  }

  async #follow(): Promise<boolean> {
    if (this.#leads || this.#resting) return true
    this.#searching = new AbortController()
    const names = [...this.#members].map(member => member.name)
    const options = { times: this.#timing, signal: this.#searching.signal }
    const found = await Follower.find(this.#scope, names, this.#onEvent, options)
    if (this.#leads || this.#resting) {
      found?.end(leaderChanged('this tab takes no part', true))
      return true
    }
    this.#follower = found
    // Without a line no event of the others would be heard.
    found?.ending.addEventListener('abort', () => this.#rejoin())
    return found !== undefined
  }

  /** Takes no part: no memory is open, or the page sleeps. */
  get #resting(): boolean {
    return this.#members.size === 0 || this.#comeBack !== undefined
  }

  #rejoin(): void {
    if (this.#members.size > 0) this.#place().catch(() => {})
  }

  #lead({ alone = false } = {}): void {
    if (this.#resting) return this.#election.resign()
    this.#leads = true
    this.#searching?.abort()
    this.#follower?.end(leaderChanged('the tab that did the work went away'))
    this.#follower = undefined
    if (!alone) {
      const lineOf = () => this.#ownLine()
      this.#desk = new Desk(this.#scope, lineOf, () => this.#endIfIdle())
    }
  }

  #stepDown(why: string): void {
    if (!this.#leads) return
    this.#leads = false
    this.#desk?.close()
    this.#desk = undefined
    for (const models of this.#loading) loads.givenUp(models)
    this.#loading.clear()
    this.#guard?.end(leaderChanged(why, true))
    this.#guard = undefined
    this.#rejoin()
  }

  /** A worker that ended is replaced at the next call: the database holds all that was committed. */
  #ownLine(): Guard {
    if (!this.#guard || this.#guard.ended) {
      this.#loading.clear()
      this.#guard = new Guard(this.place.startWorker(), {
        onEvent: (name, event) => {
          this.#onEvent(name, event)
          this.#desk?.tell(name, event)
        },
        onLoading: (models, on) => this.#onLoading(models, on),
        admit,
        deadlines: this.#deadlines,
      })
    }
    return this.#guard
  }

  #onLoading(models: string, on: boolean): void {
    if (on) {
      this.#loading.add(models)
      loads.began(models)
    } else if (this.#loading.delete(models)) loads.finished(models)
  }

  readonly #onEvent = (name: string, event: MemoryEvent): void => {
    for (const member of this.#members) if (member.name === name) member.tell(event)
  }

  #endIfIdle(): void {
    if (this.#members.size > 0 || this.#desk?.busy) return
    this.#stepDown('the tab that did the work went away')
    this.#withdraw('the memory was closed')
  }

  #withdraw(why: string): void {
    this.#searching?.abort()
    this.#follower?.end(leaderChanged(why, true))
    this.#follower = undefined
    this.#election.resign()
  }

  #goAway(): void {
    if (this.#comeBack) return
    this.#present = new Promise(resolve => (this.#comeBack = resolve))
    this.#stepDown('the page went to sleep')
    this.#withdraw('the page went to sleep')
  }

  #return(): void {
    if (!this.#comeBack) return
    this.#comeBack()
    this.#comeBack = undefined
    this.#rejoin()
  }
}

/** Leaves the models out when loading them seems to take the tab down. */
function admit(options: OpenOptions): OpenOptions {
  const withoutModels = loads.refusal(modelsKey(options))
  return withoutModels === undefined ? options : { ...options, withoutModels }
}

/** A memory that is open in this page. */
export class Member {
  readonly name: string
  readonly seat: Seat
  readonly #tab: Tab
  readonly #onEvent: (event: MemoryEvent) => void
  readonly #closing = new AbortController()

  constructor(tab: Tab, options: OpenOptions, { onEvent, ...ears }: Ears & { onEvent(event: MemoryEvent): void }) {
    this.#tab = tab
    this.name = options.name
    this.#onEvent = onEvent
    const onProgress = (progress: Progress) => {
      tab.progressed()
      tell(ears.onProgress, progress)
    }
    this.seat = new Seat(options, { onProgress, onRecall: onEvent })
  }

  tell(event: MemoryEvent): void {
    tell(this.#onEvent, event)
  }

  open(signal?: AbortSignal): Promise<void> {
    return this.#attempt('open', [], signal, (line, either) => this.seat.open(line, either))
  }

  call<M extends Method>(method: M, args: Arguments<M>, { signal, onItem }: CallOptions = {}): Promise<Answer<M>> {
    let seen = 0
    return this.#attempt(method, args, signal, (line, either, restart) => {
      // What was observed before the leader changed was told, and is not asked for again.
      const left = method === 'observeAll' ? ([(args[0] as unknown[]).slice(seen)] as Arguments<M>) : args
      return this.seat.call(line, method, left, {
        signal: either,
        onItem: onItem && (item => (seen++, restart(), onItem(item))),
      })
    })
  }

  /** Rejects what is pending with `Closed`. */
  async close(): Promise<void> {
    this.#closing.abort(new CredenceError('Closed', 'the memory was closed while this call was pending'))
    await this.#tab.leave(this)
  }

  /**
   * A call whose leader went away is made again, when that does no harm: once after one that went without a word, as the call may be what took it
   * down, and a few times after those that handed over.
   */
  #attempt<T>(
    method: Method,
    args: unknown[],
    signal: AbortSignal | undefined,
    act: (line: Line, signal: AbortSignal, restart: () => void) => Promise<T>,
  ): Promise<T> {
    return this.#tab.inTime(method, args, async (late, restart) => {
      const either = AbortSignal.any([this.#closing.signal, late, ...(signal ? [signal] : [])])
      for (let left = 4; ;) {
        const line = await abortable(this.#tab.line(), either)
        try {
          return await act(line, either, restart)
        } catch (error) {
          const changed = error instanceof CredenceError && error.code === 'LeaderChanged' && error
          if (!changed || !repeatable[method]) throw error
          left -= changed.data?.['orderly'] === true ? 1 : 3
          if (left < 0) throw error
        }
      }
    })
  }
}
