/** What a kind is given and what it gives back. */

import { openEngine, type EngineOptions } from '../src/engine/index.ts'
import type { Models } from '../src/engine/ports.ts'
import type { Memory } from '../src/memory.ts'
import { openMemoryStore } from '../src/store/memory.ts'
import { interval, mean } from './metrics.ts'

export interface BenchContext {
  models: Models
  /** Options of the engine. None, but where a kind compares engines. */
  engine?: EngineOptions
  /** Items of `--limit`: queries, turns of a persona, texts of a list, rows. */
  limit: number | undefined
  progress: (done: number, total: number) => void
}

export type Metrics = Record<string, number | number[]>

export interface Result {
  n: number
  metrics: Metrics
  /** 95 % bootstrap intervals of the metrics that are means over items. */
  intervals: Record<string, [number, number]>
  byCategory: Record<string, Metrics>
  /** Each item's values in the order of the items, absent ones null: what a comparison of two runs pairs. */
  items?: Record<string, (number | null)[]>
  curves?: Curve[]
}

/** A figure: lines over a common axis. */
export interface Curve {
  /** Of the file it is drawn into. */
  name: string
  title: string
  x: string
  y: string
  lines: { name: string; points: [x: number, y: number][] }[]
}

/** Means, their intervals, and the same by category. `rows` holds each item's values; null where a metric does not apply to it. */
export function summarise(rows: readonly { category: string | undefined; values: Record<string, number | null> }[]): Result {
  const keys = [...new Set(rows.flatMap(row => Object.keys(row.values)))]
  const means = (of: typeof rows) =>
    Object.fromEntries(
      keys.map(key => [key, mean(of.map(row => row.values[key] ?? null))]).filter(([, value]) => value !== null),
    ) as Metrics
  const intervals = keys
    .map(key => [key, interval(rows.map(row => row.values[key] ?? null))] as const)
    .filter(([, range]) => range !== null)
  const categories = [...new Set(rows.map(row => row.category))].filter(category => category !== undefined).sort()
  return {
    n: rows.length,
    metrics: means(rows),
    intervals: Object.fromEntries(intervals) as Result['intervals'],
    byCategory: Object.fromEntries(
      categories.map(category => {
        const of = rows.filter(row => row.category === category)
        return [category, { n: of.length, ...means(of) }]
      }),
    ),
    items: Object.fromEntries(keys.map(key => [key, rows.map(row => row.values[key] ?? null)])),
  }
}

/** A memory of its own for a chat. Nothing in it depends on the hour or on chance: the clock is set by hand, ids are counted. */
export async function freshMemory({
  models,
  engine = {},
}: Pick<BenchContext, 'models' | 'engine'>): Promise<{ memory: Memory; clock: { now: number } }> {
  const clock = { now: 0 }
  let ids = 0
  const memory = await openEngine(
    { name: 'bench', store: openMemoryStore(), models, now: () => clock.now, newId: () => `n${ids++}` },
    engine,
  )
  return { memory, clock }
}
