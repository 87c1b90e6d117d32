/** A linear softmax classifier: weights of `screening-weights.ts`, features of `features.ts` followed by the embedding. */

import { surface, SURFACE } from './features.ts'
import type { Proposition } from './propositions.ts'
import { SCALE, WEIGHTS } from './screening-weights.ts'

/** The first `KEPT` are worth keeping: said about the speaker, hinted at, told to the assistant for good, told about the world. */
export const CLASSES = ['self', 'latent', 'instruction', 'world', 'question', 'request', 'talk', 'other'] as const
export type StatementClass = (typeof CLASSES)[number]
export const KEPT = 4

const DIMENSIONS = 384
/** A constant, the embedding's presence, the wording, the embedding. */
export const FEATURES = 2 + SURFACE + DIMENSIONS

const weights = Int8Array.from(atob(WEIGHTS), char => char.charCodeAt(0))

export function features(p: Proposition, message: string, embedding: Float32Array | undefined): Float32Array {
  const known = embedding?.length === DIMENSIONS
  const all = new Float32Array(FEATURES)
  all[0] = 1
  all[1] = known ? 1 : 0
  all.set(surface(p, message), 2)
  // A normalised embedding's components are about 1/√384: brought to the size of the other features.
  if (known) for (let i = 0; i < DIMENSIONS; i++) all[2 + SURFACE + i] = 4 * embedding[i]!
  return all
}

/** The likeliest class, and the summed probability of those worth keeping. */
export function classify(p: Proposition, message: string, embedding?: Float32Array): { probability: number; best: StatementClass } {
  const x = features(p, message, embedding)
  const scores = CLASSES.map((_, c) => {
    let score = 0
    for (let k = 0; k < FEATURES; k++) score += weights[c * FEATURES + k]! * x[k]!
    return SCALE * score
  })
  const top = Math.max(...scores)
  const powers = scores.map(score => Math.exp(score - top))
  const total = powers.reduce((sum, power) => sum + power, 0)
  const probability = powers.slice(0, KEPT).reduce((sum, power) => sum + power, 0) / total
  return { probability, best: CLASSES[scores.indexOf(top)]! }
}
