/**
 * Where no cross-encoder reads the query, a message with several questions is answered one question at a time, and a question that describes what
 * it asks about (“the one who works in Suzhou, what did they study?”) is put a second time: what answers it says nothing of Suzhou.
 */

import type { RecalledItem } from '../memory.ts'
import { asksForOne, inItsPlace } from '../text/index.ts'
import { nameOf, type Question } from './candidates.ts'
import { lift } from './lift.ts'

export interface Asking {
  /** Memories by one text, best first. */
  search(text: string, vector: Float32Array | undefined): RecalledItem[]
  embed(text: string): Promise<Float32Array | undefined>
}

/** What a memory found at the second asking keeps of its score; it stays behind the one that led to it. */
const onceRemoved = 0.9
const behind = 0.98

/**
 * Lifts what answers one of the questions by itself, each question's best to the best of all, and what is found once the best memory of a question
 * has taken the place of the words that it shares with it. Nothing rises above the best of all, and nothing is lifted that lies below `threshold`
 * by itself, so that whether anything lies above it stays as it was.
 */
export async function askAgain(
  asked: Question['asked'],
  items: readonly RecalledItem[],
  { search, embed }: Asking,
  threshold: number,
): Promise<RecalledItem[]> {
  const best = items[0]?.score ?? -Infinity
  if (best <= threshold) return [...items]
  const found = new Map(items.map(item => [nameOf(item), item]))
  const raise = (item: RecalledItem, to: number) => {
    const name = nameOf(item)
    const known = found.get(name)
    const score = Math.min(best, to)
    if (!known || known.score < score) found.set(name, lift(known ?? item, 'again', score))
  }
  const [whole, ...questions] = asked
  for (const { text, vector } of questions.length > 0 ? questions : [whole!]) {
    const own = questions.length > 0 ? search(text, vector) : items
    const first = own[0]
    if (!first || first.score <= threshold) continue
    const scale = best / first.score
    for (const item of questions.length > 0 ? own : []) if (item.score > threshold) raise(item, item.score * scale)
    if (!asksForOne(text)) continue
    const second = inItsPlace(first.text, text)
    for (const item of search(second, await embed(second))) {
      if (item.score > threshold && nameOf(item) !== nameOf(first))
        raise(item, Math.min(behind * first.score, onceRemoved * item.score) * scale)
    }
  }
  return [...found.values()]
}
