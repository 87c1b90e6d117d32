/** Standing instructions: “always … when I ask about …” shares few words with what it is for, so each is put to the evidence model itself. */

import type { RecalledItem } from '../memory.ts'
import { isConditional } from '../text/index.ts'
import { memoryOf, unranked, type Candidate, type Question } from './candidates.ts'
import { lift } from './lift.ts'
import { beliefKey, type State } from './state.ts'

/** Instructions read for one question, at most: the nearest. */
const readMost = 6
/** Logit of the evidence cross-encoder from which an instruction is for such a question. */
const applies = -0.5
/** How far below the best of all an instruction that applies stands. */
const lead = 0.5

/** The current instructions that the evidence model has not read yet, found by the search or not; nearest first. */
export function standing(state: State, question: Question, candidates: readonly Candidate[]): Candidate[] {
  const found = new Map(candidates.filter(c => c.kind === 'belief').map(c => [c.id, c]))
  return [...state.instructions]
    .flatMap(id => {
      const ranked = found.get(id)
      if (ranked) return ranked.evidence === null ? [ranked] : []
      const memory = memoryOf(state, beliefKey(id), question)
      return memory?.id === id ? [unranked(state, beliefKey(id), memory, question)] : []
    })
    .sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1))
    .slice(0, readMost)
}

/** An instruction for some questions, such as this one, stands among the best, below what answers it; nothing rises above the best. */
export function liftInstructions(state: State, items: readonly RecalledItem[]): RecalledItem[] {
  const best = Math.max(...items.map(({ score }) => score))
  return items.map(item => {
    const instructs = item.kind === 'belief' && !item.past && state.beliefs.get(item.id)!.instruction === true
    if (!instructs || !isConditional(item.text) || (item.parts.evidence ?? -Infinity) < applies) return item
    return lift(item, 'standing', Math.max(item.score, best - lead))
  })
}
