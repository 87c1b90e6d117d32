/** One turn: PreCoMem's loop (design §3), from the text to the one change that is committed at its end. */

import type { Ablation } from '../belief/ablation.ts'
import { decide, type Decision } from '../belief/evolve.ts'
import { weaken } from '../belief/correct.ts'
import { decays, isCurrent, promoted, prunable } from '../belief/lifecycle.ts'
import { reinforce } from '../belief/maintain.ts'
import { accumulatedConflict, overtakes } from '../belief/overtake.ts'
import { initialConfidence } from '../belief/profile.ts'
import type { Origin } from '../belief/stance.ts'
import { rawSurprisal } from '../belief/surprisal.ts'
import type { Belief, IgnoredReason, Observation, PropositionOutcome, Role, Span } from '../memory.ts'
import type { Parameters } from '../parameters.ts'
import { nearestTopic } from '../retrieval/topic.ts'
import {
  denies,
  expiry,
  isOccasion,
  labelOf,
  passages,
  plain,
  propositions,
  restatements,
  screen,
  screenByRule,
  statedChange,
  wholeMessage,
  type CorrectionIntent,
  type Kept,
  type Proposition,
} from '../text/index.ts'
import { beliefsSaying, besides, currentOf, denied, forgettable, intentOf, saidBack } from './dialogue.ts'
import { Draft } from './draft.ts'
import { changesOf, forgetBeliefs } from './forget.ts'
import type { Change, Models, TurnRecord } from './ports.ts'
import { embedPassages, embeds, reads } from './reads.ts'
import { relate } from './relate.ts'
import { passageTexts, turnKey, type State } from './state.ts'

export interface ObserveContext {
  state: State
  models: Models
  parameters: Parameters
  granularity: 'proposition' | 'turn'
  /** Embeddings of the topics, in their order; empty without an embedder. */
  anchors: readonly Float32Array[]
  without?: Ablation | undefined
  signal?: AbortSignal | undefined
}

/** A turn with everything filled in. */
export interface WholeTurn {
  id: string
  role: Role
  text: string
  at: number
  speaker?: string
  trusted?: false
  conversation?: string
}

/** Milliseconds. */
const day = 86_400_000
/** Cosine under which a statement has no topic. */
const topicFloor = 0.55

/** A place in a message that a statement rests on. */
interface Source {
  turn: string
  span: Span
}

export interface Observed {
  observation: Observation
  change: Change
  /** The turn asked for something to be erased, and something was. */
  erased?: boolean
}

export async function observeTurn(context: ObserveContext, turn: WholeTurn): Promise<Observed> {
  const { state, models } = context
  const order = state.nextOrder
  const tick = state.tick + (turn.role === 'user' ? 1 : 0)
  const draft = new Draft(state, { prefix: order.toString(36), stamp: models.vectorStamp, tick, at: turn.at })
  const kept = turn.role === 'user' || turn.role === 'assistant'
  const record: TurnRecord = { ...turn, order, tick, passages: kept ? passages(turn.text) : [] }
  draft.turns.push(record)
  const meta = { tick, order: order + 1, lastAt: turn.at }
  const intent = intentOf(turn)
  if (intent?.kind === 'forget') return forgetAsTold(context, draft, record, intent, meta)
  if (intent?.kind === 'forget-all') return leaveToHost(record, meta)

  const units = besides(unitsOf(context, turn), turn, intent)
  const about = { message: turn.text, speaker: turn.speaker }
  const byRule = units.map(unit => screenByRule(unit, about))
  // Text that wants to be obeyed, and our own block, are kept with the turn but never searched: they must not come back into a prompt.
  const barred = units.filter((_, i) => {
    const ruled = byRule[i]
    return ruled?.keep === false && (ruled.reason === 'instruction-like' || ruled.reason === 'recalled')
  })
  record.passages = record.passages.filter(([start, end]) => !barred.some(({ span }) => span[0] < end && span[1] > start))
  const vectors = await embedAll(
    context,
    record,
    units.map((unit, i) => (byRule[i]?.keep === false ? null : unit.text)),
  )
  if (vectors.turn) draft.vectors.push({ key: turnKey(turn.id), stamp: models.vectorStamp, data: vectors.turn })

  const outcomes: PropositionOutcome[] = []
  for (const [i, unit] of units.entries()) {
    const vector = vectors.units[i]
    // What judges by it was trained on vectors of this model only.
    const embedding = reads(models, 'embedder', unit.text) ? vector : undefined
    const screened = byRule[i] ?? screen(unit, { ...about, embedding })
    const sources = [{ turn: turn.id, span: unit.span }]
    if (screened.keep) outcomes.push(await evolve(context, draft, turn, { unit, sources, screened, embedding, vector }))
    else outcomes.push(ignored(unit, screened.reason))
  }
  if (intent?.kind === 'confirm') outcomes.push(...(await confirm(context, draft, turn)))
  if (intent?.kind === 'wrong') await withdraw(context, draft, turn, intent)
  if (outcomes.length === 0) outcomes.push(ignored({ text: '', span: [0, 0] }, turn.role === 'user' ? 'empty' : 'not-user'))

  if (turn.role === 'user') liveOn(context, draft)
  else if (turn.role === 'assistant') await link(context, draft, turn)
  return {
    observation: { turn: turn.id, repeated: false, propositions: outcomes, changes: draft.changes },
    change: draft.toChange(meta),
  }
}

