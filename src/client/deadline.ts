/**
 * How long a caller waits at most, however often its call is made again. The guard ends a worker that hangs, and a leader that is gone is noticed, but
 * the next one begins from the start: this counts through all of them.
 */

import { CredenceError } from '../errors.ts'
import type { Method } from '../protocol.ts'

/** A deadline is counted in parts, so that a computer that slept does not find its calls overdue. */
const parts = 20
/** One more, for the guard to go first: it ends the worker too. */
const allowed = parts + 1

export class Deadlines {
  /** What starts the time of a pending call anew, in the order of the calls. */
  readonly #restarts = new Set<() => void>()

  /** Waits for the work of a call. The `seconds` begin when it is made, and anew when one made before it is settled. */
  async during<T>(method: Method, seconds: number, work: (late: AbortSignal, restart: () => void) => Promise<T>): Promise<T> {
    const control = new AbortController()
    let left = allowed
    const restart = () => void (left = allowed)
    const clock = setInterval(
      () => {
        if (--left <= 0) control.abort(new CredenceError('Deadline', `${method} took too long; call again`, { data: { method } }))
      },
      (seconds * 1000) / parts,
    )
    this.#restarts.add(restart)
    try {
      return await work(control.signal, restart)
    } finally {
      clearInterval(clock)
      let later = false
      for (const other of this.#restarts) {
        if (later) other()
        later ||= other === restart
      }
      this.#restarts.delete(restart)
    }
  }

  /** For all: something is being done for them. */
  restart(): void {
    for (const restart of this.#restarts) restart()
  }
}
