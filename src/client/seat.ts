/** One memory as one asker has it: opened anew on each line on which it is called. */

import { newId } from '../id.ts'
import type { Answer, Arguments, Method, OpenOptions } from '../protocol.ts'
import type { CallOptions, Ears, Line } from './line.ts'

export class Seat {
  readonly options: OpenOptions
  readonly #ears: Ears
  /** Nobody else is told of it. */
  readonly #handle = newId()
  #line: Line | undefined

  constructor(options: OpenOptions, ears: Ears) {
    this.options = options
    this.#ears = ears
  }

  open(line: Line, signal?: AbortSignal): Promise<void> {
    this.#line = line
    const opened = line.open(this.#handle, this.options, this.#ears, signal)
    // What did not open is tried again by the next call.
    opened.catch(() => {
      if (this.#line === line) this.#line = undefined
    })
    return opened
  }

  call<M extends Method>(line: Line, method: M, args: Arguments<M>, options: CallOptions): Promise<Answer<M>> {
    // A call that goes out behind an opening fails with it.
    if (this.#line !== line) void this.open(line).catch(() => {})
    const answer = line.call(this.#handle, method, args, options)
    if (method === 'changePassphrase') answer.then(() => (this.options.passphrase = args[0] as string)).catch(() => {}) // for the next line
    return answer
  }

  async close(): Promise<void> {
    if (this.#line && !this.#line.ended) await this.#line.close(this.#handle)
  }
}
