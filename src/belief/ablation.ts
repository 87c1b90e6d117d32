/**
 * The switches of PreCoMem's ablation table (design §3): each takes one part out of the loop. For the bench only; no public option sets them.
 *
 * - `withoutSurprisal`: x = 0, everything goes MAINTAIN. What nothing supports still becomes a hypothesis, or the bank would stay empty.
 * - `withoutConfidence`: w counts as 1 wherever memory is searched, and what was corrected is found like the rest.
 * - `withoutReliability`: ρ = 1.
 * - `withoutProfile`: no waiting room. What would wait as a hypothesis is a fact at once, and a hint corrects like a statement.
 * - `withoutCorrect`: a correction is written as a new fact; what it refutes stays as it is.
 * - `withoutMaintain`: support changes nothing.
 * - `directWrite`: no ρ, no x, no gate. The cross-encoder's most probable class, one way and uncalibrated, is written at once: contradicted
 *   beliefs are replaced, entailed ones are said already, everything else is a fact.
 */
export type Ablation = (typeof ablations)[number]

export const ablations = [
  'withoutSurprisal',
  'withoutConfidence',
  'withoutReliability',
  'withoutProfile',
  'withoutCorrect',
  'withoutMaintain',
  'directWrite',
] as const
