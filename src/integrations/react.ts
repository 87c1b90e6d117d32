/** React hooks. Components that ask for the same memory share it, and with it one worker. */

import { useEffect, useState } from 'react'
import { openMemory } from '../index.ts'
import type { Belief, BeliefFilter, Memory, MemoryOptions, Progress } from '../memory.ts'

export type UseMemoryOptions = Omit<MemoryOptions, 'onProgress' | 'signal'>

/** `memory` is null until it is open, and when it could not be opened: then `error` says why. */
export interface UseMemory {
  memory: Memory | null
  error: unknown
  /** The latest step of opening, or null. */
  progress: Progress | null
}

interface Shared {
  memory: Promise<Memory>
  /** Components that use it. */
  users: Set<(progress: Progress) => void>
  progress: Progress | null
  closing?: ReturnType<typeof setTimeout>
}

const shared = new Map<string, Shared>()
/** Strict mode takes every component away and puts it back at once, and a change of route often does: a worker should outlive both. Milliseconds. */
const grace = 2000
const nothing: UseMemory = { memory: null, error: null, progress: null }

/**
 * Opens the memory when the component is mounted (never on a server), and closes it when the last component that uses it has been gone for two
 * seconds. Options are compared by value, so a fresh object at each render is the same memory.
 */
export function useMemory(options: UseMemoryOptions = {}): UseMemory {
  const key = JSON.stringify(options, (_, value: unknown) => (isPlain(value) ? Object.fromEntries(Object.entries(value).sort()) : value))
  const [state, setState] = useState<UseMemory>(nothing)

  useEffect(() => {
    let mounted = true
    const update = (change: Partial<UseMemory>) => mounted && setState(state => ({ ...state, ...change }))
    const onProgress = (progress: Progress) => update({ progress })
    const one = take(key, onProgress)
    setState({ ...nothing, progress: one.progress })
    one.memory.then(
      memory => update({ memory }),
      (error: unknown) => update({ error }),
    )
    return () => {
      mounted = false
      leave(key, one, onProgress)
    }
  }, [key])

  return state
}

/** Beliefs that pass the filter, anew after each change; null before the first answer. A failure to read is thrown to the nearest error boundary. */
export function useBeliefs(memory: Memory | null, filter: BeliefFilter = {}): Belief[] | null {
  const key = JSON.stringify(filter)
  const [beliefs, setBeliefs] = useState<Belief[] | null>(null)
  const [failure, setFailure] = useState<{ error: unknown } | null>(null)

  useEffect(() => {
    if (memory === null) return setBeliefs(null)
    let mounted = true
    let asked = 0
    const read = () => {
      const ask = ++asked
      memory.beliefs(JSON.parse(key) as BeliefFilter).then(
        found => mounted && ask === asked && setBeliefs(found),
        (error: unknown) => mounted && setFailure({ error }),
      )
    }
    const stop = memory.subscribe(({ type }) => type !== 'recalled' && read())
    read()
    return () => {
      mounted = false
      stop()
    }
  }, [memory, key])

  if (failure) throw failure.error
  return beliefs
}

function take(key: string, onProgress: (progress: Progress) => void): Shared {
  const found = shared.get(key)
  if (found) {
    clearTimeout(found.closing)
    found.users.add(onProgress)
    return found
  }
  const users = new Set([onProgress])
  const memory = openMemory({
    ...(JSON.parse(key) as UseMemoryOptions),
    onProgress(progress) {
      made.progress = progress
      for (const tell of users) tell(progress)
    },
  })
  const made: Shared = { memory, users, progress: null }
  shared.set(key, made)
  // What could not be opened is tried again by the next component.
  memory.catch(() => shared.get(key) === made && shared.delete(key))
  return made
}

function leave(key: string, one: Shared, onProgress: (progress: Progress) => void): void {
  one.users.delete(onProgress)
  if (one.users.size > 0) return
  one.closing = setTimeout(() => {
    if (shared.get(key) === one) shared.delete(key)
    one.memory.then(
      memory => memory.close(),
      () => {},
    )
  }, grace)
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof URL)
