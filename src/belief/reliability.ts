/** Retrieval reliability ρ (PreCoMem, design §3.3): how concentrated the retrieval scores are. */

/**
 * Smoothed, normalised scores ŝ_i = exp(s_i / T) / Σ exp(s_j / T). The exponential keeps ŝ > 0, so that the entropy is defined, and the
 * temperature T says how much of a lead counts as concentrated.
 */
export function smooth(scores: readonly number[], temperature: number): number[] {
  const top = Math.max(...scores)
  const weights = scores.map(s => Math.exp((s - top) / temperature))
  const sum = weights.reduce((a, b) => a + b, 0)
  return weights.map(w => w / sum)
}

/** H = −Σ ŝ_i log ŝ_i / log max(|C|, 2), in [0,1]. */
export function normalisedEntropy(distribution: readonly number[]): number {
  let entropy = 0
  for (const p of distribution) if (p > 0) entropy -= p * Math.log(p)
  return Math.min(1, entropy / Math.log(Math.max(distribution.length, 2)))
}

/** ρ = 1 − H. Nothing retrieved is no reason to distrust a contradiction, because there is none: ρ = 1. */
export function reliability(scores: readonly number[], temperature: number): number {
  return scores.length === 0 ? 1 : 1 - normalisedEntropy(smooth(scores, temperature))
}
