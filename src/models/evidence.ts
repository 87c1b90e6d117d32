/** (query, memory) to the logit that the memory bears on the query. */

import { encode } from './encoder.ts'
import type { Graph } from './graph.ts'
import type { Head } from './head.ts'
import type { ModelSpec } from './manifest.ts'
import type { Pair } from './nli.ts'
import type { TextTokenizer } from './tokenizer.ts'

export interface EvidenceModel extends Head {
  relevance(graph: Graph, query: string, memories: readonly string[], signal?: AbortSignal): Promise<number[]>
}

export function createEvidenceModel(spec: ModelSpec, tokenizer: TextTokenizer): EvidenceModel {
  // A model with two logits has "relevant" last.
  const logits = (graph: Graph, pairs: readonly Pair[], signal?: AbortSignal) =>
    encode(
      graph,
      pairs.map(([query, memory]) => tokenizer.pair(query, memory, spec.maxTokens)),
      'logits',
      values => values.at(-1)!,
      signal,
    )
  return {
    relevance: (graph, query, memories, signal) =>
      logits(
        graph,
        memories.map(memory => [query, memory] as const),
        signal,
      ),
    outputs: async (graph, items, signal) => (await logits(graph, items as readonly Pair[], signal)).map(logit => [logit]),
    terms: () => 1,
  }
}
