/** Where two statements of the same build differ. */

/**
 * How many stretches of words stand in one statement where the other has other words: 1 for “the capital of Peru is Lima” and “the capital of Peru
 * is Quito”, 2 for “the capital of Peru is Lima” and “the capital of Chile is Quito”. Null when less than half of the words are in common, so
 * that the two are not of the same build.
 */
export function substitutions(first: string, second: string): number | null {
  const [a, b] = [words(first), words(second)]
  if (a.length > longest || b.length > longest) return null
  const common = commonLengths(a, b)
  if (2 * common[0]![0]! < Math.max(a.length, b.length)) return null
  let [i, j, found] = [0, 0, 0]
  while (i < a.length || j < b.length) {
    const [fromA, fromB] = [i, j]
    while ((i < a.length || j < b.length) && a[i] !== b[j]) {
      if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) i++
      else j++
    }
    if (i > fromA && j > fromB) found++
    while (i < a.length && a[i] === b[j]) {
      i++
      j++
    }
  }
  return found
}

/** “Is the”, which one thing alone can be: who comes before it is the value then, not the subject. */
const ONE_ALONE = /\b(?:is|was|are|were) (?:the|my|our)\b/i

/**
 * Whether two statements of the same build end alike and begin otherwise, and so say the same of two different subjects: “Ada is a citizen of Peru”
 * and “Jon is a citizen of Peru”, but not “Lima is the capital of Peru” and “Quito is the capital of Peru”.
 */
export function sameOfOthers(first: string, second: string): boolean {
  const [a, b] = [words(first), words(second)]
  return a.length > 0 && a.at(-1) === b.at(-1) && a[0] !== b[0] && !ONE_ALONE.test(first)
}

/** Longer ones are no plain statements; the table grows with the square. */
const longest = 60

const words = (text: string) => text.toLowerCase().match(/[\p{Script=Han}]|[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu) ?? []

/** Length of the longest common subsequence of a from i on and b from j on. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => Array<number>(b.length + 1).fill(0))
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i]![j] = a[i] === b[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!)
    }
  }
  return table
}
