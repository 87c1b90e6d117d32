/** Step 1 of recall (design §4): BM25 and dense ranks fused over beliefs and passages of turns, each memory once, nothing outdated. */

import { isCurrent } from '../belief/lifecycle.ts'
import type { Signals } from '../evidence/head.ts'
import type { Belief, Evidence, Role, Span } from '../memory.ts'
import type { Parameters } from '../parameters.ts'
import { fuse } from '../retrieval/fuse.ts'
import { bestFirst } from '../retrieval/rank.ts'
import { cosine } from '../retrieval/semantic.ts'
import { heldNow, isShortQuestion } from '../text/index.ts'
import type { TurnRecord } from './ports.ts'
import { attributed, beliefKey, isBeliefKey, parseKey, passageKey, type State } from './state.ts'

export interface Candidate extends Signals {
  kind: 'belief' | 'turn'
  id: string
  role: Role
  /** Text that is scored and shown: a belief's, or the best passage of a turn. */
  text: string
  turns: string[]
  at: number
  /** w; null for a turn. */
  confidence: number | null
  past: boolean
  /** From a chat between people. */
  between: boolean
  /** Beliefs whose place it took and by which it was found: what answered a question once tells where the answer is now. */
  before: readonly string[]
}

export interface Question {
  text: string
  vector: Float32Array | undefined
  /** What is searched for: the whole message, and each question by itself where it asks several. */
  asked: readonly { text: string; vector: Float32Array | undefined }[]
  at: number
  /** Whether it asks about what used to hold. */
  past: boolean
  /** Log-odds that a message like it is answered better by knowing the person. */
  need: number
  /** Whether it asks how the person wants to be answered. */
  manner: boolean
  /** Turns that the host's model sees anyway. */
  exclude: ReadonlySet<string>
}

/** A belief stands for the passage it came from when its quotation fills this share of it. */
const standsFor = 0.6
/** Memories that come from one turn alone, at most: the turn and a belief. */
const perTurn = 2
/** Log-odds, the most that `need` gives. */
const surelyNeeded = 4
/** Characters that must be left of a passage when what was superseded is taken out. */
const leastLeft = 20

export function findCandidates(state: State, question: Question, p: Parameters): Candidate[] {
  const depth = p.candidates * 4
  const overlaps = new Map<string, number>()
  const rankings = question.asked.flatMap(({ text, vector }) => rank(state, text, vector, depth, p, overlaps))
  const fused = fuse(rankings, p.fusionConstant)
  const best = fused[0]?.score ?? 1

  const found = new Map<string, Candidate>()
  const bySource = new Map<string, number>()
  for (const { id: key, score } of fused) {
    const memory = memoryOf(state, key, question)
    if (!memory) continue
    // By what it took the place of it is found, and no nearer for it.
    const own = memory.before.length > 0 ? beliefKey(memory.id) : key
    const signals = {
      fused: score / best,
      cosine: nearest(question, state.vector(own)),
      overlap: overlaps.get(own) ?? 0,
    }
    const name = nameOf(memory)
    const known = found.get(name)
    // A memory that was found by several of its texts keeps the best of each signal, and the text found first.
    if (known) {
      known.cosine = Math.max(known.cosine, signals.cosine)
      known.overlap = Math.max(known.overlap, signals.overlap)
      known.before = [...known.before, ...memory.before]
      continue
    }
    // A turn with many statements must not fill the list by itself.
    const source = memory.turns.length === 1 ? memory.turns[0]! : name
    const taken = bySource.get(source) ?? 0
    if (found.size >= p.candidates || taken >= perTurn) continue
    bySource.set(source, taken + 1)
    found.set(name, { ...memory, ...signals })
  }
  return [...found.values()]
}

/** What tells one memory from the others, whatever text of it was found. */
export const nameOf = ({ kind, id }: Pick<Candidate, 'kind' | 'id'>) => `${kind}:${id}`

/** Keys by words and by meaning, best first; notes the best overlap of each. */
function rank(
  state: State,
  text: string,
  vector: Float32Array | undefined,
  depth: number,
  p: Parameters,
  overlaps: Map<string, number>,
): string[][] {
  const lexical = state.lexical.search(text, depth)
  for (const { id, overlap } of lexical) overlaps.set(id, Math.max(overlap, overlaps.get(id) ?? 0))
  // A long turn may have the words of the question spread over its passages: whole turns are a ranking of their own.
  const isWhole = (id: string) => id.startsWith('w:')
  const whole = lexical.filter(hit => isWhole(hit.id))
  const parts = lexical.filter(hit => !isWhole(hit.id))
  // So are beliefs, which a long chat's many messages would otherwise crowd out.
  const nearBeliefs = vector ? state.beliefVectors.search(vector, depth) : []
  const nearPassages = vector ? state.passageVectors.search(vector, depth) : []
  const dense = [...nearBeliefs, ...nearPassages].sort(bestFirst).slice(0, depth)
  const believed = vector ? nearBeliefs.slice(0, p.candidates) : parts.filter(hit => isBeliefKey(hit.id))
  return [parts, whole, dense, believed].map(ranking => ranking.map(hit => hit.id))
}

/** The highest cosine of a memory's vector with what is asked; 0 without vectors. */
function nearest({ asked }: Question, vector: Float32Array | undefined): number {
  return Math.max(...asked.map(part => (part.vector && vector ? cosine(part.vector, vector) : 0)))
}

