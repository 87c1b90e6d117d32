/** `growth`: one memory over a hundred thousand turns. What does a turn, a question and an opening cost then, and how much is kept? */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openEngine } from '../../src/engine/index.ts'
import type { Models, Snapshot, Store } from '../../src/engine/ports.ts'
import { openMemoryStore } from '../../src/store/memory.ts'
import { statement } from '../latency/statements.ts'
import { quantile } from '../metrics.ts'
import type { BenchContext, Curve, Metrics, Result } from '../result.ts'
import { developmentSets, readSet, type Chat } from '../sets.ts'

const defaultTurns = 100_000
/** Turns between two marks; the first is at a tenth of it. */
const marks = (turns: number) => [
  ...new Set([0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1].map(share => Math.round(share * turns))),
]
/** Turns before a mark whose times are taken, and questions asked at it. */
const window = 300
const questions = 40
/** One turn in so many is a made-up statement, never the same; the others are real messages, mixed, and again from the start. */
const everyStatement = 10
/** Of the real messages every so many is taken: reading all of them for the first time takes the models hours. */
const everyReal = 2
const minute = 60_000

export async function growth(root: string, { models, limit = defaultTurns, progress }: BenchContext): Promise<Result> {
  const real = realMessages(root)
  const prices = await priceOf(models)
  const metered = meter(models, prices)
  const clock = { now: Date.UTC(2020, 0, 1) }
  let ids = 0
  const store = openMemoryStore()
  const host = (store: Store) => ({ name: 'growth', store, models: metered.models, now: () => clock.now, newId: () => `n${ids++}` })
  const memory = await openEngine(host(store))

  const rows: Metrics[] = []
  const times = { total: [] as number[], own: [] as number[], pairs: [] as number[] }
  const wanted = new Set(marks(limit))
  for (let i = 0; i < limit; i++) {
    clock.now += minute
    const made = i % everyStatement === 0
    const text = made ? statement(i / everyStatement) : real[(i - Math.ceil(i / everyStatement)) % real.length]!
    const cost = await metered.time(() => memory.observe({ id: `t${i}`, text, at: clock.now }))
    for (const [key, list] of Object.entries(times) as [keyof typeof times, number[]][]) {
      list.push(cost[key])
      if (list.length > window) list.shift()
    }
    if (i % 50 === 0 || i + 1 === limit) progress(i + 1, limit)
    if (!wanted.has(i + 1)) continue

    const row: Metrics = { turns: i + 1 }
    // Of observe: a turn of many statements costs more, so that the mean tells more than the median.
    row['observeMs'] = mean(times.total)
    row['observeOwnMs'] = mean(times.own)
    row['observePairsRead'] = mean(times.pairs)
    const asked: Cost[] = []
    for (let q = 0; q < questions; q++) {
      const about = statement(Math.floor(((q + 0.5) / questions) * (i / everyStatement)))
      asked.push(await metered.time(() => memory.recall(about.replace('I ', 'When did I ').replace(/\.$/, '?'))))
    }
    const half = (of: 'total' | 'own') =>
      quantile(
        asked.map(cost => cost[of]),
        0.5,
      )!
    row['recallMs'] = half('total')
    row['recallOwnMs'] = half('own')
    row['recallPairsRead'] = mean(asked.map(cost => cost.pairs))
    const status = await memory.status()
    row['beliefs'] = status.beliefs.current
    row['nEff'] = status.effectiveBeliefs
    row['heapMiB'] = heap()
    const snapshot = await store.load()
    row['databaseMiB'] = bytes(snapshot) / 2 ** 20
    const again = openMemoryStore(snapshot)
    const started = cpuMs()
    const opened = await openEngine(host(again))
    row['openMs'] = cpuMs() - started
    await opened.close()
    rows.push(row)
  }
  await memory.close()

  const last = rows.at(-1)!
  const first = rows.find(row => (row['turns'] as number) >= 1000) ?? rows[0]!
  const ratio = (key: string) => (last[key] as number) / (first[key] as number)
  const ratios = { observeGrowth: ratio('observeMs'), recallGrowth: ratio('recallMs') }
  return {
    n: limit,
    metrics: { ...last, ...ratios },
    intervals: {},
    byCategory: Object.fromEntries(rows.map(({ turns, ...row }) => [`${turns as number} turns`, row])),
    curves: [
      curve('times', 'Processor time', 'ms', rows, ['observeMs', 'observeOwnMs', 'recallMs', 'recallOwnMs']),
      curve('pairs', 'Pairs of texts that the models read', 'pairs', rows, ['observePairsRead', 'recallPairsRead']),
      curve('size', 'Database and memory of the process', 'MiB', rows, ['databaseMiB', 'heapMiB']),
      curve('open', 'Processor time of opening, models loaded', 'ms', rows, ['openMs']),
      curve('n-eff', 'Beliefs and their effective number', 'beliefs', rows, ['beliefs', 'nEff']),
    ],
  }
}

