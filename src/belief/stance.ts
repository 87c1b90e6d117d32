/** How a statement stands to a belief: support and conflict in [0,1], from the NLI cross-encoder and closeness. */

/** What was measured between a statement and one retrieved belief. */
export interface Relation {
  /** Cosine scaled to [0,1]: 0 for unrelated sentences, 1 for paraphrases. */
  similarity: number
  /** P(the belief follows from the statement). */
  entailment: number
  /** P(the statement contradicts the belief). */
  contradiction: number
  /** P(the belief contradicts the statement): the cross-encoder asked the other way round. */
  contradictionBack: number
  /** The statement tells of a change and names the belief's value as the old one. */
  replaces: boolean
}

/** Bias and weights of the two log-odds; fitted by `npm run calibrate` on held-out statements and unrelated lines of dialogue. */
const calibration = { bias: -2.298, forth: 0.533, back: 0.799 }

/** Scaled similarities between which a hint comes to be plainly about a belief. */
const about = { from: 0.25, to: 0.75 }

/** Conflict of a belief whose value the statement names as the old one, when they are near: said in so many words. */
const replaced = 0.92

/**
 * Probability of a contradiction, calibrated. Asked one way, the cross-encoder calls a quarter of unrelated lines of dialogue contradictions;
 * a real one is seen from both sides.
 */
export function conflict({ contradiction, contradictionBack, replaces, similarity }: Relation): number {
  const { bias, forth, back } = calibration
  const seen = 1 / (1 + Math.exp(-(bias + forth * logOdds(contradiction) + back * logOdds(contradictionBack))))
  return replaces && similarity >= about.from ? Math.max(replaced, seen) : seen
}

function logOdds(probability: number): number {
  const p = Math.min(0.999, Math.max(0.001, probability))
  return Math.log(p / (1 - p))
}

/**
 * A statement supports what it entails. A hint ("another coffee, please") also supports what it is plainly about, as far as it does not
 * contradict it; an explicit statement does not, or "I like tea" would be swallowed by "I like coffee".
 */
export function support(relation: Relation, origin: 'explicit' | 'latent'): number {
  if (origin === 'explicit') return relation.entailment
  const closeness = Math.min(1, Math.max(0, (relation.similarity - about.from) / (about.to - about.from)))
  return Math.max(relation.entailment, closeness * (1 - relation.contradiction))
}