/** A memory, by one of its indexed texts, that the search did not rank. */
export function unranked(state: State, key: string, memory: Memory, question: Question): Candidate {
  const overlap = Math.max(...question.asked.map(({ text }) => state.lexical.shared(text, memory.text)))
  return { ...memory, fused: 0, cosine: nearest(question, state.vector(key)), overlap }
}

/** A standing instruction bears on tasks as well as on personal questions, and most on how the person wants to be answered. */
function needOfInstruction({ need, manner }: Question): number {
  return manner ? surelyNeeded : Math.max(0, need)
}

/** A memory before it is compared with the question. */
type Memory = Omit<Candidate, 'fused' | 'cosine' | 'overlap'>

/** The memory that an indexed text stands for, or null when it must not be shown. */
export function memoryOf(state: State, key: string, question: Question): Memory | null {
  const parsed = parseKey(key)
  if (parsed.kind === 'belief') return resolveBelief(state, parsed.id, question)

  const turn = state.turns.get(parsed.id)
  if (!turn || question.exclude.has(turn.id)) return null
  // A short question that the person once put to the assistant says nothing of them; a long one tells what it is about.
  if (!question.past && turn.role === 'user' && turn.speaker === undefined && isShortQuestion(turn.text)) return null
  const passage = parsed.passage ?? bestPassage(state, turn, question)
  const span = turn.passages[passage]!
  const said = (state.evidenceOfTurn.get(turn.id) ?? []).filter(e => e.stance === 'supports' && overlap(e.span, span) > 0)
  const current = said.filter(e => isCurrent(state.beliefs.get(e.belief)!, question.at))
  const covering = current.filter(e => overlap(e.span, span) >= standsFor * (span[1] - span[0]))
  const stated = covering.find(e => statedBy(state, e) || edited(state, e))
  if (stated) return resolveBelief(state, stated.belief, question)

  const outdated = said.filter(e => !current.includes(e))
  // What the turn states besides is found as a belief of its own.
  const shown = [...outdated, ...current.filter(e => statedBy(state, e))]
  const text = question.past || outdated.length === 0 ? turn.text.slice(...span) : without(turn, span, shown)
  if (text === null) return null
  return {
    kind: 'turn',
    id: turn.id,
    role: turn.role,
    text: attributed(covering.length > 0 && !question.past ? heldNow(text) : text, turn.speaker),
    turns: [turn.id],
    at: turn.at,
    confidence: null,
    // A short message that was not worth keeping is seldom asked for; a long one says more than what was kept, and between people anything is.
    held: current.length > 0 || turn.speaker !== undefined || turn.passages.length > 1,
    past: question.past && outdated.length > 0,
    between: turn.speaker !== undefined,
    before: [],
    evidence: null,
    need: question.need,
  }
}

/** The passage of a turn that is nearest to the question; the first without an embedder. */
function bestPassage(state: State, turn: TurnRecord, { vector }: Question): number {
  const near = turn.passages.map((_, i) => {
    const own = state.vector(passageKey(turn.id, i))
    return vector && own ? cosine(vector, own) : 0
  })
  return near.indexOf(Math.max(...near))
}

/** A passage without some of its statements, such as superseded ones, which would bring the old value back; null when hardly anything is left. */
function without(turn: TurnRecord, [start, end]: Span, statements: readonly Evidence[]): string | null {
  const pieces: string[] = []
  let from = start
  for (const { span } of [...statements].sort((a, b) => a.span[0] - b.span[0])) {
    if (span[0] > from) pieces.push(turn.text.slice(from, span[0]))
    from = Math.max(from, span[1])
  }
  if (end > from) pieces.push(turn.text.slice(from, end))
  const left = pieces
    .map(piece => piece.trim())
    .filter(piece => /[\p{L}\p{N}]{2}/u.test(piece))
    .join(' … ')
  return left.length >= leastLeft ? left : null
}

function resolveBelief(state: State, id: string, question: Question): Memory | null {
  const belief = state.beliefs.get(id)!
  const past = !isCurrent(belief, question.at)
  if (past && !question.past) return successor(state, belief, question)
  // It lives on in the belief that it was merged into.
  if (past && state.trailOfBelief.get(id)?.at(-1)?.kind === 'merged') return null
  const evidence = (state.evidenceOfBelief.get(id) ?? []).filter(e => e.stance === 'supports')
  const turns = [...new Set(evidence.map(e => e.turn))]
  if (turns.length > 0 && turns.every(turn => question.exclude.has(turn))) return null
  return {
    kind: 'belief',
    id,
    role: 'user',
    // The value that a change did away with stands in the statement of the change: it is not shown, unless the past is asked for.
    text: attributed(question.past ? belief.text : heldNow(belief.text), belief.speaker),
    turns,
    at: evidence.at(-1)?.at ?? belief.createdAt,
    confidence: state.confidence(belief, state.tick, question.at),
    held: !past,
    past,
    between: belief.speaker !== undefined,
    before: [],
    evidence: null,
    need: belief.instruction ? needOfInstruction(question) : question.need,
  }
}

/** What holds in the place of a belief that does not hold any more, if anything does. */
function successor(state: State, belief: Belief, question: Question): Memory | null {
  const before = new Set<Belief>()
  let next: Belief | undefined = belief
  // A ring is a broken store: it has no end that holds.
  while (next && !before.has(next) && !isCurrent(next, question.at)) {
    before.add(next)
    next = next.supersededBy === undefined ? undefined : state.beliefs.get(next.supersededBy)
  }
  if (!next || before.has(next)) return null
  const memory = resolveBelief(state, next.id, question)
  return memory && { ...memory, before: [...before].map(({ text, speaker }) => attributed(heldNow(text), speaker)) }
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
