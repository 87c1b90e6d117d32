/**
 * A memory for a Manifest V3 extension. Its service worker can start no worker and is ended when idle, so an offscreen document holds the memory;
 * the service worker only wakes that document, and every part of the extension talks to it over a `chrome.runtime` port, as JSON.
 *
 *     offscreen.js            serveMemory(openMemory({ assets: '/assets/' }))
 *     service-worker.js       const memory = relayMemory('offscreen.html')
 *     popup.js, content.js    const memory = connectMemory()
 *
 * The port of a part that was ended, or of a document that was closed, is replaced at the next call.
 */

import { decodeError, encodeError, type EncodedError } from '../codec.ts'
import { abortError, CredenceError } from '../errors.ts'
import type { Memory, MemoryEvent, Observation, Progress, Turn } from '../memory.ts'
import { signalAt, type MemoryMethod } from '../protocol.ts'

/** What is used of `chrome.runtime.Port`. */
interface Port {
  name: string
  postMessage(message: unknown): void
  disconnect(): void
  onMessage: { addListener(listener: (message: never) => void): void }
  onDisconnect: { addListener(listener: () => void): void }
}

/** What is used of `chrome`, with the permission `offscreen`. */
interface Extension {
  runtime: {
    connect(info: { name: string }): Port
    sendMessage(message: unknown): Promise<unknown>
    getURL(path: string): string
    getContexts(filter: { contextTypes: string[] }): Promise<unknown[]>
    onConnect: { addListener(listener: (port: Port) => void): void }
    onMessage: { addListener(listener: (message: unknown, sender: unknown, respond: (answer: unknown) => void) => boolean): void }
  }
  offscreen: { createDocument(options: { url: string; reasons: string[]; justification: string }): Promise<void> }
}

type Request = { call: number; method: string; args: unknown[] } | { abort: number }
type Reply = { call: number; value: unknown } | { call: number; error: EncodedError } | { event: MemoryEvent }

const portName = 'credence'
const wakeMessage = 'credence/wake'
/** These end or stream something, so each side does them itself. */
const ownMethods = ['observeAll', 'subscribe', 'close']

const extension = () => (globalThis as unknown as { chrome: Extension }).chrome

/** In the offscreen document: lets the other parts of the extension use the memory. Pages and other extensions cannot connect. */
export function serveMemory(memory: Memory | PromiseLike<Memory>): void {
  extension().runtime.onConnect.addListener(port => {
    if (port.name === portName) answer(port, memory)
  })
}

/** In the service worker: wakes the offscreen document at `url` for the other parts, and gives the service worker the memory too. */
export function relayMemory(url: string): Memory {
  let waking: Promise<void> | undefined
  const wake = () => (waking ??= ensureDocument(url).finally(() => (waking = undefined)))
  extension().runtime.onMessage.addListener((message, _sender, respond) => {
    if (message !== wakeMessage) return false
    wake().then(
      () => respond({}),
      error => respond({ error: String(error) }),
    )
    return true // the answer comes later
  })
  return connected(wake)
}

/** In a popup, side panel, options page or content script: the memory that the offscreen document serves. `close` only ends this connection. */
export function connectMemory(): Memory {
  return connected(async () => {
    const answered = (await extension().runtime.sendMessage(wakeMessage)) as { error?: string } | undefined
    if (answered && answered.error === undefined) return
    throw new CredenceError('WorkerFailed', 'the offscreen document could not be opened; call relayMemory in the service worker', {
      ...(answered && { data: { reason: answered.error } }),
    })
  })
}

async function ensureDocument(url: string): Promise<void> {
  const { runtime, offscreen } = extension()
  const open = async () => (await runtime.getContexts({ contextTypes: ['OFFSCREEN_DOCUMENT'] })).length > 0
  if (await open()) return
  const options = { url: runtime.getURL(url), reasons: ['WORKERS'], justification: 'The memory works in a worker.' }
  // A document that another part of the extension opened meanwhile is as good.
  await offscreen.createDocument(options).catch(async error => {
    if (!(await open())) throw error
  })
}

