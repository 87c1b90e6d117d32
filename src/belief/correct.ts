/** CORRECT (PreCoMem, design §3.5): KL-proximal mirror descent on what the new statement refutes. */

/** w ← w·exp(−β·x·ζ), ζ ∈ [0,1] the severity. Where ζ = 0 nothing moves. Stays above 0: nothing is deleted here. */
export function weaken(confidence: number, rate: number, surprisal: number, severity: number): number {
  return Math.max(Number.MIN_VALUE, confidence * Math.exp(-rate * surprisal * severity))
}
