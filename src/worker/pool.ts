/** Things that are costly to open: one for all who ask by the same key, opened for the first of them and closed after the last. */

import { abortable } from '../abortable.ts'
import { keyOf } from '../key.ts'
import type { Progress } from '../memory.ts'

export interface Lease<T> {
  value: T
  /** May be called again; the first time counts. */
  release(): Promise<void>
  /** Whoever asks from now on gets another one. */
  retire(): void
}

export class Pool<O, T> {
  readonly #open: (options: O, onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<T>
  readonly #close: (value: T) => Promise<void>
  readonly #entries = new Map<string, { value: Promise<T>; control: AbortController; takers: Set<(progress: Progress) => void> }>()

  constructor(
    open: (options: O, onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<T>,
    close: (value: T) => Promise<void>,
  ) {
    this.#open = open
    this.#close = close
  }

  /** The signal ends the wait; what is being opened ends with the last who waits for it. */
  async take(options: O, onProgress: (progress: Progress) => void, signal?: AbortSignal): Promise<Lease<T>> {
    const key = keyOf(options)
    let entry = this.#entries.get(key)
    if (!entry) {
      const control = new AbortController()
      const takers = new Set<(progress: Progress) => void>()
      const value = this.#open(options, progress => takers.forEach(tell => tell(progress)), control.signal)
      this.#entries.set(key, (entry = { value, control, takers }))
    }
    const { value, control, takers } = entry
    const retire = () => {
      if (this.#entries.get(key)?.takers === takers) this.#entries.delete(key)
    }
    // Each taker has its own, though two may have given the same function.
    const own = (progress: Progress) => onProgress(progress)
    takers.add(own)
    const release = async () => {
      if (!takers.delete(own) || takers.size > 0) return
      retire()
      control.abort()
      await value.then(this.#close, () => {})
    }
    try {
      return { value: await abortable(value, signal), release, retire }
    } catch (error) {
      if (!signal?.aborted) retire()
      void release()
      throw error
    }
  }
}