function curve(name: string, title: string, y: string, rows: readonly Metrics[], keys: readonly string[]): Curve {
  return {
    name,
    title,
    x: 'turns',
    y,
    lines: keys.map(key => ({ name: key, points: rows.map((row): [number, number] => [row['turns'] as number, row[key] as number]) })),
  }
}

/**
 * What people wrote in the `retrieval` sets, both sides of chats between people, each message once. The sets are mixed, so that the turns before
 * one mark are as long as those before another.
 */
function realMessages(root: string): string[] {
  const all = developmentSets(root, 'retrieval').flatMap(({ file }) =>
    (readSet(file) as Chat[]).flatMap(({ turns }) => turns.filter(({ role = 'user' }) => role === 'user').map(({ text }) => text)),
  )
  const unlike = [...new Set(all)].filter((_, i) => i % everyReal === 0)
  // A step that shares no divisor with the number of messages visits each of them once.
  const step = [7919, 7907, 7901].find(prime => unlike.length % prime !== 0)!
  return unlike.map((_, i) => unlike[(i * step) % unlike.length]!)
}

interface Cost {
  /** With the models at their price: what of their outputs was remembered costs as much as what was not. */
  total: number
  /** Without the models. */
  own: number
  /** Pairs that a cross-encoder read. */
  pairs: number
}

/** Processor time of a model for one text, or one pair of texts. */
interface Prices {
  embed: number
  entail: number
  relevance: number
}

/** Texts that a price is the mean of. */
const priced = 48

/** Of texts that no run before has read, whose outputs are not remembered. */
async function priceOf(models: Models): Promise<Prices> {
  const texts = Array.from({ length: priced }, (_, i) => `${statement(i * 31)} (${Date.now()})`)
  const each = async (work: () => Promise<unknown>) => {
    const started = cpuMs()
    await work()
    return (cpuMs() - started) / priced
  }
  return {
    embed: await each(() => models.embed(texts, 'passage')),
    entail: await each(() => models.entail(texts.map((text, i) => [text, texts[(i + 1) % priced]!] as const))),
    relevance: await each(() => models.relevance(`When was that? (${Date.now()})`, texts)),
  }
}

/** Models that tell what was asked of them. */
function meter(models: Models, prices: Prices): { models: Models; time(work: () => Promise<unknown>): Promise<Cost> } {
  let [spent, price, pairs] = [0, 0, 0]
  const timed =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>, count: (...args: A) => number, each: number) =>
    async (...args: A): Promise<R> => {
      const started = cpuMs()
      try {
        return await call(...args)
      } finally {
        spent += cpuMs() - started
        price += count(...args) * each
        if (each !== prices.embed) pairs += count(...args)
      }
    }
  return {
    models: {
      ...models,
      embed: timed(models.embed, texts => texts.length, prices.embed),
      entail: timed(models.entail, asked => asked.length, prices.entail),
      relevance: timed(models.relevance, (_, memories) => memories.length, prices.relevance),
    },
    async time(work) {
      ;[spent, price, pairs] = [0, 0, 0]
      const started = cpuMs()
      await work()
      const own = cpuMs() - started - spent
      return { total: own + price, own, pairs }
    },
  }
}

/** Milliseconds of processor time of this process: the same on a busy machine as on an idle one, but for what others take of its caches. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** MiB of the process's heap and buffers after a collection. */
function heap(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}

/** Records as JSON and vectors as they are: about what a database holds, without its own indexes. */
function bytes({ vectors, ...records }: Snapshot): number {
  const size = (record: unknown) => JSON.stringify(record).length
  const text = Object.values(records)
    .flat()
    .reduce((sum: number, record) => sum + size(record), 0)
  return text + vectors.reduce((sum, { key, data }) => sum + key.length + data.byteLength, 0)
}
