/** PROFILE (PreCoMem, design §3.5): the waiting room for what was said once. */

/**
 * w₀ = low + (high − low)·certainty, strictly below τ_promote, so that no single observation makes a fact.
 * Explicit statements use [0.60, 0.70], latent hints [0.50, 0.59].
 */
export function initialConfidence(certainty: number, low: number, high: number, promoteAt: number): number {
  const w = low + (high - low) * Math.min(1, Math.max(0, certainty))
  return Math.min(w, promoteAt * (1 - Number.EPSILON * 4))
}
