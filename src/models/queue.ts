/** One thing at a time: the runtime can neither start twice at once nor run two sessions at once. */

import { abortError } from '../errors.ts'

export type Queue = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve()
  return (task, signal) => {
    const result = last.then(() => {
      if (signal?.aborted) throw abortError(signal)
      return task()
    })
    last = result.catch(() => undefined)
    return result
  }
}
