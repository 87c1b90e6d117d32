/** The worker's end of the line: answers the page's calls with memories that live here. */

import { CredenceError } from '../errors.ts'
import type { ServedMemory } from '../engine/index.ts'
import type { MemoryEvent, Progress, Turn } from '../memory.ts'
import {
  isEvent,
  isRequest,
  protocolVersion,
  repeatable,
  signalAt,
  type MemoryMethod,
  type Method,
  type Notice,
  type OpenOptions,
} from '../protocol.ts'
import { serve, type Perform } from '../serve.ts'
import { Idle } from './idle.ts'
import { Pool, type Lease } from './pool.ts'

/** Opens the memory that `host` serves. */
export type Opener = (options: OpenOptions, onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<ServedMemory>

export async function host(scope: DedicatedWorkerGlobalScope, open: Opener): Promise<void> {
  const send = (notice: Notice) => scope.postMessage(notice)
  const opened = new Map<string, Promise<Lease<ServedMemory>>>()
  /** Who asked, by the signal of the call: an engine that several share tells all of them of a recall. */
  const askers = new WeakMap<AbortSignal, string>()
  const relay = eventRelay(send, signal => askers.get(signal))

  const idle = new Idle()
  // All who open the same memory with the same options share one engine.
  const engines = new Pool<OpenOptions, ServedMemory>(
    async (options, onProgress, signal) => relay(await open(options, onProgress, signal), options.name),
    memory => {
      idle.drop(memory)
      return memory.close()
    },
  )

  const perform: Perform = async (handle, method, args, signal, onItem) => {
    if (method === 'open') {
      const taken = engines.take(args[0] as OpenOptions, progress => send({ credence: 'progress', memory: handle, progress }), signal)
      opened.set(handle, taken)
      await taken
      return
    }
    const opening = opened.get(handle)
    if (method === 'close') {
      opened.delete(handle)
      service.abort(handle)
      return (await opening)?.release()
    }
    const lease = await opening
    if (!lease) throw new CredenceError('WorkerFailed', `${method} was called before open`)
    const memory = lease.value
    askers.set(signal, handle)
    if (method === 'observeAll') {
      for (const turn of args[0] as Turn[]) {
        signal.throwIfAborted()
        onItem(await idle.during(memory, () => withLess('observe', () => memory.observe(turn, { signal }))))
      }
      return
    }
    // Opened with the old passphrase, it must not be had for that any more.
    if (method === 'changePassphrase') lease.retire()
    const run = async () => (memory[method] as (...args: unknown[]) => unknown)(...withSignal(method, args, signal))
    return idle.during(memory, () => withLess(method, run))
  }

  const service = serve(send, perform)
  scope.addEventListener('message', ({ data }) => isRequest(data) && service.receive(data))
  send({ credence: 'hello', protocol: protocolVersion, lock: await holdLock() })
}

/** What a model had no memory for is done again without that model, which was let go. */
async function withLess<T>(method: Method, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof CredenceError && error.code === 'OutOfMemory' && repeatable[method]) return act()
    throw error
  }
}

function withSignal(method: MemoryMethod, args: unknown[], signal: AbortSignal): unknown[] {
  const at = signalAt[method]
  const all = [...args]
  if (at !== undefined) all[at] = { ...(args[at] as object | undefined), signal }
  return all
}

/** Tells the page what is committed here, and what is committed by the engines of other workers: those of another release, or where there are no locks. */
function eventRelay(send: (notice: Notice) => void, askerOf: (signal: AbortSignal) => string | undefined) {
  const channels = new Map<string, BroadcastChannel>()

  function channelOf(name: string): BroadcastChannel {
    let channel = channels.get(name)
    if (!channel) {
      channel = new BroadcastChannel(`credence/events/${name}`)
      channel.onmessage = ({ data }) => isEvent(data) && data.type !== 'recalled' && send({ credence: 'event', name, event: data })
      channels.set(name, channel)
    }
    return channel
  }

  return (memory: ServedMemory, name: string): ServedMemory => {
    const channel = channelOf(name)
    memory.subscribe((event: MemoryEvent, call?: AbortSignal) => {
      if (event.type === 'recalled') {
        const asker = call && askerOf(call)
        if (asker !== undefined) send({ credence: 'event', name, memory: asker, event })
        return
      }
      send({ credence: 'event', name, event })
      channel.postMessage(event)
    })
    return memory
  }
}

/** A Web Lock held until the worker ends, so that the page learns of any end. Null where the context has none (it is not secure). */
function holdLock(): Promise<string | null> {
  const name = `credence/worker/${crypto.getRandomValues(new Uint32Array(4)).join('-')}`
  return new Promise(resolve => {
    const forever = () => {
      resolve(name)
      return new Promise<never>(() => {})
    }
    if (navigator.locks) navigator.locks.request(name, forever).catch(() => resolve(null))
    else resolve(null)
  })
}
