/** The gate of recall: S_τ = {c : score > τ}, g_τ = 1[|S_τ| > 0], the best k of S_τ that the best one does not dwarf. */

/** score = evidence + κ·log w. A belief held with w = 1, like a turn, loses nothing. */
export function weigh(evidence: number, confidence: number | null, confidenceWeight: number): { score: number; fromConfidence: number } {
  const fromConfidence = confidence === null ? 0 : confidenceWeight * Math.log(confidence)
  return { score: evidence + fromConfidence, fromConfidence }
}

/**
 * `candidates` best first; keeps those above τ, k at most. Nothing above τ: memory is not needed. One below `least`, which lies some way below the
 * best, is left out: what calls for memory in the query itself lifts all candidates alike, and must not carry in those that have nothing to do with it.
 */
export function focus<T extends { score: number }>(candidates: readonly T[], threshold: number, least: number, k: number): T[] {
  return candidates.filter(c => c.score > threshold && c.score >= least).slice(0, k)
}

/**
 * Leaves out passing remarks (messages that made no belief) unless they are better evidence, by `lead`, than the best that was worth keeping: a
 * person is known by what they state, and a remark that shares its words must not speak beside it.
 */
export function withoutRemarks<T extends { kind: 'belief' | 'turn'; score: number; parts: { held: boolean } }>(
  candidates: readonly T[],
  lead: number,
): T[] {
  const kept = (c: T) => c.kind === 'belief' || c.parts.held
  const best = candidates.find(kept)?.score ?? -Infinity
  return candidates.filter(c => kept(c) || c.score > best + lead)
}
