/** The learned controller: a linear head over the signals of a candidate, giving the log-odds that it is evidence. */

/** Signals of one candidate. */
export interface Signals {
  /** Fused rank, scaled to [0,1] over the candidates. */
  fused: number
  /** Cosine with the query; 0 without an embedder. */
  cosine: number
  /** Logit of the evidence cross-encoder; null when it was not scored. */
  evidence: number | null
  /** Share of the query's words, by rarity, that the memory has, ∈ [0,1]. */
  overlap: number
  /** Something is held because of it: a belief, a turn that supports a current one, or a turn of a chat between people. */
  held: boolean
  /** Log-odds that a message like the query is answered better by knowing the person; the same for all candidates of a query. */
  need: number
}

/** Weights of the head, in the order of `features`, the bias first. */
export type Head = readonly number[]

/** What the head sees: an unscored candidate stands below every scored one by itself. */
export function features({ fused, cosine, evidence, overlap, held, need }: Signals): number[] {
  return [1, fused, cosine, evidence ?? 0, evidence === null ? 1 : 0, overlap, held ? 1 : 0, need]
}

export function logOdds(head: Head, values: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < head.length; i++) sum += head[i]! * values[i]!
  return sum
}

/** Calibrated by `npm run calibrate`. */
export const defaultHead: Head = [-8.176, 1.886, 5.358, 0.657, -1.76, 2.86, 3.222, 1.336]
