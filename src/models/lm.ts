/**
 * Log-probabilities of texts, and greedy continuations.
 *
 * A text is [start] context ⏎ target, the context trimmed at its end and the target on both sides; log p(target | context) is summed over the target's tokens. Context and target
 * are tokenised apart, so that the same tokens count with every context, the empty one (the prior) included.
 */

import { abortError, CredenceError } from '../errors.ts'
import { batches } from './batches.ts'
import { matrix, rowOf, type Graph, type Tensor } from './graph.ts'
import type { Head } from './head.ts'
import type { ModelSpec } from './manifest.ts'
import type { Pair } from './nli.ts'
import { fit, type TextTokenizer } from './tokenizer.ts'

export interface Lm extends Head {
  logProbability(graph: Graph, pairs: readonly Pair[], signal?: AbortSignal): Promise<number[]>
  /** Keeps the end of a prompt that is too long, which says what to write. */
  generate(graph: Graph, prompt: string, limit: number, signal?: AbortSignal): Promise<string>
}

interface Row {
  before: number[]
  target: number[]
}

export function createLm(spec: ModelSpec, tokenizer: TextTokenizer): Lm {
  const start = spec.start!
  const kv = spec.kv!
  const newline = tokenizer.ids('\n').at(-1)
  let prior: { target: string; value: number } | undefined

  function row([context, target]: Pair): Row {
    const first = tokenizer.ids(`${context.trimEnd()}\n`, spec.maxTokens)
    const [kept, second] = fit(first, tokenizer.ids(target.trim(), spec.maxTokens), spec.maxTokens - 1)
    if (kept.length < first.length && newline !== undefined) kept[kept.length - 1] = newline
    return { before: [start, ...kept], target: second }
  }

  function emptyCache(batch: number): Record<string, Tensor> {
    const feeds: Record<string, Tensor> = {}
    for (let layer = 0; layer < kv.layers; layer++) {
      for (const kind of ['key', 'value']) {
        feeds[`past_key_values.${layer}.${kind}`] = { type: 'float32', data: new Float32Array(0), dims: [batch, kv.heads, 0, kv.size] }
      }
    }
    return feeds
  }

  /** The scorer graph has the language-model head at the target positions only. */
  async function scored(graph: Graph, rows: readonly Row[], signal?: AbortSignal): Promise<number[]> {
    // The last token of the target is predicted, and predicts nothing.
    const inputs = rows.map(({ before, target }) => [...before, ...target.slice(0, -1)])
    const width = Math.max(...inputs.map(ids => ids.length))
    const targets = Math.max(...rows.map(({ target }) => target.length))
    const mask = new Float32Array(rows.length * targets)
    rows.forEach(({ target }, r) => mask.fill(1, r * targets, r * targets + target.length))
    const feeds = {
      input_ids: matrix(inputs, width),
      attention_mask: matrix(
        inputs.map(ids => ids.map(() => 1)),
        width,
      ),
      target_positions: matrix(
        rows.map(({ before, target }) => target.map((_, k) => before.length - 1 + k)),
        targets,
      ),
      target_ids: matrix(
        rows.map(({ target }) => target),
        targets,
      ),
      target_mask: { type: 'float32', data: mask, dims: [rows.length, targets] } satisfies Tensor,
      ...emptyCache(rows.length),
    }
    const { logprob } = await graph.run(feeds, ['logprob'], signal)
    return rows.map((_, r) => rowOf(logprob!, r)[0]!)
  }

  /** A plain causal graph gives the logits of every token, so one row is more than enough at a time. */
  async function scoredFromLogits(graph: Graph, { before, target }: Row, signal?: AbortSignal): Promise<number> {
    const ids = [...before, ...target.slice(0, -1)]
    const { logits } = await graph.run(plainFeeds(graph, ids, 0, emptyCache(1)), ['logits'], signal)
    return target.reduce((sum, token, k) => sum + logSoftmaxAt(tokenRow(logits!, before.length - 1 + k), token), 0)
  }

  async function scoreRows(graph: Graph, rows: readonly Row[], signal?: AbortSignal): Promise<number[]> {
    const scorer = graph.outputs.includes('logprob')
    const results = rows.map(() => 0)
    const filled = rows.flatMap(({ target }, index) => (target.length > 0 ? [index] : []))
    const lengths = filled.map(index => rows[index]!.before.length + rows[index]!.target.length)
    for (const group of batches(lengths, scorer ? graph.batchTokens : 0)) {
      if (signal?.aborted) throw abortError(signal)
      const indices = group.map(k => filled[k]!)
      const members = indices.map(index => rows[index]!)
      const values = scorer ? await scored(graph, members, signal) : [await scoredFromLogits(graph, members[0]!, signal)]
      indices.forEach((index, k) => (results[index] = values[k]!))
    }
    return results
  }

  return {
    async logProbability(graph, pairs, signal) {
      const known = pairs.map(([context, target]) => (context.trim() === '' && prior?.target === target ? prior.value : undefined))
      const open = pairs.flatMap((_, k) => (known[k] === undefined ? [k] : []))
      const values = await scoreRows(
        graph,
        open.map(k => row(pairs[k]!)),
        signal,
      )
      open.forEach((k, at) => {
        known[k] = values[at]!
        if (pairs[k]![0].trim() === '') prior = { target: pairs[k]![1], value: values[at]! }
      })
      return known as number[]
    },

    async generate(graph, prompt, limit, signal) {
      const room = Math.max(1, spec.maxTokens - limit)
      const written: number[] = []
      let ids = tokenizer.ids(prompt).slice(-room)
      if (ids.length === 0) ids = [start]
      let cache = emptyCache(1)
      let seen = 0
      while (written.length < limit && seen + ids.length <= spec.maxTokens) {
        if (signal?.aborted) throw abortError(signal)
        const { next, present } = await step(graph, ids, seen, cache, signal)
        if (next === start || spec.ends!.includes(next)) break
        written.push(next)
        seen += ids.length
        ids = [next]
        cache = present
      }
      return tokenizer.text(written)
    },

    outputs: async (graph, items, signal) => (await scoreRows(graph, (items as readonly Pair[]).map(row), signal)).map(value => [value]),
    terms: item => row(item as Pair).target.length,
  }

  /** The likeliest next token, and the cache that holds all tokens so far. */
  async function step(graph: Graph, ids: readonly number[], seen: number, cache: Record<string, Tensor>, signal?: AbortSignal) {
    const presents = Object.keys(cache).map(name => name.replace('past_key_values', 'present'))
    const feeds = plainFeeds(graph, ids, seen, cache)
    const answer = graph.outputs.includes('next_ids') ? 'next_ids' : 'logits'
    if (answer === 'next_ids') {
      feeds.target_positions = matrix([[ids.length - 1]], 1)
      feeds.target_ids = matrix([[0]], 1)
      feeds.target_mask = { type: 'float32', data: new Float32Array(1), dims: [1, 1] }
    }
    if (!graph.outputs.includes(answer)) {
      throw new CredenceError(
        'ModelFailed',
        `the language model can score but not write: its graph has no output next_ids or logits; use another one`,
      )
    }
    const result = await graph.run(feeds, [answer, ...presents], signal)
    const next = answer === 'next_ids' ? Number(result.next_ids!.data[0]) : indexOfMax(tokenRow(result.logits!, ids.length - 1))
    return { next, present: Object.fromEntries(Object.keys(cache).map((name, k) => [name, result[presents[k]!]!])) }
  }
}

function plainFeeds(graph: Graph, ids: readonly number[], seen: number, cache: Record<string, Tensor>): Record<string, Tensor> {
  const feeds: Record<string, Tensor> = {
    input_ids: matrix([ids], ids.length),
    attention_mask: matrix([Array.from({ length: seen + ids.length }, () => 1)], seen + ids.length),
    ...cache,
  }
  if (graph.inputs.includes('position_ids')) feeds.position_ids = matrix([ids.map((_, k) => seen + k)], ids.length)
  return feeds
}

/** Logits [1, tokens, vocabulary] at one token. */
function tokenRow(logits: Tensor, token: number): Float32Array {
  const vocabulary = logits.dims[2]!
  return (logits.data as Float32Array).subarray(token * vocabulary, (token + 1) * vocabulary)
}

function logSoftmaxAt(logits: Float32Array, index: number): number {
  let top = -Infinity
  for (const value of logits) if (value > top) top = value
  let sum = 0
  for (const value of logits) sum += Math.exp(value - top)
  return logits[index]! - top - Math.log(sum)
}

function indexOfMax(values: Float32Array): number {
  let best = 0
  for (let k = 1; k < values.length; k++) if (values[k]! > values[best]!) best = k
  return best
}
