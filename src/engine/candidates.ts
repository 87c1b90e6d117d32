/** Step 1 of recall (design §4): BM25 and dense ranks fused over beliefs and passages of turns, each memory once, nothing outdated. */

import { isCurrent } from '../belief/lifecycle.ts'
import type { Signals } from '../evidence/head.ts'
import type { Evidence, Span } from '../memory.ts'
import type { Parameters } from '../parameters.ts'
import { fuse } from '../retrieval/fuse.ts'
import { cosine } from '../retrieval/semantic.ts'
import { heldNow } from '../text/index.ts'
import { attributed, parseKey, passageTexts, type State } from './state.ts'

export interface Candidate extends Signals {
  kind: 'belief' | 'turn'
  id: string
  /** Text that is scored and shown: a belief's, or the best passage of a turn. */
  text: string
  turns: string[]
  at: number
  /** w; null for a turn. */
  confidence: number | null
  past: boolean
}

export interface Question {
  text: string
  vector: Float32Array | undefined
  at: number
  /** Whether it asks about what used to hold. */
  past: boolean
  /** Log-odds that a message like it is answered better by knowing the person. */
  need: number
  /** Turns that the host's model sees anyway. */
  exclude: ReadonlySet<string>
}

/** A belief stands for the passage it came from when its quotation fills this share of it. */
const standsFor = 0.6

export function findCandidates(state: State, question: Question, p: Parameters): Candidate[] {
  const depth = p.candidates * 4
  const lexical = state.lexical.search(question.text, depth)
  const dense = question.vector ? state.semantic.search(question.vector, depth) : []
  const fused = fuse([lexical.map(hit => hit.id), dense.map(hit => hit.id)], p.fusionConstant)
  const best = fused[0]?.score ?? 1
  const overlaps = new Map(lexical.map(hit => [hit.id, hit.overlap]))

  const found = new Map<string, Candidate>()
  for (const { id: key, score } of fused) {
    const memory = resolve(state, key, question)
    if (!memory) continue
    const vector = state.semantic.get(key)
    const signals = {
      fused: score / best,
      cosine: question.vector && vector ? cosine(question.vector, vector) : 0,
      overlap: overlaps.get(key) ?? 0,
      evidence: null,
      need: question.need,
    }
    const name = `${memory.kind}:${memory.id}`
    const known = found.get(name)
    // A memory that was found by several of its texts keeps the best of each signal, and the text found first.
    if (known) {
      known.cosine = Math.max(known.cosine, signals.cosine)
      known.overlap = Math.max(known.overlap, signals.overlap)
    } else if (found.size < p.candidates) found.set(name, { ...memory, ...signals })
  }
  return [...found.values()]
}

type Memory = Omit<Candidate, Exclude<keyof Signals, 'held'>>

/** The memory that an indexed text stands for, or null when it must not be shown. */
function resolve(state: State, key: string, question: Question): Memory | null {
  const parsed = parseKey(key)
  if (parsed.kind === 'belief') return resolveBelief(state, parsed.id, question)

  const turn = state.turns.get(parsed.id)
  if (!turn || question.exclude.has(turn.id)) return null
  const span = turn.passages[parsed.passage]!
  const said = (state.evidenceOfTurn.get(turn.id) ?? []).filter(e => e.stance === 'supports' && overlap(e.span, span) > 0)
  const current = said.filter(e => isCurrent(state.beliefs.get(e.belief)!, question.at))
  // It says something that was superseded, and would bring the old value back. What else it states is found as a belief.
  const outdated = current.length < said.length
  if (outdated && !question.past) return null
  const stated = current.find(e => overlap(e.span, span) >= standsFor * (span[1] - span[0]) && (statedBy(state, e) || edited(state, e)))
  if (stated) return resolveBelief(state, stated.belief, question)
  const text = passageTexts(turn)[parsed.passage]!
  const single = current.some(e => overlap(e.span, span) >= standsFor * (span[1] - span[0]))
  return {
    kind: 'turn',
    id: turn.id,
    text: single && !question.past ? heldNow(text) : text,
    turns: [turn.id],
    at: turn.at,
    confidence: null,
    // What was not worth keeping in a talk with an assistant is seldom asked for; in a chat between people anything is.
    held: current.length > 0 || turn.speaker !== undefined,
    past: outdated,
  }
}

function resolveBelief(state: State, id: string, question: Question): Memory | null {
  const belief = state.beliefs.get(id)!
  const past = !isCurrent(belief, question.at)
  if (past && !question.past) return null
  const evidence = (state.evidenceOfBelief.get(id) ?? []).filter(e => e.stance === 'supports')
  const turns = [...new Set(evidence.map(e => e.turn))]
  if (turns.length > 0 && turns.every(turn => question.exclude.has(turn))) return null
  return {
    kind: 'belief',
    id,
    // The value that a change did away with stands in the statement of the change: it is not shown, unless the past is asked for.
    text: attributed(question.past ? belief.text : heldNow(belief.text), belief.speaker),
    turns,
    at: evidence.at(-1)?.at ?? belief.createdAt,
    confidence: state.confidence(belief),
    held: !past,
    past,
  }
}

/** Whether the belief has the words of this evidence. */
function statedBy(state: State, evidence: Evidence): boolean {
  return state.turns.get(evidence.turn)!.text.slice(...evidence.span) === state.beliefs.get(evidence.belief)!.text
}

/** Whether the person has put other words in the place of those that this evidence quotes. */
function edited(state: State, evidence: Evidence): boolean {
  return (state.trailOfBelief.get(evidence.belief) ?? []).some(point => point.kind === 'edited' && point.at >= evidence.at)
}

function overlap(a: Span, b: Span): number {
  return Math.max(0, Math.min(a[1], b[1]) - Math.max(a[0], b[0]))
}
