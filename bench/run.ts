/** `npm run bench -- [KIND] [options]`, see docs/benchmarks.md. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { at } from '../scripts/layout.mjs'
import { openNodeModels } from '../src/models/node.ts'
import { cached } from './cache.ts'
import { compare } from './compare.ts'
import { writeDocs } from './docs.ts'
import { ablations } from './kinds/ablations.ts'
import { admission } from './kinds/admission.ts'
import { drift } from './kinds/drift.ts'
import { gate } from './kinds/gate.ts'
import { growth } from './kinds/growth.ts'
import { labels } from './kinds/labels.ts'
import { nli } from './kinds/nli.ts'
import { parts } from './kinds/parts.ts'
import { precision } from './kinds/precision.ts'
import { reader } from './kinds/reader.ts'
import { retrieval } from './kinds/retrieval.ts'
import { seeds } from './kinds/seeds.ts'
import { supervision } from './kinds/supervision.ts'
import { commit, machine, modelList, progressLine, readReports, table, toJson, type Report } from './report.ts'
import type { BenchContext, Result } from './result.ts'
import { benchRoot, developmentSets, kinds, kindsOf, readSet, setName, UsageError, type Kind, type Shapes, type shapeOf } from './sets.ts'
import { lineChart } from './svg.ts'

const runners: { [K in Kind]: (data: Shapes[(typeof shapeOf)[K]], context: BenchContext) => Promise<Result> } = {
  retrieval,
  drift,
  ablations,
  seeds,
  gate,
  admission,
  nli,
  parts,
  precision,
  labels,
  reader,
  supervision,
  // With a bundler, a browser and other people's packages behind it.
  peers: async (data, context) => (await import('./kinds/peers.ts')).peers(data, context),
}
/** Kinds that take no set. */
const setless = ['growth', 'latency'] as const
type Setless = (typeof setless)[number]

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      set: { type: 'string' },
      sets: { type: 'string' },
      json: { type: 'string' },
      limit: { type: 'string' },
      save: { type: 'boolean' },
      compare: { type: 'boolean' },
    },
  })
  const { set, sets, json, save = false } = values
  if (values.compare === true) {
    if (positionals.length !== 2) throw new UsageError('--compare takes two files that --json wrote, or two folders of them.')
    return { compare: positionals as [string, string] }
  }
  const [kind, ...rest] = positionals
  const known: readonly string[] = [...kinds, ...setless, 'docs']
  if (rest.length > 0 || (kind !== undefined && !known.includes(kind)))
    throw new UsageError(`KIND is one of ${known.join(', ')}, or nothing for all.`)
  if (set !== undefined && (setless as readonly (string | undefined)[]).includes(kind)) throw new UsageError(`${kind} takes no --set.`)
  const limit = values.limit === undefined ? undefined : Number(values.limit)
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) throw new UsageError('--limit takes a whole number above 0.')
  if (save && limit !== undefined) throw new UsageError('--save keeps figures of whole sets: leave --limit out.')
  return { kind: kind as Kind | Setless | 'docs' | undefined, set, root: benchRoot(sets), json, limit, save }
}
type Options = Exclude<ReturnType<typeof readArguments>, { compare: unknown }>

function* chosenSets({ kind, set, root }: { kind: Kind | undefined; set: string | undefined; root: string }) {
  if (set === undefined) {
    for (const { file, kind: found } of developmentSets(root, kind)) yield { set: setName(file), kind: found, data: readSet(file) }
    return
  }
  const data = readSet(set)
  const found = kindsOf(data)
  const wanted = kind ?? found[0]
  if (wanted === undefined || !found.includes(wanted)) {
    throw new UsageError(`${set} ${found.length === 0 ? 'has the shape of no kind' : `is of the kind ${found.join(' or ')}, not ${kind}`}.`)
  }
  yield { set: setName(set), kind: wanted, data }
}

async function* measureSets(options: { kind: Kind | undefined; set: string | undefined; root: string; limit: number | undefined }) {
  const { limit } = options
  const sets = chosenSets(options)
  let next = sets.next() // what is wrong with the arguments is said before the models are loaded
  const models = cached(await openModels())
  const about = { commit: commit(), models: modelList(models.status()), machine: machine() }
  for (; !next.done; next = sets.next()) {
    const { set, kind, data } = next.value
    const started = performance.now()
    const run = runners[kind] as (data: unknown, context: BenchContext) => Promise<Result>
    try {
      const result = await run(data, { models, limit, progress: progressLine(`${kind} ${set}`) })
      yield { kind, set, ...(limit !== undefined && { limit }), ...result, ...about, durationMs: Math.round(performance.now() - started) }
    } finally {
      models.flush()
    }
  }
}

async function openModels() {
  const models = await openNodeModels({ modelsDir: at('models') })
  const { missing } = models.status()
  if (missing.length > 0) throw new Error(`Models are missing: ${missing.map(({ role, reason }) => `${role} (${reason})`).join('; ')}`)
  return models
}

async function measureSetless(kind: Setless, root: string, limit: number | undefined): Promise<Report> {
  const about = { commit: commit(), machine: machine() }
  const started = performance.now()
  const took = () => Math.round(performance.now() - started)
  if (kind === 'latency') {
    const { latency } = await import('./latency/latency.ts') // with a bundler and a browser behind it
    const { models, ...result } = await latency(limit)
    return { kind, set: 'none', ...result, models, ...about, durationMs: took() }
  }
  const models = cached(await openModels())
  try {
    const result = await growth(root, { models, limit, progress: progressLine(kind) })
    return {
      kind,
      set: 'none',
      ...(limit !== undefined && { limit }),
      ...result,
      models: modelList(models.status()),
      ...about,
      durationMs: took(),
    }
  } finally {
    models.flush()
  }
}

async function* measure({ kind, set, root, limit }: Options): AsyncGenerator<Report> {
  const alone = setless.find(name => name === kind)
  if (alone !== undefined) return yield await measureSetless(alone, root, limit)
  yield* measureSets({ kind: kind as Kind | undefined, set, root, limit })
  if (kind === undefined && set === undefined) yield await measureSetless('latency', root, limit)
}

/** Beside the JSON, or in the folder of kept results. */
function drawCurves({ kind, set, curves = [] }: Report, folder: string): void {
  for (const curve of curves) writeFileSync(join(folder, `${kind}-${set}-${curve.name}.svg`), lineChart(curve))
}

async function main(): Promise<void> {
  const options = readArguments()
  if ('compare' in options) {
    const [before, after] = options.compare.map(readReports) as [Report[], Report[]]
    console.log(compare(before, after))
    return
  }
  const results = at('bench/results')
  const reports: Report[] = []
  for await (const report of options.kind === 'docs' ? [] : measure(options)) {
    console.log(`${table(report)}\n`)
    reports.push(report)
    // Written after each set: a long run that is stopped leaves what it has.
    if (options.json !== undefined) {
      writeFileSync(options.json, toJson(reports.length === 1 ? reports[0]! : reports))
      drawCurves(report, dirname(options.json))
    }
    if (options.save) {
      mkdirSync(results, { recursive: true })
      writeFileSync(join(results, `${report.kind}-${report.set}.json`), toJson(report))
    }
  }
  if (options.save || options.kind === 'docs') writeDocs(readReports(results), readFileSync(at('bench/docs.md'), 'utf8'), at('docs'))
}

try {
  await main()
  process.exit(0)
} catch (error) {
  const usage = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  console.error(usage ? (error as Error).message : error)
  process.exit(usage ? 2 : 1)
}
