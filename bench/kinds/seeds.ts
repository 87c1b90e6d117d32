/**
 * `seeds`: PreCoMem's variance across seeds, of the closed form and of direct write. Nothing in either is drawn at random, so a seed draws what a
 * person cannot repeat either: which small talk comes when. It is mixed among its own places; what the person says about themselves stays where it is.
 */

import type { EngineOptions } from '../../src/engine/index.ts'
import { interval, mean, randomNumbers } from '../metrics.ts'
import type { BenchContext, Metrics, Result } from '../result.ts'
import type { Persona } from '../sets.ts'
import { drift } from './drift.ts'

const draws = [1, 2, 3, 4, 5]
const engines: Record<string, EngineOptions> = { 'closed form': {}, directWrite: { ablation: 'directWrite' } }

export async function seeds(set: { personas: Persona[] }, context: BenchContext): Promise<Result> {
  const runs = Object.keys(engines).length * draws.length
  let done = 0
  const byCategory: Record<string, Metrics> = {}
  const all: Result[][] = []
  for (const [name, engine] of Object.entries(engines)) {
    const results: Result[] = []
    for (const seed of draws) {
      const progress: BenchContext['progress'] = (part, total) => context.progress(done * total + part, runs * total)
      results.push(await drift({ personas: set.personas.map(persona => mixNoise(persona, seed)) }, { ...context, engine, progress }))
      done++
    }
    all.push(results)
    byCategory[name] = spreadOf(results)
  }
  const own = byCategory['closed form']!
  const { n } = all[0]![0]!
  const byProbe = verdicts(all[0]!).map(mean)
  const range = interval(byProbe)
  return {
    n,
    metrics: own,
    intervals: range === null ? {} : { trajectoryAccuracy: range },
    byCategory,
    items: { trajectoryAccuracy: byProbe },
  }
}

/** The same persona with its small talk in another order. */
export function mixNoise(persona: Persona, seed: number): Persona {
  const random = randomNumbers(seed)
  const texts = persona.turns.filter(turn => turn.act === 'noise').map(turn => turn.text)
  for (let i = texts.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[texts[i], texts[j]] = [texts[j]!, texts[i]!]
  }
  return { ...persona, turns: persona.turns.map(turn => (turn.act === 'noise' ? { ...turn, text: texts.pop()! } : turn)) }
}

/** Mean and standard deviation over the seeds, and the share of probes that are answered rightly under some seeds and wrongly under others. */
function spreadOf(results: readonly Result[]): Metrics {
  const metrics: Metrics = { seeds: results.length }
  for (const key of ['finalAccuracy', 'trajectoryAccuracy', 'staleInContext']) {
    const values = results.map(result => result.metrics[key] as number)
    metrics[key] = mean(values)!
    metrics[`${key}Sd`] = standardDeviation(values)
  }
  metrics['unstable'] = mean(verdicts(results).map(of => Number(new Set(of).size > 1)))!
  return metrics
}

/** Of each probe, whether it was answered rightly under each seed. */
const verdicts = (results: readonly Result[]) =>
  results[0]!.items!['trajectoryAccuracy']!.map((_, i) => results.map(result => result.items!['trajectoryAccuracy']![i]!))

function standardDeviation(values: readonly number[]): number {
  const middle = mean(values)!
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1))
}
