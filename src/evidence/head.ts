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
  /** A belief, or a turn that more can be asked about than a passing remark: see `engine/candidates.ts`. */
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

/**
 * Fitted by `npm run calibrate -- head`. The weight of `held` and with it the bias were then brought down by hand from 4.8 and −10.9: the fit
 * prefers what is held so much that in chats about a task, where much is asked about turns that made no belief, those turns are lost. The weight of
 * the cross-encoder was raised from .61 when that was trained longer: between people its order is the better one, and the gate stays as it was.
 */
export const defaultHead: Head = [-8.1, 1.761, 7.195, 0.8, -1.982, 3.052, 2, 1.426]
