/** Steps 2 and 4 of design §3: the beliefs that a statement meets, and how it stands to each. */

import type { Ablation } from '../belief/ablation.ts'
import type { Retrieved } from '../belief/evolve.ts'
import { isCurrent } from '../belief/lifecycle.ts'
import type { Origin } from '../belief/stance.ts'
import type { Belief } from '../memory.ts'
import type { Parameters } from '../parameters.ts'
import { cosine } from '../retrieval/semantic.ts'
import { tokenize } from '../retrieval/tokenize.ts'
import {
  addsUp,
  differentMatters,
  heldNow,
  leavesRoom,
  orderedState,
  otherValue,
  sameOfOthers,
  statedChange,
  substitutions,
  wasNotDone,
  withoutWhen,
  type StatedChange,
} from '../text/index.ts'
import type { Draft } from './draft.ts'
import type { Models } from './ports.ts'
import { compares, entail, reads } from './reads.ts'
import { beliefKey, isBeliefKey, parseKey, type State } from './state.ts'

export interface RelateContext {
  state: State
  models: Models
  parameters: Parameters
  without?: Ablation | undefined
  signal?: AbortSignal | undefined
}

export interface Statement {
  text: string
  speaker: string | undefined
  at: number
  topic: string | null
  embedding: Float32Array | undefined
  origin: Origin
  /** A standing instruction to the assistant. */
  instruction: boolean
  /** Passes by itself. */
  passing: boolean
}

/** Beliefs further from the statement than this (scaled cosine) are not put to the cross-encoder. */
const readFloor = 0.15
/** Pairs put to the cross-encoder for one statement, at most. */
const readMost = 6
/** Beliefs looked at: the best so many by BM25, and the nearest so many. */
const lexicalDepth = 200
const semanticDepth = 400
/** Superseded beliefs looked at for one that the statement wakes. */
const dormantRetrieved = 3
/** Scaled cosine, or share of words, from which two texts that follow from each other say the same. */
const alike = 0.5
/** A contradiction seen less than this one way is not asked the other way: whatever the answer, it would not count. */
const askBack = 0.2

export async function relate(context: RelateContext, draft: Draft, statement: Statement): Promise<Retrieved[]> {
  return read(context, statement, retrieve(context, draft, statement))
}

interface Candidate {
  belief: Belief
  score: number
  similarity: number
  dormant: boolean
}

/** Top K by s(m) = (α_sem·sem + α_lex·bm25 + α_top·topic) × w(m), and the nearest dormant ones without w. */
function retrieve(
  { state, parameters: p, without }: RelateContext,
  draft: Draft,
  { text, speaker, at, topic, embedding }: Statement,
): Candidate[] {
  const hits = state.lexical.search(text, lexicalDepth, isBeliefKey)
  const lexical = new Map(hits.map(({ id, score }) => [id, score / (score + p.lexicalHalf)]))
  const near = embedding ? state.beliefVectors.search(embedding, semanticDepth) : []
  const awake: Candidate[] = []
  const asleep: Candidate[] = []
  for (const belief of draft.among([...lexical.keys(), ...near.map(({ id }) => id)].map(key => parseKey(key).id))) {
    if (belief.speaker !== speaker) continue
    const vector = draft.vector(belief.id)
    const bm25 = lexical.get(beliefKey(belief.id)) ?? 0
    const semantic = embedding && vector ? scale(cosine(embedding, vector), p) : bm25
    const relevance =
      p.semanticWeight * semantic + p.lexicalWeight * bm25 + p.topicWeight * Number(topic !== null && topic === belief.topic)
    // The same words are near, whatever the signals say.
    const similarity = belief.text === text ? 1 : semantic
    const dormant = !isCurrent(belief, at)
    if (dormant) asleep.push({ belief, similarity, dormant, score: relevance })
    else awake.push({ belief, similarity, dormant, score: relevance * (without === 'withoutConfidence' ? 1 : draft.confidence(belief)) })
  }
  return [...best(awake, p.retrieved), ...best(asleep, dormantRetrieved)]
}

function scale(value: number, p: Parameters): number {
  return Math.min(1, Math.max(0, (value - p.similarityFloor) / (p.similarityCeiling - p.similarityFloor)))
}

function best(candidates: Candidate[], limit: number): Candidate[] {
  return candidates.sort((a, b) => b.score - a.score || (a.belief.id < b.belief.id ? -1 : 1)).slice(0, limit)
}

