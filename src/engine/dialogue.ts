/** What a person says about what was said or remembered before: “yes, right”, “that's wrong”, “forget that I …”. */

import { isCurrent } from '../belief/lifecycle.ts'
import { correctionIntent, propositions, restatements, type CorrectionIntent, type Proposition, type Restatement } from '../text/index.ts'
import type { Draft } from './draft.ts'
import type { TurnRecord } from './ports.ts'
import { relate, type RelateContext } from './relate.ts'
import { embedPassages, reads } from './reads.ts'
import { isBeliefKey, parseKey, passageTexts, type State } from './state.ts'

interface Said {
  role: string
  text: string
  at: number
  speaker?: string
  conversation?: string
}

/** Only a user speaks of the memory, and only to an assistant. */
export function intentOf({ role, text, speaker }: Said): CorrectionIntent | null {
  return role === 'user' && speaker === undefined ? correctionIntent(text) : null
}

/** The message that the turn answers: the last one of the conversation. */
function answered(state: State, { conversation }: Said): TurnRecord | undefined {
  return state.order.findLast(turn => turn.conversation === conversation)
}

/** What the assistant has just said about the person, in the person's words. */
export function saidBack(state: State, turn: Said): { turn: TurnRecord; statements: Restatement[] } | null {
  const before = answered(state, turn)
  return before?.role === 'assistant' ? { turn: before, statements: restatements(before.text) } : null
}

/** What a message states besides “yes” or “that's wrong”: its statements without those words, and without what is only denied. */
export function besides(units: readonly Proposition[], { text }: Said, intent: CorrectionIntent | null): Proposition[] {
  if (!intent || intent.about === '') return [...units]
  const start = NEVER_SAID.test(intent.about) ? text.length : Math.max(0, text.indexOf(intent.about))
  return units
    .filter(({ span }) => span[1] > start)
    .map(unit => (unit.span[0] >= start ? unit : { ...unit, text: text.slice(start, unit.span[1]), span: [start, unit.span[1]] }))
}

const NEVER_SAID = /^i (?:never|didn't|did not) (?:said|say|told you|tell you|mentioned|mention)(?: that)? (?<what>.+)/i

/** What the person says does not hold: named outright, what the assistant has just said, or, where that is not told, what they said themselves. */
export function denied(state: State, turn: Said, { about }: CorrectionIntent): string[] {
  const named = NEVER_SAID.exec(about)?.groups?.['what']
  if (named !== undefined) return [named]
  const before = answered(state, turn)
  if (before?.role === 'user') return supportedBy(state, before).map(id => state.beliefs.get(id)!.text)
  return (saidBack(state, turn)?.statements ?? []).map(({ text }) => text)
}

/** Beliefs that a message supports. */
function supportedBy(state: State, { id }: TurnRecord): string[] {
  return (state.evidenceOfTurn.get(id) ?? []).filter(e => e.stance === 'supports').map(e => e.belief)
}

/** Share of the words of what is to go, by rarity, that a text must have when it is no statement to be understood (“my phone number”). */
const namesIt = 0.6

/** Beliefs that say what `text` says, or, for `text` that names a thing only, that speak of it. Past ones are among them. */
export async function beliefsSaying(context: RelateContext, draft: Draft, { speaker, at }: Said, text: string): Promise<string[]> {
  const { state, models, parameters: p, signal } = context
  const isStatement = /^(?:I|I'm|I've|my|we|our)\b/i.test(text) && text.trim().split(/\s+/).length >= 3
  const embedding = reads(models, 'embedder', text) ? (await embedPassages(models, [text], signal))[0] : undefined
  const related = await relate(context, draft, {
    text,
    speaker,
    at,
    topic: null,
    embedding,
    origin: 'explicit',
    instruction: false,
    passing: false,
  })
  const entailed = related.filter(r => r.same || r.entailment >= p.mergeThreshold).map(r => r.id)
  const wording = state.lexical.search(text, Infinity, isBeliefKey).map(({ id }) => parseKey(id).id)
  const named = draft.among(wording).filter(b => b.speaker === speaker && state.lexical.shared(text, b.text) >= (isStatement ? 1 : namesIt))
  return [...new Set([...entailed, ...named.map(b => b.id)])]
}

/** What “forget …” is about: beliefs, and the user's messages that have its words. “Forget that” means the user's message before. */
export async function forgettable(context: RelateContext, draft: Draft, turn: Said, { about }: CorrectionIntent) {
  const { state } = context
  if (about === '') {
    const last = state.order.findLast(t => t.conversation === turn.conversation && t.role === 'user')
    return { beliefs: new Set(last ? supportedBy(state, last) : []), turns: new Set(last ? [last.id] : []) }
  }
  const beliefs = await beliefsSaying(context, draft, turn, about)
  const turns = state.order.filter(
    t => t.role === 'user' && passageTexts(t).some(text => propositions(text).some(p => state.lexical.shared(about, p.text) >= 0.9)),
  )
  return { beliefs: new Set(beliefs), turns: new Set(turns.map(t => t.id)) }
}

/** Of beliefs, those that hold now. */
export function currentOf(draft: Draft, ids: readonly string[]): string[] {
  return ids.filter(id => isCurrent(draft.belief(id), draft.at))
}
