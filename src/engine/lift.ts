/** What moves a score says so in the part that is its own, so that the parts go on adding up to the score. */

import type { RecalledItem } from '../memory.ts'

export function lift(item: RecalledItem, part: 'nearby' | 'newest' | 'standing' | 'again', score: number): RecalledItem {
  return { ...item, score, parts: { ...item.parts, [part]: item.parts[part] + score - item.score } }
}