function answer(port: Port, opening: Memory | PromiseLike<Memory>): void {
  const running = new Map<number, AbortController>()
  let connected = true
  const send = (reply: Reply) => connected && port.postMessage(reply)

  async function run(call: number, method: string, args: unknown[]): Promise<void> {
    const controller = new AbortController()
    running.set(call, controller)
    try {
      const memory = await opening
      const act = ownMethods.includes(method) || method in Object.prototype ? undefined : memory[method as MemoryMethod]
      if (typeof act !== 'function') throw new CredenceError('InvalidArgument', 'the memory has no such method', { data: { method } })
      const at = signalAt[method as MemoryMethod]
      if (at !== undefined) args[at] = { ...(args[at] as object | null | undefined), signal: controller.signal }
      send({ call, value: await (act as (...args: unknown[]) => unknown).apply(memory, args) })
    } catch (error) {
      send({ call, error: encodeError(error) })
    } finally {
      running.delete(call)
    }
  }

  port.onMessage.addListener((request: Request) => {
    if ('abort' in request) running.get(request.abort)?.abort()
    else void run(request.call, request.method, request.args)
  })
  const unsubscribe = Promise.resolve(opening).then(memory => {
    // What is asked in one part of the extension does not go to the others.
    return memory.subscribe(event => event.type !== 'recalled' && send({ event }))
  })
  unsubscribe.catch(() => {}) // every call says why the memory could not be opened
  port.onDisconnect.addListener(() => {
    connected = false
    for (const controller of running.values()) controller.abort()
    void unsubscribe.then(end => end()).catch(() => {})
  })
}

function connected(wake: () => Promise<void>): Memory {
  const listeners = new Set<(event: MemoryEvent) => void>()
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>()
  let opening: Promise<Port> | undefined
  let calls = 0
  let closed = false

  async function connect(): Promise<Port> {
    await wake()
    const port = extension().runtime.connect({ name: portName })
    port.onMessage.addListener((reply: Reply) => {
      if ('event' in reply) for (const listener of [...listeners]) listener(reply.event)
      else if ('error' in reply) settle(reply.call)?.reject(decodeError(reply.error))
      else settle(reply.call)?.resolve(reply.value)
    })
    port.onDisconnect.addListener(() => lose(new CredenceError('WorkerEnded', 'the offscreen document went away; call again')))
    return port
  }

  function settle(call: number) {
    const found = pending.get(call)
    pending.delete(call)
    return found
  }

  function lose(error: unknown): void {
    opening = undefined
    for (const call of [...pending.keys()]) settle(call)?.reject(error)
  }

  function port(): Promise<Port> {
    opening ??= connect().catch(error => {
      opening = undefined
      throw error
    })
    return opening
  }

  async function run(method: string, given: unknown[]): Promise<unknown> {
    if (closed) throw new CredenceError('Closed', `${method} was called after close; connect again`)
    const at = signalAt[method as MemoryMethod]
    const args = [...given]
    const { signal, ...plain } = (at === undefined ? {} : (args[at] ?? {})) as { signal?: AbortSignal }
    if (at !== undefined) args[at] = plain
    if (signal?.aborted) throw abortError(signal)
    const call = ++calls
    const to = await port()
    return new Promise((resolve, reject) => {
      const abort = () => {
        settle(call)?.reject(abortError(signal!))
        to.postMessage({ abort: call })
      }
      signal?.addEventListener('abort', abort)
      const end = () => signal?.removeEventListener('abort', abort)
      pending.set(call, {
        resolve: value => (end(), resolve(value)),
        reject: error => (end(), reject(error)),
      })
      try {
        to.postMessage({ call, method, args } satisfies Request)
      } catch (cause) {
        const gone = new CredenceError('WorkerEnded', 'the offscreen document went away; call again', { cause })
        const unsendable = new CredenceError('InvalidArgument', `an argument of ${method} cannot be sent as JSON; give plain data only`, {
          cause,
        })
        settle(call)?.reject(opening === undefined ? gone : unsendable)
      }
    })
  }

  const close = async () => {
    closed = true
    const open = opening
    lose(new CredenceError('Closed', 'the connection was closed while this call was pending'))
    await open?.then(port => port.disconnect()).catch(() => {})
  }

  const own: Pick<Memory, 'observeAll' | 'subscribe' | 'close' | typeof Symbol.asyncDispose> = {
    observeAll: (turns, options = {}) => observeEach((turn, signal) => memory.observe(turn, signal ? { signal } : {}), turns, options),
    subscribe(listener) {
      const one = (event: MemoryEvent) => listener(event)
      listeners.add(one)
      void port().catch(() => {}) // the next call says why
      return () => void listeners.delete(one)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
  const memory = new Proxy(own as Memory, {
    get(target, name) {
      // A promise that resolves to this memory would take a method `then` for its own.
      if (name in target || typeof name === 'symbol' || name === 'then') return Reflect.get(target, name) as unknown
      return (...args: unknown[]) => run(name, args)
    },
  })
  return memory
}

async function* observeEach(
  observe: (turn: Turn, signal: AbortSignal | undefined) => Promise<Observation>,
  turns: Iterable<Turn> | AsyncIterable<Turn>,
  { signal, onProgress, total = 0 }: { signal?: AbortSignal; onProgress?: (progress: Progress) => void; total?: number },
): AsyncGenerator<Observation, void, undefined> {
  let done = 0
  for await (const turn of turns) {
    const observation = await observe(turn, signal)
    done++
    onProgress?.({ stage: 'import', item: observation.turn, done, total: Math.max(total, done) })
    yield observation
  }
}
