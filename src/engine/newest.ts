/** Of several messages that give a number or a date in answer to a question, the latest counts: the earlier ones tell what it was then. */

import type { RecalledItem } from '../memory.ts'
import { asksForValue, statesValue, tellsOfUpdate } from '../text/index.ts'
import { lift } from './lift.ts'

/** Logit of the evidence cross-encoder from which a message answers the question at all. */
const answers = 1
/** What is said later is often said in passing: how far its logit, and its cosine, may lie below that of what was said earlier. */
const leastEvidence = 2
const leastCosine = 0.2
/** Share of the words of the question found earlier that must be found later too: it is about the same matter. */
const leastOverlap = 0.3

/**
 * Lifts what the person said later, and as an update (“has now reached”, “was extended to”), to the score of what they said earlier, where both
 * answer a question for a value that holds now: of equal scores the later comes first. No score rises above the best, so that whether anything is
 * above τ does not depend on it.
 */
export function liftNewest(items: readonly RecalledItem[], query: string, past: boolean): RecalledItem[] {
  if (past || !asksForValue(query)) return [...items]
  const answering = items.filter(c => c.role === 'user' && (c.parts.evidence ?? -Infinity) >= answers && statesValue(c.text))
  return items.map(later => {
    if (!answering.includes(later) || !tellsOfUpdate(later.text)) return later
    const earlier = answering.filter(
      ({ at, parts }) =>
        at < later.at &&
        parts.evidence! - later.parts.evidence! <= leastEvidence &&
        parts.cosine - later.parts.cosine <= leastCosine &&
        later.parts.overlap >= leastOverlap * parts.overlap,
    )
    return lift(later, 'newest', Math.max(later.score, ...earlier.map(c => c.score)))
  })
}
