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
}

/** Weights of the head, in the order of `features`, the bias first. */
export type Head = readonly number[]

/** What the head sees: an unscored candidate stands below every scored one by itself. */
export function features({ fused, cosine, evidence, overlap }: Signals): number[] {
  return [1, fused, cosine, evidence ?? 0, evidence === null ? 1 : 0, overlap]
}

export function logOdds(head: Head, values: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < head.length; i++) sum += head[i]! * values[i]!
  return sum
}

/** Calibrated by `npm run calibrate`. */
export const defaultHead: Head = [-3, 1, 1, 1, -3, 1]