/** Puts the statement to the NLI cross-encoder with the nearest beliefs: premise the statement, hypothesis what the belief holds now. */
async function read(
  { state, models, parameters: p, signal }: RelateContext,
  statement: Statement,
  candidates: readonly Candidate[],
): Promise<Retrieved[]> {
  const { text: written, origin, instruction } = statement
  const text = orderedState(written) ?? written
  const near = (reads(models, 'nli', text) ? candidates : [])
    .filter(c => c.similarity >= readFloor && c.belief.text !== written && compares(models, text, c.belief.text))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, readMost)
  const held = new Map(candidates.map(c => [c, heldNow(c.belief.text)]))
  const asRead = new Map(near.map(c => [c, withoutWhen(held.get(c)!)]))
  const [premise, conclusion] = [withoutWhen(text), withoutWhen(heldNow(text))]
  const answers = await entail(
    models,
    near.map(c => [premise, asRead.get(c)!]),
    signal,
  )
  const forth = new Map(near.map((c, i) => [c, answers[i]!]))

  const open = near.filter(c => forth.get(c)!.contradiction >= askBack || forth.get(c)!.entailment >= p.mergeThreshold)
  const answersBack = await entail(
    models,
    open.map(c => [asRead.get(c)!, conclusion]),
    signal,
  )
  const back = new Map(open.map((c, i) => [c, answersBack[i]!]))

  const change = statedChange(text)
  const old = replacedTerms(change)
  return candidates.map(c => {
    const identical = c.belief.text === written
    const entailment = identical ? 1 : (forth.get(c)?.entailment ?? 0)
    const shared = state.lexical.shared(held.get(c)!, text)
    const replaces = !identical && tokenize(held.get(c)!).some(term => old.has(term))
    const onlyHint =
      !identical && ((origin === 'explicit' && c.belief.origin === 'latent') || (instruction && c.belief.instruction !== true))
    const bothWays = entailment >= p.mergeThreshold && (back.get(c)?.entailment ?? 0) >= p.mergeThreshold
    return {
      id: c.belief.id,
      score: c.score,
      similarity: c.similarity,
      dormant: c.dormant,
      entailment,
      entailmentBack: identical ? 1 : (back.get(c)?.entailment ?? 0),
      contradiction: forth.get(c)?.contradiction ?? 0,
      contradictionBack: back.get(c)?.contradiction ?? 0,
      replaces,
      shared,
      covered: state.lexical.shared(text, held.get(c)!),
      compatible: origin === 'explicit' && change === null && (leavesRoom(text) || leavesRoom(held.get(c)!) || addsUp(text, held.get(c)!)),
      otherValue: otherValue(text, held.get(c)!),
      undone: wasNotDone(text) && !wasNotDone(held.get(c)!),
      ...subjects({ ...statement, text }, c.belief, shared),
      onlyHint,
      // Each follows from the other: they say the same.
      same: identical || (bothWays && !replaces && !onlyHint && (c.similarity >= alike || shared >= alike)),
    }
  })
}

/** English, Chinese, German and Spanish; “please” speaks to the assistant for the speaker. */
const firstPerson = /\b(?:I|me|my|mine|myself|we|us|our|ours|please|ich|mir|mich|meine?\w*|wir|uns\w*|yo|mi|mis|me|nos\w*)\b|我|咱/i

/** “It keeps me awake at night”: what it is stands in another sentence. */
const DANGLING =
  /^(?:(?:yes|yep|yeah|no|nope|well|so|and|but|oh|ok|okay|honestly|actually|for (?:me|us)),?[.!]? )*(?:it|that|this|they|these|those|he|she)\b(?! \w+ (?:that|who|which)\b)/i

/** The speaker is what the statement is about; “my bookmarks in Chrome are a mess” is about something else, and says in passing what it says of them. */
const SPEAKER = /^(?:(?:and|so|but|also|actually|well|now),? )*(?:I|we)\b/i
/** Says outright that something holds, or holds no more, whatever it is about. */
const STATES =
  /\b(?:now|nowadays|these days|any ?more|no longer|not|never|always|only|instead|from now on|since|favou?rite|usual|name|job)\b|n['’]t\b/i

interface Subjects {
  sameSubject: number
  ofOthers: boolean
  ofTheSame: boolean
}
/** Neither speaks of what the other speaks of. */
const apart: Subjects = { sameSubject: 0, ofOthers: false, ofTheSame: false }

/**
 * Two statements of the speaker are about the speaker, but for one that does not name what it is about and has no word of the other. Of others,
 * those of the same build are about the same thing when they differ in one place, the value, and not in two, the subject as well; and those of
 * another build the more, the more words they share.
 */
function subjects(
  { text: statement, origin, passing }: Pick<Statement, 'text' | 'origin' | 'passing'>,
  { text: written, instruction, fades }: Belief,
  shared: number,
): Subjects {
  // What passes by itself says nothing against what lasts: “my brother is staying with me until Sunday”.
  if (passing && !fades) return apart
  const belief = orderedState(written) ?? written
  // What gives a value to another thing says nothing of this one, however alike they are built.
  if (differentMatters(statement, belief)) return { ...apart, ofOthers: true }
  // What one does says nothing of how one wants to be answered.
  if (origin === 'latent' && instruction) return apart
  const aside = origin === 'explicit' && !SPEAKER.test(statement) && !STATES.test(statement)
  const dangling = shared === 0 && (aside || DANGLING.test(statement) || DANGLING.test(belief))
  if ((origin === 'latent' || firstPerson.test(statement)) && firstPerson.test(belief)) return { ...apart, sameSubject: dangling ? 0 : 1 }
  const places = substitutions(statement, belief)
  if (places === null) return { ...apart, sameSubject: Math.min(1, Math.max(0, (shared - 0.25) / 0.25)) }
  const ofOthers = places > 1 || sameOfOthers(statement, belief)
  return { sameSubject: ofOthers ? 0 : 1, ofOthers, ofTheSame: !ofOthers }
}

/** Words of the old value in a statement of change, without those that name the new one too. */
function replacedTerms(change: StatedChange | null): Set<string> {
  if (!change || change.to === '') return new Set()
  const kept = new Set(tokenize(change.to))
  return new Set(tokenize(change.from).filter(term => !kept.has(term)))
}
