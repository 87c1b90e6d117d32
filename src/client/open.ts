/** The page's side of a memory: arguments are checked here, the work is done in the worker. */

import { abortError, CredenceError } from '../errors.ts'
import type { Memory, MemoryEvent, MemoryOptions, Status } from '../memory.ts'
import * as check from '../options.ts'
import { signalAt, type Answer, type Arguments, type MemoryMethod, type Method, type OpenOptions } from '../protocol.ts'
import { Guard, tell, type CallOptions } from './guard.ts'
import { observeAll } from './observe-all.ts'
import type { Place } from './place.ts'

/** The arguments of each method, checked and with their defaults; a signal is still among them. */
const checks: { [M in MemoryMethod]: (...args: Parameters<Memory[M]>) => unknown[] } = {
  observe: (turn, options) => [check.checkTurn(turn), check.checkObserveOptions(options)],
  recall: (query, options) => [check.checkQuery(query), check.checkRecallOptions(options)],
  augment: (messages, options) => [check.checkMessages(messages), check.checkAugmentOptions(options)],
  feedback: feedback => [check.checkFeedback(feedback)],
  beliefs: filter => [check.checkFilter(filter)],
  belief: id => [check.checkId(id)],
  history: id => [check.checkId(id)],
  explain: id => [check.checkId(id)],
  turn: id => [check.checkId(id)],
  edit: (id, text) => [check.checkId(id), check.checkText(text)],
  pin: (id, pinned) => [check.checkId(id), check.checkPinned(pinned)],
  retract: id => [check.checkId(id)],
  forget: target => [check.checkForget(target)],
  forgetAll: () => [],
  export: () => [],
  import: (data, mode) => [data, check.checkImportMode(mode)],
  toMarkdown: () => [],
  status: () => [],
}

export async function openAt(place: Place, options: MemoryOptions | undefined): Promise<Memory> {
  const { assets, onProgress, signal: opener, ...plain } = check.checkMemoryOptions(options)
  if (opener?.aborted) throw abortError(opener)
  if (typeof Worker === 'undefined') {
    throw new CredenceError('WorkerFailed', 'there are no workers here; call openMemory in a browser (to import it on a server is fine)')
  }
  const toOpen: OpenOptions = { ...plain, assets: assetsBase(place, assets) }
  const listeners = new Set<(event: MemoryEvent) => void>()
  const onEvent = (event: MemoryEvent) => {
    askToPersist()
    for (const listener of [...listeners]) tell(listener, event)
  }

  let guard: Guard
  let closing: Promise<void> | undefined

  function start(signal?: AbortSignal): Promise<void> {
    const started = (guard = new Guard(place.startWorker(), { onProgress, onEvent }))
    const opened = started.call('open', [toOpen], { signal })
    opened.catch(error => started.end(error))
    return opened
  }

  function refuseClosed(method: string): void {
    if (closing) throw new CredenceError('Closed', `${method} was called after close; open the memory again`)
  }

  async function call<M extends Method>(method: M, args: Arguments<M>, options?: CallOptions): Promise<Answer<M>> {
    refuseClosed(method)
    // A worker that ended is replaced at the next call: the database holds all that was committed.
    if (guard.ended) void start()
    return guard.call(method, args, options)
  }

  /** Without models memory works by words alone, which a developer who has misplaced the files should not have to find out by its answers. */
  async function warnOfMissing(): Promise<void> {
    // A memory that is closed before it answers has nothing to tell.
    const missing = await guard
      .call('status', [])
      .then(status => status.missing.filter(({ role, reason }) => plain.models?.[role] !== false && reason !== 'loading'))
      .catch((): Status['missing'] => [])
    if (missing.length > 0) {
      const reasons = missing.map(({ role, reason }) => `${role}: ${reason}`).join('; ')
      console.warn(`credence: memory works less well without these models, looked for under ${toOpen.assets}: ${reasons}`)
    }
  }

  await start(opener)
  void warnOfMissing()

  const methods = Object.entries(checks).map(([name, checked]) => {
    const method = name as MemoryMethod
    const run = async (...given: unknown[]) => {
      const args = (checked as (...given: unknown[]) => unknown[])(...given)
      const signal = takeSignal(method, args)
      return call(method, args as Arguments<typeof method>, { signal })
    }
    return [method, run]
  })
  const close = () => (closing ??= guard.close())
  return {
    ...(Object.fromEntries(methods) as Pick<Memory, MemoryMethod>),
    observeAll: (turns, options) =>
      observeAll((portion, signal, onItem) => call('observeAll', [portion], { signal, onItem }), turns, options),
    subscribe(listener) {
      refuseClosed('subscribe')
      check.checkListener(listener)
      // Given twice, it is called twice, and each end ends one.
      const own = (event: MemoryEvent) => listener(event)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    close,
    [asyncDispose()]: close,
  }
}

let asked = false

/** Once there is something to lose: asks the browser, once a page, not to evict it. Only a page can ask; the answer is shown by `status()`. */
function askToPersist(): void {
  if (asked) return
  asked = true
  void navigator.storage?.persist?.().catch(() => {})
}

/** Takes the signal out of the arguments, which are then plain data. */
function takeSignal(method: MemoryMethod, args: unknown[]): AbortSignal | undefined {
  const at = signalAt[method]
  if (at === undefined) return undefined
  const { signal, ...plain } = args[at] as { signal?: AbortSignal }
  args[at] = plain
  return signal
}

/** Absolute, as the worker has another base, and with a slash at its end. */
function assetsBase(place: Place, assets: string | URL | undefined): string {
  const base = globalThis.document?.baseURI ?? location.href
  if (assets !== undefined && !URL.canParse(assets, base)) {
    throw new CredenceError('InvalidArgument', 'assets is not a URL; give one such as "/assets/"', { data: { argument: 'assets' } })
  }
  const url = assets === undefined ? place.assets() : new URL(assets, base)
  if (url.protocol === 'file:' && location.protocol !== 'file:') {
    throw new CredenceError('InvalidArgument', 'assets must be given, as the bundler hides where the script lies', {
      data: { argument: 'assets' },
    })
  }
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}

/** Browsers without the symbol get the one that compilers put in its place. */
function asyncDispose(): typeof Symbol.asyncDispose {
  return Symbol.asyncDispose ?? (Symbol.for('Symbol.asyncDispose') as typeof Symbol.asyncDispose)
}
