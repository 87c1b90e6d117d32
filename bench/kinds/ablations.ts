/** `ablations`: PreCoMem's table. The drift of the whole engine, and with one part taken out at a time; then with other numbers of retrieved beliefs. */

import { ablations as switches } from '../../src/belief/ablation.ts'
import type { EngineOptions } from '../../src/engine/index.ts'
import { defaultParameters } from '../../src/parameters.ts'
import { interval } from '../metrics.ts'
import type { BenchContext, Curve, Metrics, Result } from '../result.ts'
import type { Persona } from '../sets.ts'
import { drift } from './drift.ts'

const variants: Record<string, EngineOptions> = {
  full: {},
  ...Object.fromEntries(switches.map(ablation => [ablation, { ablation }])),
  ...Object.fromEntries(
    [5, 10, 20].filter(k => k !== defaultParameters.retrieved).map(k => [`K = ${k}`, { parameters: { retrieved: k } }] as const),
  ),
}

export async function ablations(set: { personas: Persona[] }, context: BenchContext): Promise<Result> {
  const names = Object.keys(variants)
  const results: Result[] = []
  for (const name of names) {
    const progress: BenchContext['progress'] = (done, total) => context.progress(results.length * total + done, names.length * total)
    results.push(await drift(set, { ...context, engine: variants[name]!, progress }))
  }
  const [full, ...others] = results as [Result, ...Result[]]

  const intervals: Result['intervals'] = { ...full.intervals }
  const metrics: Metrics = { ...full.metrics }
  for (const [i, other] of others.entries()) {
    const name = `${names[i + 1]}: trajectoryAccuracy lost`
    const lost = differences(full, other, 'trajectoryAccuracy')
    metrics[name] = (full.metrics['trajectoryAccuracy'] as number) - (other.metrics['trajectoryAccuracy'] as number)
    const range = interval(lost)
    if (range !== null) intervals[name] = range
  }
  const [curve] = full.curves as [Curve]
  return {
    n: full.n,
    metrics,
    intervals,
    byCategory: Object.fromEntries(results.map((result, i) => [names[i]!, { n: result.n, ...result.metrics }])),
    items: full.items!,
    curves: [{ ...curve, name: 'n-eff', lines: results.map((result, i) => ({ ...result.curves![0]!.lines[0]!, name: names[i]! })) }],
  }
}

/** Of each probe, in the one engine and in the other. */
function differences(a: Result, b: Result, key: string): (number | null)[] {
  const others = b.items![key]!
  return a.items![key]!.map((value, i) => (value === null || others[i] == null ? null : value - others[i]))
}
