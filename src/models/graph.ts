/** A model graph that is ready to run, and the tensors that go in and out. */

export interface Tensor {
  type: 'int64' | 'float32'
  data: BigInt64Array | Float32Array
  dims: readonly number[]
}

export interface Graph {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  /** Most tokens of one run, padding included; 0: one row a run. */
  readonly batchTokens: number
  run(feeds: Record<string, Tensor>, outputs: readonly string[], signal?: AbortSignal): Promise<Record<string, Tensor>>
}

/** Rows of token ids (or 0 and 1), padded on the right with 0. */
export function matrix(rows: readonly (readonly number[])[], width: number): Tensor {
  const data = new BigInt64Array(rows.length * width)
  rows.forEach((row, r) => row.forEach((value, c) => (data[r * width + c] = BigInt(value))))
  return { type: 'int64', data, dims: [rows.length, width] }
}

/** The numbers of row `r` of a tensor, as a view. */
export function rowOf(tensor: Tensor, r: number): Float32Array {
  const length = tensor.data.length / tensor.dims[0]!
  return (tensor.data as Float32Array).subarray(r * length, (r + 1) * length)
}
