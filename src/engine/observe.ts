/** One turn: PreCoMem's loop (design §3), from the text to the one change that is committed at its end. */

import { decide, type Decision } from '../belief/evolve.ts'
import { weaken } from '../belief/correct.ts'
import { decays, isCurrent, promoted, prunable } from '../belief/lifecycle.ts'
import { reinforce } from '../belief/maintain.ts'
import { initialConfidence } from '../belief/profile.ts'
import type { Origin } from '../belief/stance.ts'
import type { Belief, IgnoredReason, Observation, PropositionOutcome, Role } from '../memory.ts'
import type { Parameters } from '../parameters.ts'
import { nearestTopic } from '../retrieval/topic.ts'
import {
  expiry,
  passages,
  propositions,
  screen,
  screenByRule,
  statedChange,
  wholeMessage,
  type Kept,
  type Proposition,
} from '../text/index.ts'
import { Draft } from './draft.ts'
import type { Change, Models, TurnRecord } from './ports.ts'
import { embedPassages, reads } from './reads.ts'
import { relate } from './relate.ts'
import { passageTexts, type State } from './state.ts'

export interface ObserveContext {
  state: State
  models: Models
  parameters: Parameters
  granularity: 'proposition' | 'turn'
  /** Embeddings of the topics, in their order; empty without an embedder. */
  anchors: readonly Float32Array[]
  signal?: AbortSignal | undefined
}

/** A turn with everything filled in. */
export interface WholeTurn {
  id: string
  role: Role
  text: string
  at: number
  speaker?: string
  conversation?: string
}

/** Cosine under which a statement has no topic. */
const topicFloor = 0.55
export async function observeTurn(context: ObserveContext, turn: WholeTurn): Promise<{ observation: Observation; change: Change }> {
  const { state, models } = context
  const order = state.nextOrder
  const tick = state.tick + (turn.role === 'user' ? 1 : 0)
  const draft = new Draft(state, { prefix: order.toString(36), stamp: models.vectorStamp, tick, at: turn.at })
  const kept = turn.role === 'user' || turn.role === 'assistant'
  const record: TurnRecord = { ...turn, order, tick, passages: kept ? passages(turn.text) : [] }
  draft.turns.push(record)

  const units = unitsOf(context, turn)
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
  if (vectors.turn) draft.vectors.push({ key: `t:${turn.id}`, stamp: models.vectorStamp, data: vectors.turn })

  const outcomes: PropositionOutcome[] = []
  for (const [i, unit] of units.entries()) {
    const embedding = reads(models, 'embedder', unit.text) ? vectors.units[i] : undefined
    const screened = byRule[i] ?? screen(unit, { ...about, embedding })
    if (screened.keep) outcomes.push(await evolve(context, draft, turn, unit, screened, embedding))
    else outcomes.push(ignored(unit, screened.reason))
  }
  if (outcomes.length === 0) outcomes.push(ignored({ text: '', span: [0, 0] }, turn.role === 'user' ? 'empty' : 'not-user'))

  if (turn.role === 'user') liveOn(context, draft)
  return {
    observation: { turn: turn.id, repeated: false, propositions: outcomes, changes: draft.changes },
    change: draft.toChange({ tick, order: order + 1, lastAt: turn.at }),
  }
}

/** Only what the user wrote can become a belief. */
function unitsOf({ granularity }: ObserveContext, turn: WholeTurn): Proposition[] {
  if (turn.role !== 'user') return []
  if (granularity === 'proposition') return propositions(turn.text)
  const whole = wholeMessage(turn.text)
  return whole ? [whole] : []
}

/** “I keep reaching for tea instead of coffee” is a single act, but it says outright what replaces what. */
function originOf(text: string, { origin }: Kept): Origin {
  return statedChange(text)?.to ? 'explicit' : origin
}

function ignored({ text, span }: Pick<Proposition, 'text' | 'span'>, reason: IgnoredReason): PropositionOutcome {
  return { text, span, route: 'ignored', reason, reliability: 0, rawSurprisal: 0, surprisal: 0, changes: [] }
}

