/** `gate`: does the memory know when it is not needed? */

import { freshMemory, summarise, type BenchContext, type Curve, type Result } from '../result.ts'
import { spread, type Shapes } from '../sets.ts'
import { turnTimes } from '../times.ts'

/** τ below every score: what a recall chooses then is what it would choose best first, whatever the evidence. */
const wideOpen = { learnedThreshold: -100, likelihoodThreshold: -100 }

export async function gate(set: Shapes['gate'], context: BenchContext): Promise<Result> {
  const { limit, progress } = context
  const as = await told(set.memory, context)
  const open = await told(set.memory, {
    ...context,
    engine: { ...context.engine, parameters: { ...context.engine?.parameters, ...wideOpen } },
  })
  const [needs, needless] = [spread(set.needs, limit), spread(set.needless, limit)]
  let done = 0
  const rows: Parameters<typeof summarise>[0][number][] = []
  const ask = async (query: string) => {
    const { needed, trace } = await as.recall(query)
    const { beliefs, turns } = await open.recall(query)
    progress(++done, needs.length + needless.length)
    // Words alone decide where the models cannot read the query: another scale.
    return {
      needed,
      ...(trace.controller !== 'lexical' && { score: Math.max(-Infinity, ...[...beliefs, ...turns].map(({ score }) => score)) }),
    }
  }
  const scores: Scores = { needs: [], needless: [] }
  for (const query of needs) {
    const { needed, score } = await ask(query)
    rows.push({ category: undefined, values: { missedRate: Number(!needed) } })
    if (score !== undefined) scores.needs.push(score)
  }
  for (const query of needless) {
    const { needed, score } = await ask(query)
    rows.push({ category: undefined, values: { needlessRate: Number(needed) } })
    if (score !== undefined) scores.needless.push(score)
  }
  await as.close()
  await open.close()
  return { ...summarise(rows), curves: curvesOf(scores) }
}

async function told(texts: readonly string[], context: BenchContext) {
  const { memory, clock } = await freshMemory(context)
  const times = turnTimes(texts.map(() => undefined))
  for (const [i, text] of texts.entries()) {
    clock.now = times[i]!
    await memory.observe({ id: `m${i}`, text, at: clock.now })
  }
  return memory
}

export interface Scores {
  /** Of the best memory for each message that needs one, and for each that does not. */
  needs: number[]
  needless: number[]
}

/** The rates by τ, and what the gate is worth as a classifier: precision by recall. */
export function curvesOf({ needs, needless }: Scores, name = ''): Curve[] {
  const finite = [...needs, ...needless].filter(Number.isFinite)
  if (finite.length === 0) return []
  const [low, high] = [Math.floor(Math.min(...finite)), Math.ceil(Math.max(...finite))]
  const thresholds = Array.from({ length: 101 }, (_, i) => low + ((high - low) * i) / 100)
  const above = (scores: readonly number[], tau: number) => scores.filter(score => score > tau).length
  const points = thresholds.map(tau => {
    const [right, wrong] = [above(needs, tau), above(needless, tau)]
    return {
      tau,
      missed: 1 - right / needs.length,
      needless: wrong / needless.length,
      recall: right / needs.length,
      precision: right + wrong === 0 ? 1 : right / (right + wrong),
    }
  })
  const line = (name: string, x: (p: (typeof points)[number]) => number, y: (p: (typeof points)[number]) => number) => ({
    name,
    points: points.map((p): [number, number] => [x(p), y(p)]),
  })
  return [
    {
      name: `${name}threshold`,
      title: 'Missed and needless recalls by threshold',
      x: 'τ',
      y: 'rate',
      lines: [
        line(
          'missed',
          p => p.tau,
          p => p.missed,
        ),
        line(
          'needless',
          p => p.tau,
          p => p.needless,
        ),
      ],
    },
    {
      name: `${name}precision`,
      title: 'Precision of the gate by its recall',
      x: 'recall',
      y: 'precision',
      lines: [
        line(
          'gate',
          p => p.recall,
          p => p.precision,
        ),
      ],
    },
  ]
}
