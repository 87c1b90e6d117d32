/** Bank hygiene while nothing else is to be done: what said the same becomes one, and contradictions that were missed at writing are resolved. */

import { weaken } from '../belief/correct.ts'
import { isCurrent } from '../belief/lifecycle.ts'
import { reinforce } from '../belief/maintain.ts'
import { conflict } from '../belief/stance.ts'
import { rawSurprisal } from '../belief/surprisal.ts'
import type { Belief } from '../memory.ts'
import { Draft } from './draft.ts'
import type { Change } from './ports.ts'
import { reads } from './reads.ts'
import { relate, type RelateContext } from './relate.ts'

/** Beliefs looked at in one step: a step must leave room for a call that comes in meanwhile. */
const perStep = 8

export interface TidyStep {
  draft: Draft
  change: Change
  /** Beliefs still to be looked at. */
  left: number
}

/** One step over the beliefs that were supported since they were last looked at; null when there are none. `prefix` begins the ids it gives out. */
export async function tidyStep(context: RelateContext, at: number, prefix: string): Promise<TidyStep | null> {
  const { state, models } = context
  const tidied = (state.meta['tidied'] as number | undefined) ?? 0
  const open = [...state.beliefs.values()]
    .filter(belief => belief.lastSupported > tidied && isCurrent(belief, at))
    .sort((a, b) => a.lastSupported - b.lastSupported || (a.id < b.id ? -1 : 1))
  if (open.length === 0) return null
  // Beliefs of one turn are looked at together, so that the mark can be a turn.
  const last = open[Math.min(perStep, open.length) - 1]!.lastSupported
  const now = open.filter(belief => belief.lastSupported <= last)
  const draft = new Draft(state, { prefix, stamp: models.vectorStamp, tick: state.tick, at })
  for (const belief of now) await lookAt(context, draft, belief.id)
  return { draft, change: draft.toChange({ tidied: last }), left: open.length - now.length }
}

async function lookAt(context: RelateContext, draft: Draft, id: string): Promise<void> {
  const { parameters: p } = context
  const belief = draft.belief(id)
  const { text, speaker, topic, origin } = belief
  const statement = {
    text,
    speaker,
    at: draft.at,
    topic,
    embedding: reads(context.models, 'embedder', text) ? draft.vector(id) : undefined,
    origin,
    instruction: belief.instruction === true,
    passing: belief.fades !== undefined,
  }
  for (const found of await relate(context, draft, statement)) {
    const other = draft.belief(found.id)
    if (found.id === id || found.dormant || !isCurrent(other, draft.at) || !isCurrent(draft.belief(id), draft.at)) continue
    const severity = conflict(found, origin)
    if (found.same) merge(context, draft, id, other.id)
    // What only hints can wait for more of them.
    else if (severity > p.gateHigh && origin === 'explicit' && other.origin === 'explicit') resolve(context, draft, belief, other, severity)
  }
}

/** Each follows from the other: the one more is made of lives on, with the evidence of both. */
function merge({ state, parameters: p }: RelateContext, draft: Draft, a: string, b: string): void {
  const [kept, dropped] = draft.confidence(draft.belief(a)) >= draft.confidence(draft.belief(b)) ? [a, b] : [b, a]
  for (const { turn, span, stance, strength } of state.evidenceOfBelief.get(dropped) ?? [])
    draft.cite({ belief: kept, turn, span, stance, strength })
  const { confidence, lastSupported } = draft.belief(dropped)
  // As if it had been seen at once: the second statement supports the first.
  const after = reinforce(draft.confidence(draft.belief(kept)), p.maintainRate * Math.min(1, confidence))
  draft.move(kept, 'reinforced', after, { lastSupported: Math.max(draft.belief(kept).lastSupported, lastSupported) })
  draft.move(dropped, 'merged', draft.confidence(draft.belief(dropped)), { supersededBy: kept })
}

/** Two statements that cannot both hold: the one said last does. Said at the same time, neither can be preferred. */
function resolve({ state, parameters: p }: RelateContext, draft: Draft, a: Belief, b: Belief, severity: number): void {
  const said = (id: string) =>
    Math.max(...(state.evidenceOfBelief.get(id) ?? []).filter(e => e.stance === 'supports' && e.strength > 0).map(e => e.at))
  const [saidA, saidB] = [said(a.id), said(b.id)]
  if (saidA === saidB || !Number.isFinite(saidA) || !Number.isFinite(saidB)) return
  const [newer, older] = saidA > saidB ? [a.id, b.id] : [b.id, a.id]
  const surprisal = rawSurprisal(0, severity, p.surprisalMix)
  draft.supersede(older, newer, weaken(draft.confidence(draft.belief(older)), p.correctRate, surprisal, severity))
}
