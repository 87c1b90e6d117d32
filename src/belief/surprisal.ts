/** Surprisal (PreCoMem, design §3.4). */

/** d_sem ∈ [0,1]: the cosine deviation from the nearest retrieved belief; 1 when nothing was retrieved. Similarities are scaled to [0,1]. */
export function semanticDeviation(similarities: readonly number[]): number {
  return 1 - Math.max(0, ...similarities)
}

/** d_conf ∈ [0,1]: the upper bound over C of the probability of a contradiction; 0 when nothing was retrieved. */
export function conflictBound(conflicts: readonly number[]): number {
  return Math.max(0, ...conflicts)
}

/** S_raw = λ·d_sem + (1 − λ)·d_conf. */
export function rawSurprisal(deviation: number, conflict: number, mix: number): number {
  return mix * deviation + (1 - mix) * conflict
}

/** x = S_eff = ρ·S_raw. Reliability only ever dampens: an unreliable retrieval alone triggers nothing. */
export function effectiveSurprisal(reliability: number, raw: number): number {
  return reliability * raw
}
