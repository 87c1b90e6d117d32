/** ONNX Runtime sessions as graphs. The same for the browser's runtime and Node's. */

import type { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-web'
import { CredenceError } from '../errors.ts'
import type { Bytes } from './files.ts'
import type { Graph, Tensor } from './graph.ts'
import type { Queue } from './queue.ts'

/** The part of onnxruntime-web and onnxruntime-node that is used here. */
export interface Ort {
  InferenceSession: { create(graph: Bytes | string, options: InferenceSession.SessionOptions): Promise<InferenceSession> }
  Tensor: typeof OrtTensor
}

/** The files of a graph. */
export interface Parts {
  /** The bytes, or in Node the path. */
  graph: Bytes | string
  /** Weights outside the graph, under the names by which the graph calls them. */
  data: { path: string; data: Bytes }[]
  /** Built by this project: its operators are fused as far as they go, and the rows of a run do not influence each other. */
  own: boolean
}

export interface Session extends Graph {
  release(): Promise<void>
}

export async function createSession(
  ort: Ort,
  parts: Parts,
  options: InferenceSession.SessionOptions,
  batchTokens: number,
  queue: Queue,
): Promise<Session> {
  const session = await queue(() => ort.InferenceSession.create(parts.graph, options)).catch(cause => {
    throw failure('could not be loaded', cause)
  })
  // After a run that failed on a GPU that is gone, the runtime would wait for ever in the next one.
  const onGpu = options.executionProviders?.[0] === 'webgpu'
  let broken: CredenceError | undefined
  return {
    inputs: session.inputNames,
    outputs: session.outputNames,
    batchTokens,
    run: (feeds, outputs, signal) =>
      queue(async () => {
        if (broken) throw broken
        const tensors: Record<string, OrtTensor> = {}
        for (const [name, { type, data, dims }] of Object.entries(feeds)) tensors[name] = new ort.Tensor(type, data as never, dims)
        const result = await session.run(tensors, outputs).catch(cause => {
          const failed = failure('failed', cause)
          if (onGpu) broken = failed
          throw failed
        })
        return result as unknown as Record<string, Tensor>
      }, signal),
    release: () => queue(() => session.release()),
  }
}

function failure(what: string, cause: unknown): CredenceError {
  const [said = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
  return isOutOfMemory(cause)
    ? new CredenceError('OutOfMemory', `a model ${what} for want of memory (${said}); leave a model out with the option models`, { cause })
    : new CredenceError('ModelFailed', `a model ${what}: ${said}`, { cause })
}

/** WASM says a bad allocation, or only the number of the exception it threw; an array that does not fit is a RangeError. */
export function isOutOfMemory(cause: unknown): boolean {
  const said = cause instanceof Error ? cause.message : String(cause)
  return /out of memory|\bOOM\b|bad_alloc|allocation failed|allocate|^\d+$/im.test(said.split('\n', 1)[0]!)
}
