/** Texts to L2-normalised vectors. */

import { encode } from './encoder.ts'
import type { Graph } from './graph.ts'
import type { Head } from './head.ts'
import type { ModelSpec } from './manifest.ts'
import type { TextTokenizer } from './tokenizer.ts'

export interface Embedder extends Head {
  embed(graph: Graph, texts: readonly string[], as: 'query' | 'passage', signal?: AbortSignal): Promise<Float32Array[]>
}

export function createEmbedder(spec: ModelSpec, tokenizer: TextTokenizer): Embedder {
  async function embed(graph: Graph, texts: readonly string[], as: 'query' | 'passage', signal?: AbortSignal): Promise<Float32Array[]> {
    const prefix = as === 'query' ? (spec.queryPrefix ?? '') : ''
    const rows = texts.map(text => tokenizer.single(prefix + text, spec.maxTokens))
    return spec.pooling === undefined
      ? encode(graph, rows, 'embedding', values => values.slice(), signal)
      : encode(graph, rows, 'last_hidden_state', (values, tokens) => pooled(values, tokens, spec.dimensions!, spec.pooling!), signal)
  }
  return {
    embed,
    outputs: async (graph, items, signal) =>
      (await embed(graph, items as readonly string[], 'passage', signal)).map(vector => Array.from(vector)),
    terms: () => 1,
  }
}

/** The first token's vector, or the mean over all of the text's tokens, made length 1. */
function pooled(hidden: Float32Array, tokens: number, width: number, pooling: 'cls' | 'mean'): Float32Array {
  const vector = new Float32Array(width)
  const counted = pooling === 'cls' ? 1 : tokens
  for (let t = 0; t < counted; t++) for (let k = 0; k < width; k++) vector[k]! += hidden[t * width + k]!
  const norm = Math.hypot(...vector) || 1
  return vector.map(value => value / norm)
}
