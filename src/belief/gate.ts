/** The double-threshold gate (PreCoMem, design §3.5). */

export type Mechanism = 'maintain' | 'profile' | 'correct'

/** x ≤ θ_low: MAINTAIN; θ_low < x ≤ θ_high: PROFILE; x > θ_high: CORRECT. */
export function gate(surprisal: number, low: number, high: number): Mechanism {
  if (surprisal <= low) return 'maintain'
  return surprisal <= high ? 'profile' : 'correct'
}
