/** The worker's side of the boundary: answers the page's calls with a memory that lives here. */

import { expose } from 'comlink'
import { encodeError } from '../codec.ts'
import { CredenceError } from '../errors.ts'
import type { Memory, MemoryEvent, Progress } from '../memory.ts'
import {
  protocolVersion,
  signalAt,
  type Calls,
  type MemoryMethod,
  type Method,
  type Notice,
  type OpenOptions,
  type Outcome,
  type Remote,
} from '../protocol.ts'

/** Opens the memory that `host` serves. */
export type Opener = (options: OpenOptions, onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<Memory>

export async function host(scope: DedicatedWorkerGlobalScope, open: Opener): Promise<void> {
  const running = new Map<number, AbortController>()
  const send = (notice: Notice) => scope.postMessage(notice)
  let opened: Promise<Memory> | undefined

  async function perform(call: number, method: Method, args: unknown[], signal: AbortSignal): Promise<unknown> {
    if (method === 'open') {
      const options = args[0] as OpenOptions
      opened = open(options, progress => send({ credence: 'progress', progress }), signal)
      relayEvents(await opened, options.name, send)
      return
    }
    if (!opened) throw new CredenceError('WorkerFailed', `${method} was called before open`)
    if (method === 'close') {
      for (const [other, controller] of running) if (other !== call) controller.abort()
      return (await opened).close()
    }
    const memory = await opened
    if (method === 'observeAll') {
      const [turns] = args as Parameters<Calls['observeAll']>
      for await (const item of memory.observeAll(turns, { signal })) send({ credence: 'item', call, item })
      return
    }
    return (memory[method] as (...args: unknown[]) => unknown)(...withSignal(method, args, signal))
  }

  const remote: Remote = {
    async run(call, method, args): Promise<Outcome<never>> {
      const controller = new AbortController()
      running.set(call, controller)
      try {
        return { value: (await perform(call, method, args, controller.signal)) as never }
      } catch (error) {
        return { error: encodeError(error) }
      } finally {
        running.delete(call)
      }
    },
    abort: call => running.get(call)?.abort(),
  }
  expose(remote, scope)
  send({ credence: 'hello', protocol: protocolVersion, lock: await holdLock() })
}

function withSignal(method: MemoryMethod, args: unknown[], signal: AbortSignal): unknown[] {
  const at = signalAt[method]
  const all = [...args]
  if (at !== undefined) all[at] = { ...(args[at] as object | undefined), signal }
  return all
}

/** To the page and to the other tabs, and from those to the page. */
function relayEvents(memory: Memory, name: string, send: (notice: Notice) => void): void {
  const tabs = new BroadcastChannel(`credence/${name}`)
  tabs.onmessage = ({ data }: MessageEvent<MemoryEvent>) => send({ credence: 'event', event: data })
  memory.subscribe(event => {
    send({ credence: 'event', event })
    tabs.postMessage(event)
  })
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
