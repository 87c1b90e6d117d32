/** The metrics, as pure functions of rankings, answers and probabilities. Absent values are null: a mean over nothing is not 0. */

/** Mean of the defined values, or null. */
export function mean(values: readonly (number | null)[]): number | null {
  const defined = values.filter(v => v !== null)
  return defined.length === 0 ? null : defined.reduce((sum, v) => sum + v, 0) / defined.length
}

export function quantile(values: readonly number[], q: number): number | null {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  const place = (sorted.length - 1) * q
  const low = sorted[Math.floor(place)]!
  return low + (sorted[Math.ceil(place)]! - low) * (place % 1)
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

/** Share of the evidence that stands among the first k, or null without evidence. */
export function recallAt(k: number, ranking: readonly string[], evidence: readonly string[]): number | null {
  const wanted = new Set(evidence)
  if (wanted.size === 0) return null
  return ranking.slice(0, k).filter(id => wanted.has(id)).length / wanted.size
}

/** 1 / rank of the first evidence, 0 when there is none in the ranking, null without evidence. */
export function reciprocalRank(ranking: readonly string[], evidence: readonly string[]): number | null {
  if (evidence.length === 0) return null
  const rank = ranking.findIndex(id => evidence.includes(id))
  return rank < 0 ? 0 : 1 / (rank + 1)
}

/** Whether the first current item stands above the first stale one; an absent one is below every present one. Null without stale items. */
export function currentAboveStale(ranking: readonly string[], current: readonly string[], stale: readonly string[]): number | null {
  if (stale.length === 0) return null
  const first = (ids: readonly string[]) => {
    const rank = ranking.findIndex(id => ids.includes(id))
    return rank < 0 ? Infinity : rank
  }
  return first(current) < first(stale) ? 1 : 0
}

/** Whether a stale item stands among the first five. Null without stale items. */
export function staleInTop5(ranking: readonly string[], stale: readonly string[]): number | null {
  return stale.length === 0 ? null : ranking.slice(0, 5).some(id => stale.includes(id)) ? 1 : 0
}

/** Share of the memories given to the host's model that rest on evidence; null when none was given, or without evidence. */
export function precisionOf(given: readonly { turns: readonly string[] }[], evidence: readonly string[]): number | null {
  if (given.length === 0 || evidence.length === 0) return null
  return given.filter(({ turns }) => turns.some(turn => evidence.includes(turn))).length / given.length
}

/** A belief counts as the turns it came from; a turn counts once, at its best rank. */
export function rankTurns(candidates: readonly { turns: readonly string[] }[]): string[] {
  return [...new Set(candidates.flatMap(candidate => candidate.turns))]
}

const isWordCharacter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)
const isHan = (character: string | undefined) => character !== undefined && /\p{Script=Han}/u.test(character)

/** Whether a text names a value: the same characters whatever their case, not inside a longer word. */
export function names(text: string, value: string): boolean {
  const [hay, needle] = [text.toLowerCase(), value.toLowerCase()]
  for (let at = hay.indexOf(needle); at >= 0 && needle !== ''; at = hay.indexOf(needle, at + 1)) {
    const [before, first, last, after] = [hay[at - 1], needle[0], needle.at(-1), hay[at + needle.length]]
    const joined = (a: string | undefined, b: string | undefined) => isWordCharacter(a) && isWordCharacter(b) && !isHan(a) && !isHan(b)
    if (!joined(before, first) && !joined(last, after)) return true
  }
  return false
}

/**
 * The candidate value that the first memory naming any of them stands for, or null when none names any. A memory that names several, such as
 * "I no longer take X, it is Y now", stands for the one that its newest labelled turn states, or for none.
 */
export function answeredValue(
  memories: readonly { text: string; turns: readonly string[] }[],
  values: readonly string[],
  stated: (turn: string) => string | undefined,
): string | null {
  for (const memory of memories) {
    const named = values.filter(value => names(memory.text, value))
    if (named.length === 1) return named[0]!
    if (named.length > 1) {
      const label = [...memory.turns]
        .reverse()
        .map(stated)
        .find(value => value !== undefined && named.includes(value))
      return label ?? null
    }
  }
  return null
}

/** A row of the `nli` kind; two-way sets use the last two labels. */
export type NliLabel = 'contradiction' | 'entailment' | 'neutral' | 'non-contradiction' | 'non-entailment'

/** Whether the most probable class agrees with the label, and the probability the model gives to that verdict. */
export function judge(
  p: { contradiction: number; entailment: number; neutral: number },
  label: NliLabel,
): { right: boolean; confidence: number } {
  const [verdict, confidence] = Object.entries(p).reduce((best, entry) => (entry[1] > best[1] ? entry : best))
  if (label !== 'non-contradiction' && label !== 'non-entailment') return { right: verdict === label, confidence }
  const denied = label === 'non-contradiction' ? 'contradiction' : 'entailment'
  return verdict === denied ? { right: false, confidence } : { right: true, confidence: 1 - p[denied] }
}

/** Expected calibration error over `bins` equal bins: Σ_b n_b/n · |accuracy_b − confidence_b|. */
export function expectedCalibrationError(judged: readonly { right: boolean; confidence: number }[], bins = 10): number | null {
  if (judged.length === 0) return null
  const sums = Array.from({ length: bins }, () => 0) // Σ (right − confidence) of each bin
  for (const { right, confidence } of judged) {
    sums[Math.min(bins - 1, Math.floor(confidence * bins))]! += Number(right) - confidence
  }
  return sums.reduce((total, sum) => total + Math.abs(sum), 0) / judged.length
}

/** mulberry32: uniform numbers in [0,1) that are the same on every machine. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let x = Math.imul(state ^ (state >>> 15), 1 | state)
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296
  }
}

/** Percentile bootstrap: the 95 % interval of the mean, by drawing the defined values again with a fixed seed. Null for fewer than two. */
export function interval(values: readonly (number | null)[], draws = 1000): [low: number, high: number] | null {
  const defined = values.filter(v => v !== null)
  if (defined.length < 2) return null
  const random = randomNumbers(1)
  const means = Array.from({ length: draws }, () => {
    let sum = 0
    for (let i = 0; i < defined.length; i++) sum += defined[Math.floor(random() * defined.length)]!
    return sum / defined.length
  })
  return [quantile(means, 0.025)!, quantile(means, 0.975)!]
}

/** F1 of each class and their mean; a class that is neither there nor said counts as 0. */
export function macroF1<C extends string>(judged: readonly { truth: C; verdict: C }[], classes: readonly C[]) {
  const byClass = Object.fromEntries(
    classes.map(name => {
      const hits = judged.filter(j => j.truth === name && j.verdict === name).length
      const [there, said] = [judged.filter(j => j.truth === name).length, judged.filter(j => j.verdict === name).length]
      const [precision, recall] = [said === 0 ? 0 : hits / said, there === 0 ? 0 : hits / there]
      return [name, { precision, recall, f1: hits === 0 ? 0 : (2 * precision * recall) / (precision + recall) }]
    }),
  ) as Record<C, { precision: number; recall: number; f1: number }>
  return { byClass, macro: classes.reduce((sum, name) => sum + byClass[name].f1, 0) / classes.length }
}
