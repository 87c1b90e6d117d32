/** One thing at a time: the runtime can neither start twice at once nor run two sessions at once. */

import { abortError } from '../errors.ts'

export type Queue = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>

// A run on WASM holds the thread; without a pause between runs no message would come in, not even the one that aborts.
const pauseAfterMs = 8

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve()
  let paused = 0
  return (task, signal) => {
    const result = last.then(async () => {
      if (performance.now() - paused > pauseAfterMs) {
        await pause()
        paused = performance.now()
      }
      if (signal?.aborted) throw abortError(signal)
      return task()
    })
    last = result.catch(() => undefined)
    return result
  }
}

/** A timer would wait for at least 4 ms. */
function pause(): Promise<void> {
  return new Promise(done => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      done()
    })
    port1.start()
    port2.postMessage(null)
  })
}