/** Vectors of the turn's passages, one after the other, and of the statements that rules let pass (null for the others): one call for all. */
async function embedAll({ models, signal }: ObserveContext, record: TurnRecord, statements: readonly (string | null)[]) {
  if (!models.has.embedder) return { turn: undefined, units: [] as (Float32Array | undefined)[] }
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
  unit: Proposition,
  screened: Kept,
  embedding: Float32Array | undefined,
): Promise<PropositionOutcome> {
  const { parameters: p, anchors } = context
  const from = draft.changes.length
  const origin = originOf(unit.text, screened)
  const topic = embedding ? nearestTopic(embedding, anchors, topicFloor) : null
  const retrieved = await relate(context, draft, { text: unit.text, speaker: turn.speaker, at: turn.at, topic, embedding, origin })
  const decision = decide(retrieved, origin, p)
  const cite = (belief: string, stance: 'supports' | 'contradicts', strength: number) =>
    draft.cite({ belief, turn: turn.id, span: unit.span, stance, strength })

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
    const belief = newBelief(context, turn, unit, origin, decision, { id: subject, topic, tick: draft.tick, lasting: !screened.volatile })
    draft.create(belief, embedding)
    cite(subject, 'supports', belief.confidence)
  }

  const [later, earlier] = [
    decision.conflicting.filter(c => saidAfter(context, c.id, turn.at)),
    decision.conflicting.filter(c => !saidAfter(context, c.id, turn.at)),
  ]
  // A statement that comes in late, from an older chat, is history: what was said after it stands.
  for (const { id, severity } of later) {
    const after = weaken(draft.confidence(draft.belief(subject!)), p.correctRate, decision.surprisal, severity)
    draft.move(subject!, 'weakened', after, { supersededBy: id })
    draft.patch(id, { supersedes: [...new Set([...draft.belief(id).supersedes, subject!])] })
  }
  for (const { id, severity } of earlier) {
    draft.move(id, 'weakened', weaken(draft.confidence(draft.belief(id)), p.correctRate, decision.surprisal, severity), {
      supersededBy: subject!,
    })
    cite(id, 'contradicts', severity)
  }
  if (earlier.length > 0) {
    const replaced = earlier.map(c => c.id)
    draft.patch(subject!, { supersedes: [...new Set([...draft.belief(subject!).supersedes, ...replaced])] })
  }

  const { route, reliability, rawSurprisal, surprisal } = decision
  return { text: unit.text, span: unit.span, route, reliability, rawSurprisal, surprisal, changes: draft.changes.slice(from) }
}

/** Whether a belief was last supported by something written after `at`. */
function saidAfter({ state }: ObserveContext, id: string, at: number): boolean {
  return (state.evidenceOfBelief.get(id) ?? []).some(e => e.stance === 'supports' && e.at > at)
}

/** w ← w + η(1 − w), η = η_max · support; at τ_promote a hypothesis becomes a fact. */
function strengthen({ parameters: p }: ObserveContext, draft: Draft, id: string, support: number): void {
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
  { parameters: p }: ObserveContext,
  turn: WholeTurn,
  unit: Proposition,
  origin: Origin,
  decision: Decision,
  { id, topic, tick, lasting }: { id: string; topic: string | null; tick: number; lasting: boolean },
): Belief {
  const corrects = decision.route === 'correct'
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
    // A mood or a stay passes by itself.
    protected: origin === 'explicit' && lasting,
    ...(expiresAt !== undefined && { expiresAt }),
    pinned: false,
    supersedes: [],
  }
}

/** Step 6, once a user turn: hypotheses below the threshold go, and dated events that are over are told. */
function liveOn({ state, parameters: p }: ObserveContext, draft: Draft): void {
  const lastAt = state.meta['lastAt'] as number | undefined
  for (const belief of [...draft.all()]) {
    if (decays(belief) && prunable(belief, draft.confidence(belief), p.pruneBelow)) draft.prune(belief.id)
    else if (belief.expiresAt !== undefined && lastAt !== undefined && belief.expiresAt >= lastAt && belief.expiresAt < draft.at) {
      draft.move(belief.id, 'expired', draft.confidence(belief))
    }
  }
}
