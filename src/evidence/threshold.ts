/** The gate of recall: S_τ = {c : score > τ}, g_τ = 1[|S_τ| > 0], the best k of S_τ that the best one does not dwarf. */

/** score = evidence + κ·log w. A belief held with w = 1, like a turn, loses nothing. */
export function weigh(evidence: number, confidence: number | null, confidenceWeight: number): { score: number; fromConfidence: number } {
  const fromConfidence = confidence === null ? 0 : confidenceWeight * Math.log(confidence)
  return { score: evidence + fromConfidence, fromConfidence }
}

/**
 * `candidates` best first; keeps those above τ, k at most. Nothing above τ: memory is not needed. One that lies more than `margin` below the best
 * is left out: what calls for memory in the query itself lifts all candidates alike, and must not carry in those that have nothing to do with it.
 */
export function focus<T extends { score: number }>(candidates: readonly T[], threshold: number, margin: number, k: number): T[] {
  const least = (candidates[0]?.score ?? 0) - margin
  return candidates.filter(c => c.score > threshold && c.score >= least).slice(0, k)
}
