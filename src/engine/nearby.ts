/** The messages around a hit: in a conversation what answers a question often stands beside what shares its words. */

import type { RecalledItem } from '../memory.ts'
import type { Parameters } from '../parameters.ts'
import { memoryOf, nameOf, unranked, type Candidate, type Question } from './candidates.ts'
import { lift } from './lift.ts'
import type { TurnRecord } from './ports.ts'
import { passageKey, type State } from './state.ts'

/** Positions looked at on each side for messages of the same conversation; others may have gone on beside it. */
const look = 8

/** Short messages that stand near the best `p.expandedHits` candidates and are not among the candidates yet. */
export function neighbours(state: State, question: Question, candidates: readonly Candidate[], p: Parameters): Candidate[] {
  const best = [...candidates].sort((a, b) => strength(b) - strength(a)).slice(0, p.expandedHits)
  const known = new Set(candidates.map(nameOf))
  const found: Candidate[] = []
  const near = best.map(hit => nearTurns(state, hit.turns.at(-1), p.conversationReach))
  for (const id of near.flatMap(({ before, after }) => [...before, ...after])) {
    const key = passageKey(id, 0)
    const memory = memoryOf(state, key, question)
    if (!memory || known.has(nameOf(memory))) continue
    known.add(nameOf(memory))
    found.push(unranked(state, key, memory, question))
  }
  return found
}

/** Messages on each side that a memory stands among, and how many of their best count. */
const amongReach = 6
const amongBest = 3

/**
 * People stay with a subject for some messages: lifts each memory from a short message between people by a share of what the best of the messages
 * around it lie above `floor` (a distance below the best of all), on average. Then all are drawn together so that the best of all lies where it lay.
 * What is said to an assistant may be about something else each time.
 */
export function liftAmong(state: State, items: readonly RecalledItem[], floor: (best: number) => number, p: Parameters): RecalledItem[] {
  const best = Math.max(...items.map(item => item.score))
  const least = floor(best)
  const turnOf = ({ turns }: RecalledItem) => state.turns.get(turns.at(-1) ?? '')
  const excess = new Map<TurnRecord | undefined, number>()
  for (const item of items) excess.set(turnOf(item), Math.max(0, item.score - least, excess.get(turnOf(item)) ?? 0))
  const lifted = items.map(item => {
    const turn = turnOf(item)
    if (turn?.speaker === undefined || turn.passages.length !== 1) return item.score
    const at = state.positionOf(turn)
    const around = state.order.slice(Math.max(0, at - amongReach), at + amongReach + 1)
    const others = around.flatMap(other => (other !== turn && other.conversation === turn.conversation ? (excess.get(other) ?? 0) : []))
    const strongest = others.sort((a, b) => b - a).slice(0, amongBest)
    return item.score + (p.amongWeight * strongest.reduce((sum, value) => sum + value, 0)) / amongBest
  })
  const top = Math.max(...lifted)
  const scale = top > least ? (best - least) / (top - least) : 1
  const drawn = lifted.map(score => (score === top ? best : Math.min(best, least + (score - least) * scale)))
  return items.map((item, i) => lift(item, 'nearby', drawn[i]!))
}

/** Of what a hit lies above the floor, the most that a message beside it is lifted to; a reply to what the hit asks, all of it. */
const behind = 0.8

/**
 * Lifts each short message by a share of what the best of its neighbours lies above `floor` (a distance below the best of all), so that it comes
 * behind that neighbour. What replies to a question takes more, and may come level with it: the words that were searched for are in the question,
 * and what was asked is in the reply. Nothing passes the best of all, so that whether anything is above τ does not depend on it. Equal input in
 * another order gives the same.
 */
export function liftNeighbours(
  state: State,
  items: readonly RecalledItem[],
  floor: (best: number) => number,
  p: Parameters,
): RecalledItem[] {
  const scores = new Map<string, number>()
  for (const { turns, score } of items) for (const turn of turns) scores.set(turn, Math.max(score, scores.get(turn) ?? -Infinity))
  const least = floor(Math.max(...scores.values()))
  return items.map(item => {
    if (item.kind === 'belief') return item
    const { before, after } = nearTurns(state, item.id, p.conversationReach)
    const lifted = [...before, ...after].map(id => {
      const hit = scores.get(id) ?? -Infinity
      const excess = Math.max(0, hit - least)
      const replies = id === before[0] && answers(state.turns.get(item.id)!, state.turns.get(id)!)
      return replies
        ? Math.min(hit, item.score + p.replyWeight * excess)
        : Math.min(hit, least + behind * excess, item.score + p.nearbyWeight * excess)
    })
    return lift(item, 'nearby', Math.max(item.score, ...lifted))
  })
}

/** Whether somebody else has asked in what was said before. */
const answers = (turn: TurnRecord, before: TurnRecord): boolean =>
  (turn.role !== before.role || turn.speaker !== before.speaker) && /[?？]/.test(before.text)

/** Short messages at most `reach` places before or after a short message in its conversation, the nearest first. A long one says by itself what it is about. */
function nearTurns(state: State, id: string | undefined, reach: number): { before: string[]; after: string[] } {
  const turn = id === undefined ? undefined : state.turns.get(id)
  if (!turn || turn.passages.length !== 1) return { before: [], after: [] }
  const at = state.positionOf(turn)
  const side = (step: 1 | -1) => {
    const ids: string[] = []
    for (let i = 1; i <= look && ids.length < reach; i++) {
      const other = state.order[at + step * i]
      if (other && other.conversation === turn.conversation && other.passages.length === 1) ids.push(other.id)
    }
    return ids
  }
  return { before: side(-1), after: side(1) }
}

/** What the evidence model did not read stands behind what it did. */
const strength = ({ evidence, overlap, fused }: Candidate) => evidence ?? overlap + fused - 100
