/** The gate of recall: S_τ = {c : score > τ}, g_τ = 1[|S_τ| > 0], the best k of S_τ. */

/** score = evidence + κ·log w. A belief held with w = 1, like a turn, loses nothing. */
export function weigh(evidence: number, confidence: number | null, confidenceWeight: number): { score: number; fromConfidence: number } {
  const fromConfidence = confidence === null ? 0 : confidenceWeight * Math.log(confidence)
  return { score: evidence + fromConfidence, fromConfidence }
}

/** `candidates` best first; keeps those above τ, k at most. Nothing above τ: memory is not needed. */
export function focus<T extends { score: number }>(candidates: readonly T[], threshold: number, k: number): T[] {
  return candidates.filter(c => c.score > threshold).slice(0, k)
}