/** Statements about the person in one message of the assistant that are looked at. */
const restatedMost = 8

/**
 * What an assistant says of the person counts for nothing, but stands or falls with the belief that says the same: when that is superseded, the
 * assistant's words must not bring it back; when it is forgotten, they go too.
 */
async function link(context: ObserveContext, draft: Draft, turn: WholeTurn): Promise<void> {
  if (turn.speaker !== undefined) return
  for (const { text, span } of restatements(turn.text).slice(0, restatedMost)) {
    for (const belief of await beliefsSaying(context, draft, turn, text)) {
      draft.cite({ belief, turn: turn.id, span, stance: 'supports', strength: 0 })
    }
  }
}

/** “Forget that I …”: what it names is erased, and its own words are not kept either. */
async function forgetAsTold(
  context: ObserveContext,
  draft: Draft,
  record: TurnRecord,
  intent: CorrectionIntent,
  meta: Record<string, unknown>,
): Promise<Observed> {
  const { state } = context
  const { beliefs, turns } = await forgettable(context, draft, record, intent)
  const { forgotten, change } = forgetBeliefs(state, beliefs, turns)
  const changes = changesOf(forgotten, id => draft.confidence(draft.belief(id)))
  const put = { ...change.put, turns: [...(change.put?.turns ?? []), wordless(record)], meta: { ...change.put?.meta, ...meta } }
  const erased = forgotten.beliefs.length + forgotten.turns.length > 0
  return { observation: { ...request(record, 'request'), changes }, change: { ...change, put }, erased }
}

/** “Forget everything about me”: one line must not do what cannot be undone, so the host is told, which asks the person and erases. */
function leaveToHost(record: TurnRecord, meta: Record<string, unknown>): Observed {
  return { observation: request(record, 'forget-all'), change: { put: { turns: [wordless(record)], meta } } }
}

/** That there was a turn is kept, so that it is known again; what it said is not. */
const wordless = (record: TurnRecord): TurnRecord => ({ ...record, text: '', passages: [] })

function request({ id }: TurnRecord, reason: IgnoredReason): Observation {
  return { turn: id, repeated: false, propositions: [ignored({ text: '', span: [0, 0] }, reason)], changes: [] }
}

/** “Yes, right”: what the assistant has just said of the person counts as said by the person, with both messages as its sources. */
async function confirm(context: ObserveContext, draft: Draft, turn: WholeTurn): Promise<PropositionOutcome[]> {
  const back = saidBack(context.state, turn)
  const outcomes: PropositionOutcome[] = []
  for (const { text, span } of back?.statements ?? []) {
    const unit: Proposition = { text, span, kind: 'statement' }
    const [vector] = embeds(context.models) ? await embedPassages(context.models, [text], context.signal) : []
    const embedding = reads(context.models, 'embedder', text) ? vector : undefined
    const screened = screen(unit, { message: text, embedding })
    const sources = [
      { turn: back!.turn.id, span },
      { turn: turn.id, span: [0, turn.text.length] as const },
    ]
    if (screened.keep) outcomes.push(await evolve(context, draft, turn, { unit, sources, screened, embedding, vector }))
  }
  return outcomes
}

