/** The page's side of an import: turns go to the worker in portions, observations come back one by one as they are committed. */

import type { Memory, Observation, Progress, Turn } from '../memory.ts'
import { abortError } from '../errors.ts'
import { checkObserveAllOptions, checkTurn } from '../options.ts'
import { tell } from './line.ts'

const portion = 16

/** Observes a portion in the worker, calling `onItem` at each commit. */
export type ObservePortion = (turns: Turn[], signal: AbortSignal, onItem: (item: Observation) => void) => Promise<void>

export async function* observeAll(
  observe: ObservePortion,
  turns: Parameters<Memory['observeAll']>[0],
  options: Parameters<Memory['observeAll']>[1],
): AsyncGenerator<Observation, void, undefined> {
  const { signal, onProgress, total = Array.isArray(turns) ? turns.length : 0 } = checkObserveAllOptions(options)
  let done = 0
  for await (const part of portions(turns)) {
    if (signal?.aborted) throw abortError(signal)
    for await (const item of stream(observe, part, signal)) {
      done++
      tell<Progress>(onProgress, { stage: 'import', item: item.turn, done, total: Math.max(total, done) })
      yield item
    }
  }
}

/** An asynchronous source is taken turn by turn: it may wait for what became of the last one. */
async function* portions(turns: Parameters<Memory['observeAll']>[0]): AsyncGenerator<Turn[], void, undefined> {
  if (Symbol.asyncIterator in turns) {
    for await (const turn of turns) yield [checkTurn(turn)]
    return
  }
  let part: Turn[] = []
  let failure: { error: unknown } | undefined
  try {
    for (const turn of turns) {
      part.push(checkTurn(turn))
      if (part.length < portion) continue
      yield part
      part = []
    }
  } catch (error) {
    failure = { error }
  }
  // The turns before a bad one are good.
  if (part.length > 0) yield part
  if (failure) throw failure.error
}

async function* stream(
  observe: ObservePortion,
  turns: Turn[],
  outer: AbortSignal | undefined,
): AsyncGenerator<Observation, void, undefined> {
  const stop = new AbortController()
  const signal = outer ? AbortSignal.any([outer, stop.signal]) : stop.signal
  const arrived: Observation[] = []
  let wake = () => {}
  let finished = false
  const done = observe(turns, signal, item => {
    arrived.push(item)
    wake()
  }).finally(() => {
    finished = true
    wake()
  })
  done.catch(() => {})
  try {
    while (!finished || arrived.length > 0) {
      if (arrived.length > 0) yield arrived.shift()!
      else await new Promise<void>(resolve => (wake = resolve))
    }
    await done
  } finally {
    // Whoever leaves the loop early stops the import too.
    stop.abort()
  }
}
