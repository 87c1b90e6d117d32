/** How a statement stands to a belief: support and conflict in [0,1], from the NLI cross-encoder and closeness. */

/** What was measured between a statement and one retrieved belief. */
export interface Relation {
  /** Cosine scaled to [0,1]: 0 for unrelated sentences, 1 for paraphrases. */
  similarity: number
  /** P(belief follows from the statement). */
  entailment: number
  /** P(belief contradicts the statement). */
  contradiction: number
}

/** Scaled similarity from which two sentences may be about the same thing. Calibrated. */
const near = 0.25

/**
 * The cross-encoder calls many pairs of unrelated sentences contradictions, so its word counts in full only for sentences that are near each
 * other: conflict = P(contradiction) · min(1, similarity / near).
 */
export function conflict({ similarity, contradiction }: Relation): number {
  return contradiction * Math.min(1, Math.max(0, similarity) / near)
}

/**
 * A statement supports what it entails. A hint ("another americano, please") also supports what it is plainly about, as far as it does not
 * contradict it; an explicit statement does not, or "I like tea" would be swallowed by "I like coffee".
 */
export function support(relation: Relation, origin: 'explicit' | 'latent'): number {
  if (origin === 'explicit') return relation.entailment
  const about = Math.min(1, Math.max(0, relation.similarity - near) / (1 - 2 * near))
  return Math.max(relation.entailment, about * (1 - relation.contradiction))
}
