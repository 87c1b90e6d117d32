/** MAINTAIN (PreCoMem, design §3.5): one gradient step on the convex loss ℓ⁺(w) = ½(1 − w)². */

/** w ← w + η(1 − w), with η ∈ [0,1] the strength of the evidence. The residual 1 − w shrinks by 1 − η. */
export function reinforce(confidence: number, strength: number): number {
  return Math.min(1, confidence + strength * (1 - confidence))
}
