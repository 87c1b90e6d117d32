/** What the device test needs of a model's role. */

import type { Graph } from './graph.ts'
import type { Item } from './manifest.ts'

export interface Head {
  /** The model's raw answers, as the manifest's reference lists them. */
  outputs(graph: Graph, items: readonly Item[], signal?: AbortSignal): Promise<number[][]>
  /** Number of tokens that the answer is a sum over. */
  terms(item: Item): number
}
