/** Does a memory's tidying when nobody has called for a while, and stops at once when somebody does. */

import type { Memory } from '../memory.ts'

type Tidied = Pick<Memory, 'tidy'>

/** Milliseconds without a call after which the worker counts as idle. */
const quiet = 30_000

export class Idle {
  #calls = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #tidying: AbortController | undefined
  /** Memories that were called since they were last tidied. */
  readonly #due = new Set<Tidied>()

  /** Runs a call to a memory. */
  async during<T>(memory: Tidied, act: () => Promise<T>): Promise<T> {
    this.#calls++
    clearTimeout(this.#timer)
    this.#tidying?.abort()
    try {
      return await act()
    } finally {
      this.#due.add(memory)
      if (--this.#calls === 0) this.#timer = setTimeout(() => void this.#tidy(), quiet)
    }
  }

  /** A memory that is closed has nothing more to be tidied. */
  drop(memory: Tidied): void {
    this.#due.delete(memory)
  }

  async #tidy(): Promise<void> {
    const { signal } = (this.#tidying = new AbortController())
    for (const memory of [...this.#due]) {
      // Read-only, closed, or broken: the next call says so to whoever makes it. An abort leaves it due.
      const done = await memory.tidy({ signal }).then(
        () => true,
        () => !signal.aborted,
      )
      if (done) this.#due.delete(memory)
      if (signal.aborted) return
    }
  }
}
