/** The messages around a hit: in a conversation what answers a question often stands beside what shares its words. */

import type { RecalledItem } from '../memory.ts'
import type { Parameters } from '../parameters.ts'
import { memoryOf, nameOf, unranked, type Candidate, type Question } from './candidates.ts'
import { passageKey, type State } from './state.ts'

/** Positions looked at on each side for messages of the same conversation; others may have gone on beside it. */
const look = 8

/** Short messages that stand near the best `p.expandedHits` candidates and are not among the candidates yet. */
export function neighbours(state: State, question: Question, candidates: readonly Candidate[], p: Parameters): Candidate[] {
  const best = [...candidates].sort((a, b) => strength(b) - strength(a)).slice(0, p.expandedHits)
  const known = new Set(candidates.map(nameOf))
  const found: Candidate[] = []
  for (const id of best.flatMap(hit => nearTurns(state, hit.turns.at(-1), p.conversationReach))) {
    const key = passageKey(id, 0)
    const memory = memoryOf(state, key, question)
    if (!memory || known.has(nameOf(memory))) continue
    known.add(nameOf(memory))
    found.push(unranked(state, key, memory, question))
  }
  return found
}

/**
 * Lifts each short message by a share of what the best of its neighbours lies above `floor` (a distance below the best of all), up to the best of
 * all at most, so that whether anything is above τ does not depend on it. Equal input in another order gives the same.
 */
export function liftNeighbours(
  state: State,
  items: readonly RecalledItem[],
  floor: (best: number) => number,
  p: Parameters,
): RecalledItem[] {
  const scores = new Map<string, number>()
  for (const { turns, score } of items) for (const turn of turns) scores.set(turn, Math.max(score, scores.get(turn) ?? -Infinity))
  const best = Math.max(...scores.values())
  const least = floor(best)
  return items.map(item => {
    if (item.kind === 'belief') return item
    const beside = nearTurns(state, item.id, p.conversationReach).map(id => scores.get(id) ?? -Infinity)
    const excess = Math.max(0, ...beside.map(score => score - least))
    const score = Math.min(best, item.score + p.nearbyWeight * excess)
    return { ...item, score, parts: { ...item.parts, nearby: score - item.score } }
  })
}

/** Short messages at most `reach` places before or after a short message in its conversation. A long one says by itself what it is about. */
function nearTurns(state: State, id: string | undefined, reach: number): string[] {
  const turn = id === undefined ? undefined : state.turns.get(id)
  if (!turn || turn.passages.length !== 1) return []
  const at = state.positionOf(turn)
  const side = (step: 1 | -1) => {
    const ids: string[] = []
    for (let i = 1; i <= look && ids.length < reach; i++) {
      const other = state.order[at + step * i]
      if (other && other.conversation === turn.conversation && other.passages.length === 1) ids.push(other.id)
    }
    return ids
  }
  return [...side(-1), ...side(1)]
}

/** What the evidence model did not read stands behind what it did. */
const strength = ({ evidence, overlap, fused }: Candidate) => evidence ?? overlap + fused - 100
