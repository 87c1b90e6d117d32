/** `nli`: the cross-encoder alone. */

import { expectedCalibrationError, judge } from '../metrics.ts'
import { summarise, type BenchContext, type Result } from '../result.ts'
import { spread, type NliRow } from '../sets.ts'

const recallKeys: Record<NliRow['y'], string> = {
  contradiction: 'recallContradiction',
  entailment: 'recallEntailment',
  neutral: 'recallNeutral',
  'non-contradiction': 'recallNonContradiction',
  'non-entailment': 'recallNonEntailment',
}

export async function nli(all: NliRow[], { models, limit, progress }: BenchContext): Promise<Result> {
  const rows = spread(all, limit)
  const judged: { label: NliRow['y']; right: boolean; confidence: number }[] = []
  for (const { p, h, y } of rows) {
    const [probabilities] = await models.entail([[p, h]])
    judged.push({ label: y, ...judge(probabilities!, y) })
    progress(judged.length, rows.length)
  }
  const result = summarise(
    judged.map(({ label, right }) => ({ category: undefined, values: { accuracy: Number(right), [recallKeys[label]]: Number(right) } })),
  )
  const ece = expectedCalibrationError(judged)
  if (ece !== null) result.metrics['ece'] = ece
  return result
}