/** “That's wrong”: what it is about is withdrawn, and stays as history. */
async function withdraw(context: ObserveContext, draft: Draft, turn: WholeTurn, intent: CorrectionIntent): Promise<void> {
  for (const text of denied(context.state, turn, intent)) {
    for (const id of currentOf(draft, await beliefsSaying(context, draft, turn, text))) {
      if (!context.state.beliefs.has(id)) continue
      draft.move(id, 'retracted', draft.confidence(draft.belief(id)), { retracted: true })
      draft.cite({ belief: id, turn: turn.id, span: [0, turn.text.length], stance: 'contradicts', strength: 1 })
    }
  }
}

/** Only what the user wrote can become a belief. */
function unitsOf({ granularity }: ObserveContext, turn: WholeTurn): Proposition[] {
  if (turn.role !== 'user') return []
  if (granularity === 'proposition') return propositions(turn.text)
  const whole = wholeMessage(turn.text)
  return whole ? [whole] : []
}

/** What one says of one's present ways is said outright: “I eat meat again these days”. */
const PRESENT =
  /^(?:I|we)\b(?! (?:just |only )?(?:had|ate|drank|went|did|got|bought|made|saw|tried)\b).*\b(?:these days|nowadays|now)[.!]*$/i

/** “I keep reaching for tea instead of coffee” is a single act, but it says outright what replaces what. */
function originOf(text: string, { origin }: Kept): Origin {
  return (statedChange(text)?.to && !isOccasion(text)) || PRESENT.test(text) ? 'explicit' : origin
}

function ignored({ text, span }: Pick<Proposition, 'text' | 'span'>, reason: IgnoredReason): PropositionOutcome {
  return { text, span, route: 'ignored', reason, reliability: 0, rawSurprisal: 0, surprisal: 0, changes: [] }
}

/** Vectors of the turn's passages, one after the other, and of the statements that rules let pass (null for the others): one call for all. */
async function embedAll({ models, signal }: ObserveContext, record: TurnRecord, statements: readonly (string | null)[]) {
  if (!embeds(models)) return { turn: undefined, units: [] as (Float32Array | undefined)[] }
  const searched = passageTexts(record)
  const texts = [...new Set([...searched, ...statements.filter(text => text !== null)])]
  const byText = new Map((await embedPassages(models, texts, signal)).map((vector, i) => [texts[i]!, vector]))
  const turn = new Float32Array(searched.length * models.dimensions)
  searched.forEach((text, i) => turn.set(byText.get(text)!, i * models.dimensions))
  return { turn: searched.length > 0 ? turn : undefined, units: statements.map(text => (text === null ? undefined : byText.get(text))) }
}

