/** Which rows run together. */

/**
 * Groups rows by length, so that a run has at most `budget` tokens, padding included, and at most a quarter of them is padding. A row longer
 * than the budget runs alone; with a budget of 0, all do. Every index comes once.
 */
export function batches(lengths: readonly number[], budget: number): number[][] {
  const order = lengths.map((_, index) => index).sort((a, b) => lengths[a]! - lengths[b]! || a - b)
  const groups: number[][] = []
  let group: number[] = []
  let tokens = 0
  for (const index of order) {
    const length = lengths[index]!
    const size = (group.length + 1) * length
    if (group.length > 0 && size <= budget && size - (tokens + length) <= size / 4) {
      group.push(index)
      tokens += length
    } else {
      group = [index]
      groups.push(group)
      tokens = length
    }
  }
  return groups
}
