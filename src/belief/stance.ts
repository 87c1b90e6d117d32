/** How a statement stands to a belief: support and conflict in [0,1], from the NLI cross-encoder and closeness. */

/** Stated outright, or hinted at by a single act. */
export type Origin = 'explicit' | 'latent'

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
  /** Share of the belief's words, each weighed by its rarity, that the statement has; ∈ [0,1]. */
  shared: number
  /** How sure it is that both are about the same person or thing, ∈ [0,1]. */
  sameSubject: number
}

/** Bias and weights of the two log-odds; fitted by `npm run calibrate` on held-out statements and unrelated lines of dialogue. */
const calibration = { bias: -1.632, forth: 0.487, back: 0.569 }

/** Scaled similarities between which a hint comes to be plainly about a belief. */
const about = { from: 0.25, to: 0.75 }

/** Conflict of a belief whose value the statement names as the old one, when they are near: said in so many words. */
const replaced = 0.92

/**
 * Probability of a contradiction, calibrated. Asked one way, the cross-encoder calls a quarter of unrelated lines of dialogue contradictions;
 * a real one is seen from both sides.
 */
export function conflict(relation: Relation, origin: Origin): number {
  const { contradiction, contradictionBack } = relation
  const { bias, forth, back } = calibration
  const seen = 1 / (1 + Math.exp(-(bias + forth * logOdds(contradiction) + back * logOdds(contradictionBack))))
  if (replacesIt(relation)) return Math.max(replaced, seen)
  // "Kyd was born in London" and "Lyly was born in Paris" contradict each other to the cross-encoder, which does not see whom they are about.
  const same = seen * relation.sameSubject
  // "The lift in our Milan office broke" names what "my office is in Milan" says: no contradiction, whatever the cross-encoder makes of it.
  return origin === 'latent' ? same * (1 - namesIt(relation)) : same
}

function logOdds(probability: number): number {
  const p = Math.min(0.999, Math.max(0.001, probability))
  return Math.log(p / (1 - p))
}

/**
 * A statement supports what it entails. A hint ("another coffee, please") also supports what it is plainly about, as far as it does not
 * contradict it; an explicit statement does not, or "I like tea" would be swallowed by "I like coffee".
 */
export function support(relation: Relation, origin: Origin): number {
  if (origin === 'explicit') return relation.entailment
  const closeness = ramp(relation.similarity, about.from, about.to)
  return Math.max(relation.entailment, closeness * (1 - relation.contradiction), namesIt(relation))
}

/** The statement tells of a change of just this. */
export function replacesIt({ replaces, similarity }: Relation): boolean {
  return replaces && similarity >= about.from
}

/** How far a hint names what a belief near it is about: most of its rarer words. */
function namesIt({ similarity, shared, replaces }: Relation): number {
  return !replaces && similarity >= about.from ? ramp(shared, 0.15, 0.5) : 0
}

function ramp(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)))
}
