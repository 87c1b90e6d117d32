/** Reciprocal rank fusion: rankings of different scales become one. */

import { bestFirst } from './rank.ts'

/** Σ over rankings of 1 / (c + rank), rank from 1. Best first; ties in the order of the id, so that equal input gives equal output. */
export function fuse(rankings: readonly (readonly string[])[], constant: number): { id: string; score: number }[] {
  const scores = new Map<string, number>()
  for (const ranking of rankings) {
    ranking.forEach((id, i) => scores.set(id, (scores.get(id) ?? 0) + 1 / (constant + i + 1)))
  }
  return [...scores].map(([id, score]) => ({ id, score })).sort(bestFirst)
}
