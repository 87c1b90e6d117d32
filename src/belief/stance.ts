/** How a statement stands to a belief: support and conflict in [0,1], from the NLI cross-encoder and closeness. */

/** Stated outright, or hinted at by a single act. */
export type Origin = 'explicit' | 'latent'

/** What was measured between a statement and one retrieved belief. */
export interface Relation {
  /** Cosine scaled to [0,1]: 0 for unrelated sentences, 1 for paraphrases. */
  similarity: number
  /** P(the belief follows from the statement). */
  entailment: number
  /** P(the statement follows from the belief); 0 where it was not asked. */
  entailmentBack: number
  /** P(the statement contradicts the belief). */
  contradiction: number
  /** P(the belief contradicts the statement): the cross-encoder asked the other way round. */
  contradictionBack: number
  /** The statement tells of a change and names the belief's value as the old one. */
  replaces: boolean
  /** Share of the belief's words, each weighed by its rarity, that the statement has; ∈ [0,1]. */
  shared: number
  /** Share of the statement's words, likewise, that the belief has. */
  covered: number
  /** How sure it is that both are about the same person or thing, ∈ [0,1]. */
  sameSubject: number
  /** One of them, by its build, rules out nothing. */
  compatible: boolean
  /** Both are built alike, but plainly about different subjects. */
  ofOthers: boolean
  /** Both are built alike and plainly about the same subject, not the speaker: they differ in one place. */
  ofTheSame: boolean
  /** They give two values to what has one. */
  otherValue: boolean
  /** The statement tells that something was not done, the belief that it is done. */
  undone: boolean
}

/** Bias and weights of the two log-odds; fitted by `npm run calibrate` on held-out statements and unrelated lines of dialogue. */
const calibration = { bias: 0.002, forth: 0.534, back: 0.405 }

/** Scaled similarity from which a statement and a belief are near each other. */
const near = 0.25

/** Share of words, by rarity, under which a statement and a belief have none in common. */
const strange = 0.05

/** Conflict of a belief whose value the statement names as the old one, when they are near, or for which it names another: said in so many words. */
const replaced = 0.92

/**
 * Probability of a contradiction, calibrated. Asked one way, the cross-encoder calls a quarter of unrelated lines of dialogue contradictions;
 * a real one is seen from both sides.
 */
export function conflict(relation: Relation, origin: Origin): number {
  const { bias, forth, back } = calibration
  // “My favourite pastime is pottery” and “my next goal is a kayak tour” have no word in common: what is seen less from one side is doubtful then.
  const least = relation.shared < strange ? Math.min(relation.contradiction, relation.contradictionBack) : 1
  const [contradiction, contradictionBack] = [Math.min(least, relation.contradiction), Math.min(least, relation.contradictionBack)]
  const seen = 1 / (1 + Math.exp(-(bias + forth * logOdds(contradiction) + back * logOdds(contradictionBack))))
  if (replacesIt(relation) || (origin === 'explicit' && relation.otherValue)) return Math.max(replaced, seen)
  // "Kyd was born in London" and "Lyly was born in Paris" contradict each other to the cross-encoder, which does not see whom they are about.
  const same = relation.compatible ? 0 : seen * relation.sameSubject
  // "The lift in our Milan office broke" names what "my office is in Milan" says: no contradiction, whatever the cross-encoder makes of it.
  return origin === 'latent' ? same * (1 - namesIt(relation)) : same
}

function logOdds(probability: number): number {
  const p = Math.min(0.999, Math.max(0.001, probability))
  return Math.log(p / (1 - p))
}

/**
 * A statement supports what it entails, when it speaks of the same thing in some of the same words or says just that: to the cross-encoder “I avoid
 * silk” entails “I dislike leather”. A hint supports what it entails, and what it names, most of its rarer words.
 */
export function support(relation: Relation, origin: Origin): number {
  const { entailment, entailmentBack, shared, undone } = relation
  if (undone) return 0
  if (origin === 'explicit') return entailment * Math.max(entailmentBack, ramp(shared, 0.1, 0.4))
  return Math.max(entailment, namesIt(relation))
}

/** Share of its words, by rarity, that a statement may have of its own before it is more than support for a belief. */
export const mostNew = 0.35

/** The statement tells of a change of just this. */
export function replacesIt({ replaces, similarity }: Relation): boolean {
  return replaces && similarity >= near
}

/** How far a hint names what a belief near it is about: most of its rarer words. */
export function namesIt({ similarity, shared, replaces, undone }: Relation): number {
  return !replaces && !undone && similarity >= near ? ramp(shared, 0.15, 0.5) : 0
}

function ramp(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)))
}
