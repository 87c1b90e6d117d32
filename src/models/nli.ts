/** (premise, hypothesis) to probabilities of contradiction, entailment and neither. */

import type { Entailment } from '../engine/ports.ts'
import { encode } from './encoder.ts'
import type { Graph } from './graph.ts'
import type { Head } from './head.ts'
import { nliLabels, type ModelSpec } from './manifest.ts'
import type { TextTokenizer } from './tokenizer.ts'

export type Pair = readonly [first: string, second: string]

export interface Nli extends Head {
  entail(graph: Graph, pairs: readonly Pair[], signal?: AbortSignal): Promise<Entailment[]>
}

export function createNli(spec: ModelSpec, tokenizer: TextTokenizer): Nli {
  const order = nliLabels.map(label => spec.labels!.indexOf(label))
  const logits = (graph: Graph, pairs: readonly Pair[], signal?: AbortSignal) =>
    encode(
      graph,
      pairs.map(([premise, hypothesis]) => tokenizer.pair(premise, hypothesis, spec.maxTokens)),
      'logits',
      values => order.map(k => values[k]!),
      signal,
    )
  return {
    async entail(graph, pairs, signal) {
      return (await logits(graph, pairs, signal)).map(row => {
        const [contradiction, entailment, neutral] = softmax(row) as [number, number, number]
        return { contradiction, entailment, neutral }
      })
    },
    outputs: (graph, items, signal) => logits(graph, items as readonly Pair[], signal),
    terms: () => 1,
  }
}

function softmax(logits: readonly number[]): number[] {
  const top = Math.max(...logits)
  const powers = logits.map(value => Math.exp(value - top))
  const sum = powers.reduce((a, b) => a + b)
  return powers.map(value => value / sum)
}
