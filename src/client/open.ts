/** The page's side of a memory: arguments are checked here, the work is done in a worker, of this tab or of another. */

import { abortError, CredenceError } from '../errors.ts'
import type { Memory, MemoryEvent, MemoryOptions, Status } from '../memory.ts'
import { augmentBy } from '../messages.ts'
import * as check from '../options.ts'
import { signalAt, type Answer, type Arguments, type MemoryMethod, type Method, type OpenOptions } from '../protocol.ts'
import { newId } from '../id.ts'
import { tell, type CallOptions } from './line.ts'
import { isKnown, markKnown } from './known.ts'
import { observeAll } from './observe-all.ts'
import type { Place } from './place.ts'
import { Tab, tabAt } from './tab.ts'

/** The arguments of each method, checked and with their defaults; a signal is still among them. */
const checks: { [M in MemoryMethod]: (...args: Parameters<Memory[M]>) => unknown[] } = {
  observe: (turn, options) => [identified(check.checkTurn(turn)), check.checkSignal(options, 'observe')],
  recall: (query, options) => [check.checkQuery(query), check.checkRecallOptions(options)],
  answer: (query, options) => [check.checkQuery(query), check.checkAnswerOptions(options)],
  promptFor: (items, budget) => [check.checkItems(items), check.checkBudget(budget)],
  feedback: feedback => [check.checkFeedback(feedback)],
  resetLearning: () => [],
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
  tidy: options => [check.checkSignal(options, 'tidy')],
  export: () => [],
  import: (data, mode, options) => [data, check.checkImportMode(mode), check.checkSignal(options, 'import')],
  toMarkdown: () => [],
  status: () => [],
  changePassphrase: passphrase => [check.checkPassphrase(passphrase)],
}

/** All memories opened at one place share the tab's worker. */
export async function openAt(place: Place | Tab, options: MemoryOptions | undefined): Promise<Memory> {
  const { assets, onProgress, signal: opener, ...plain } = check.checkMemoryOptions(options)
  if (opener?.aborted) throw abortError(opener)
  if (typeof Worker === 'undefined') {
    throw new CredenceError('WorkerFailed', 'there are no workers here; call openMemory in a browser (to import it on a server is fine)')
  }
  const tab = place instanceof Tab ? place : tabAt(place)
  const toOpen: OpenOptions = { ...plain, assets: assetsBase(tab.place, assets) }
  const listeners = new Set<(event: MemoryEvent) => void>()
  const onEvent = (event: MemoryEvent) => {
    if (event.type !== 'recalled') {
      askToPersist()
      markKnown(toOpen.name)
    }
    for (const listener of [...listeners]) tell(listener, event)
  }

  const known = isKnown(toOpen.name)
  const member = await tab.open(toOpen, { onProgress, onEvent }, opener)
  let closing: Promise<void> | undefined

  function refuseClosed(method: string): void {
    if (closing) throw new CredenceError('Closed', `${method} was called after close; open the memory again`)
  }

  async function call<M extends Method>(method: M, args: Arguments<M>, options?: CallOptions): Promise<Answer<M>> {
    refuseClosed(method)
    return member.call(method, args, options)
  }

  /** As it was found. */
  const first = member.call('status', [])

  /** Without models memory works by words alone, which a developer who has misplaced the files should not have to find out by its answers. */
  async function warnOfMissing(): Promise<void> {
    // A memory that is closed before it answers has nothing to tell.
    const missing = await first
      .then(status => status.missing.filter(({ role, reason }) => plain.models?.[role] !== false && reason !== 'loading'))
      .catch((): Status['missing'] => [])
    if (missing.length > 0) {
      const reasons = missing.map(({ role, reason }) => `${role}: ${reason}`).join('; ')
      console.warn(`credence: memory works less well without these models, looked for under ${toOpen.assets}: ${reasons}`)
    }
  }

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
  const inWorker = Object.fromEntries(methods) as Pick<Memory, MemoryMethod>
  const close = () => (closing ??= member.close())
  return {
    ...inWorker,
    // The messages stay here, as they may hold what cannot be sent.
    augment: (messages, options) => augmentBy(inWorker.recall, messages, options),
    async status() {
      const [now, found] = await Promise.all([inWorker.status(), first.catch(() => undefined)])
      return { ...now, storage: { ...now.storage, evicted: known && found?.storage.evicted === true }, leader: tab.leads }
    },
    observeAll: (turns, options) =>
      observeAll((portion, signal, onItem) => call('observeAll', [portion.map(identified)], { signal, onItem }), turns, options),
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

/** A turn without an id gets one here, so that it can be sent once more when the tab that does the work goes away. */
function identified<T extends { id?: string }>(turn: T): T & { id: string } {
  return { ...turn, id: turn.id ?? newId() }
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