/** Steps 2 to 5 of design §3 for one statement. */
async function evolve(
  context: ObserveContext,
  draft: Draft,
  turn: WholeTurn,
  {
    unit: said,
    sources,
    screened,
    embedding,
    vector,
  }: {
    unit: Proposition
    sources: readonly Source[]
    screened: Kept
    /** Of the embedder that the rules for belief evolution were calibrated on; undefined for a text that it cannot read. */
    embedding: Float32Array | undefined
    /** What the belief is found by. */
    vector: Float32Array | undefined
  },
): Promise<PropositionOutcome> {
  const { parameters: p, anchors, without } = context
  const from = draft.changes.length
  // The place in the message stays that of the words as they were written.
  const unit = { ...said, text: plain(said.text) }
  const origin = originOf(unit.text, screened)
  const topic = embedding ? nearestTopic(embedding, anchors, topicFloor) : null
  const { instruction } = screened
  const statement = {
    text: unit.text,
    speaker: turn.speaker,
    at: turn.at,
    topic,
    embedding,
    origin,
    instruction,
    passing: screened.passing !== null,
  }
  const retrieved = await relate(context, draft, statement)
  const decision = decide(retrieved, origin, p, without)
  const cite = (belief: string, stance: 'supports' | 'contradicts', strength: number) =>
    sources.forEach(source => draft.cite({ belief, ...source, stance, strength }))

  for (const { id, support } of decision.supported) {
    strengthen(context, draft, id, support)
    cite(id, 'supports', support)
  }

  let subject = decision.same
  if (subject !== null) {
    const belief = draft.belief(subject)
    if (isCurrent(belief, turn.at)) strengthen(context, draft, subject, 1)
    else wake(context, draft, subject, decision.route)
    cite(subject, 'supports', 1)
  } else if (decision.creates) {
    subject = draft.newId()
    const belief = newBelief(context, turn, unit, origin, decision, { id: subject, topic, tick: draft.tick, screened })
    draft.create(belief, vector)
    cite(subject, 'supports', belief.confidence)
  }

  const linked = without !== 'withoutConfidence'
  const after = (id: string, severity: number) => weaken(draft.confidence(draft.belief(id)), p.correctRate, decision.surprisal, severity)
  for (const { id, severity } of decision.conflicting) {
    // A statement that comes in late, from an older chat, is history: what was said after it stands.
    if (saidAfter(context, id, turn.at)) draft.supersede(subject!, id, after(subject!, severity), linked)
    else {
      draft.supersede(id, subject!, after(id, severity), linked)
      cite(id, 'contradicts', severity)
      // What takes the place of a standing instruction is one, however it is worded (“I've changed my mind, tables please”).
      if (draft.belief(id).instruction) draft.patch(subject!, { instruction: true })
    }
  }

  for (const { id, severity } of decision.rivals) cite(id, 'contradicts', severity)
  if (without !== 'withoutCorrect' && without !== 'withoutSurprisal' && without !== 'directWrite') {
    for (const holder of [...decision.supported.map(s => s.id), ...(subject === null ? [] : [subject])]) {
      overtake(context, draft, holder, decision.rivals)
    }
  }

  const { route, reliability, surprisal } = decision
  const changed = decision.conflicting.length > 0 || statedChange(unit.text) !== null || (denies(unit.text) && spokenOf(context, unit.text))
  const label = labelOf(unit.text, { instruction, changed })
  return {
    text: unit.text,
    span: unit.span,
    route,
    label,
    reliability,
    rawSurprisal: decision.rawSurprisal,
    surprisal,
    changes: draft.changes.slice(from),
  }
}

/** Share of a denial's words, by rarity, that an earlier text must have to be about the same. */
const aboutIt = 0.25

/** Whether something was said before about what a statement denies. */
function spokenOf({ state }: ObserveContext, text: string): boolean {
  const [nearest] = state.lexical.search(text, 1)
  return nearest !== undefined && nearest.overlap >= aboutIt
}

/**
 * Hints have spoken against a rival often enough, and nothing has supported it since: CORRECT. What takes its place is a fact (`holder`) that at least
 * one of them made; the others may have been taken for something else (“lights out at one”, “I set an alarm for one”).
 */
function overtake({ state, parameters: p, without }: ObserveContext, draft: Draft, holder: string, rivals: Decision['rivals']): void {
  if (draft.belief(holder).kind !== 'fact') return
  const now = new Map(rivals.map(({ id, severity }) => [id, severity]))
  const hints = new Set((state.evidenceOfBelief.get(holder) ?? []).filter(e => e.stance === 'supports').map(e => e.turn))
  const spokenAgainst = [...hints].flatMap(turn => (state.evidenceOfTurn.get(turn) ?? []).filter(e => e.stance === 'contradicts'))
  for (const id of new Set([...now.keys(), ...spokenAgainst.map(e => e.belief)])) {
    // A database of an earlier version may hold evidence of what was pruned.
    if (id === holder || !state.beliefs.has(id) || !isCurrent(draft.belief(id), draft.at)) continue
    const rival = draft.belief(id)
    const since = (state.evidenceOfBelief.get(id) ?? []).filter(
      e => e.stance === 'contradicts' && state.turns.get(e.turn)!.tick > rival.lastSupported,
    )
    if (!now.has(id) && !since.some(e => hints.has(e.turn))) continue
    // A turn counts once, however many of its places speak against the rival.
    const byTurn = new Map(since.map(e => [e.turn, e.strength]))
    const all = [...byTurn.values(), ...(now.has(id) ? [now.get(id)!] : [])]
    if (!overtakes(draft.belief(holder), all, p.gateHigh)) continue
    const conflict = accumulatedConflict(all)
    const surprisal = rawSurprisal(0, conflict, p.surprisalMix)
    draft.supersede(id, holder, weaken(draft.confidence(rival), p.correctRate, surprisal, conflict), without !== 'withoutConfidence')
  }
}

