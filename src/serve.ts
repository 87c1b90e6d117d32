/** The answering end of a line, the same in the worker and in the tab that leads. */

import { encodeError } from './codec.ts'
import { CredenceError } from './errors.ts'
import type { Observation } from './memory.ts'
import type { Method, Notice, Outcome, Request } from './protocol.ts'

export type Perform = (
  memory: string,
  method: Method,
  args: unknown[],
  signal: AbortSignal,
  onItem: (item: Observation) => void,
) => Promise<unknown>

export interface Service {
  /** Answers with one `answer` notice, whatever happens. */
  receive(request: Request): void
  /** Numbers of the calls in work. */
  running(): number[]
  /** Aborts the calls in work, or those to one memory. */
  abort(memory?: string): void
}

export function serve(send: (notice: Notice) => void, perform: Perform): Service {
  const running = new Map<number, { memory: string; control: AbortController }>()

  async function run(call: number, memory: string, method: Method, args: unknown[]): Promise<void> {
    const control = new AbortController()
    running.set(call, { memory, control })
    let outcome: Outcome
    try {
      outcome = { value: await perform(memory, method, args, control.signal, item => send({ credence: 'item', call, item })) }
    } catch (error) {
      outcome = { error: encodeError(error) }
    }
    running.delete(call)
    try {
      send({ credence: 'answer', call, outcome })
    } catch (cause) {
      const error = new CredenceError('WorkerFailed', `the answer to ${method} could not be sent; please report it with its cause`, {
        cause,
      })
      send({ credence: 'answer', call, outcome: { error: encodeError(error) } })
    }
  }

  return {
    receive(request) {
      if ('abort' in request) running.get(request.abort)?.control.abort()
      else void run(request.call, request.memory, request.method, request.args)
    },
    running: () => [...running.keys()],
    abort(memory) {
      for (const one of running.values()) if (memory === undefined || one.memory === memory) one.control.abort()
    },
  }
}
