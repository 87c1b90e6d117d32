/** Best first; ties in the order of the id, so that equal input gives equal output. */
export function bestFirst(a: { id: string; score: number }, b: { id: string; score: number }): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1)
}