/** Whether a belief was last supported by something written after `at`. */
function saidAfter({ state }: ObserveContext, id: string, at: number): boolean {
  return (state.evidenceOfBelief.get(id) ?? []).some(e => e.stance === 'supports' && e.strength > 0 && e.at > at)
}

/** w ← w + η(1 − w), η = η_max · support; at τ_promote a hypothesis becomes a fact. */
function strengthen({ parameters: p, without }: ObserveContext, draft: Draft, id: string, support: number): void {
  if (without === 'withoutMaintain') return
  const belief = draft.belief(id)
  const after = reinforce(draft.confidence(belief), p.maintainRate * support)
  const supported = { lastSupported: draft.tick }
  if (promoted(belief, after, p.promoteAt)) draft.move(id, 'promoted', after, { ...supported, kind: 'fact' })
  else draft.move(id, 'reinforced', after, supported)
}

/** A superseded or withdrawn belief is said again: it is current again, as confident as a new statement of the kind would be. */
function wake({ parameters: p }: ObserveContext, draft: Draft, id: string, route: Decision['route']): void {
  const belief = draft.belief(id)
  const fresh = route === 'correct' ? p.correctInitial : p.explicitHigh
  const { supersededBy: _replaced, retracted: _retracted, ...rest } = belief
  draft.beliefs.set(id, rest)
  draft.move(id, 'woken', Math.max(draft.confidence(belief), fresh), {
    lastSupported: draft.tick,
    ...(fresh >= p.promoteAt && { kind: 'fact' as const }),
  })
}

function newBelief(
  { parameters: p, without }: ObserveContext,
  turn: WholeTurn,
  unit: Proposition,
  origin: Origin,
  decision: Decision,
  { id, topic, tick, screened }: { id: string; topic: string | null; tick: number; screened: Kept },
): Belief {
  const corrects = decision.route === 'correct' || without === 'withoutProfile'
  const [low, high] = origin === 'explicit' ? [p.explicitLow, p.explicitHigh] : [p.latentLow, p.latentHigh]
  const expiresAt = expiry(unit.text, turn.at)
  return {
    id,
    text: unit.text,
    kind: corrects ? 'fact' : 'hypothesis',
    origin,
    // The less it surprises, the surer it is from the start.
    confidence: corrects ? p.correctInitial : initialConfidence(1 - decision.surprisal / p.gateHigh, low, high, p.promoteAt),
    topic,
    ...(turn.speaker !== undefined && { speaker: turn.speaker }),
    createdAt: turn.at,
    lastSupported: tick,
    // What passes by itself needs no contradiction to go.
    protected: origin === 'explicit' && screened.passing === null,
    ...(screened.passing !== null && {
      fades: { from: turn.at, halfLife: day * { mood: p.moodHalfLife, spell: p.spellHalfLife }[screened.passing] },
    }),
    ...(screened.instruction && { instruction: true as const }),
    ...(expiresAt !== undefined && { expiresAt }),
    pinned: false,
    supersedes: [],
  }
}

/** Step 6, once a user turn: hypotheses below the threshold go, and dated events that are over are told. */
function liveOn({ state, parameters: p }: ObserveContext, draft: Draft): void {
  const lastAt = state.meta['lastAt'] as number | undefined
  for (const belief of draft.among([...state.passing])) {
    if (decays(belief) && prunable(belief, draft.confidence(belief), p.pruneBelow)) draft.prune(belief.id)
    else if (belief.expiresAt !== undefined && lastAt !== undefined && belief.expiresAt >= lastAt && belief.expiresAt < draft.at) {
      draft.move(belief.id, 'expired', draft.confidence(belief))
    }
  }
}
