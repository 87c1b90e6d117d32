/** Runs an encoder over rows of tokens. */

import { abortError, CredenceError } from '../errors.ts'
import { batches } from './batches.ts'
import { matrix, rowOf, type Graph } from './graph.ts'
import type { Encoded } from './tokenizer.ts'

/** One output of the graph for each row, in the order of the rows. `read` gets the row's part of the output and its number of tokens. */
export async function encode<T>(
  graph: Graph,
  rows: readonly Encoded[],
  output: string,
  read: (values: Float32Array, tokens: number) => T,
  signal?: AbortSignal,
): Promise<T[]> {
  if (!graph.outputs.includes(output)) {
    throw new CredenceError(
      'ModelFailed',
      `the model's graph has no output ${output}, but ${graph.outputs.join(', ')}; use another model file`,
    )
  }
  const results: T[] = []
  const lengths = rows.map(row => row.ids.length)
  for (const group of batches(lengths, graph.batchTokens)) {
    if (signal?.aborted) throw abortError(signal)
    const members = group.map(index => rows[index]!)
    const width = Math.max(...members.map(row => row.ids.length))
    const feeds: Record<string, ReturnType<typeof matrix>> = {
      input_ids: matrix(
        members.map(row => row.ids),
        width,
      ),
      attention_mask: matrix(
        members.map(row => row.ids.map(() => 1)),
        width,
      ),
    }
    if (graph.inputs.includes('token_type_ids'))
      feeds.token_type_ids = matrix(
        members.map(row => row.types),
        width,
      )
    const tensor = (await graph.run(feeds, [output], signal))[output]!
    group.forEach((index, r) => (results[index] = read(rowOf(tensor, r), lengths[index]!)))
  }
  return results
}
