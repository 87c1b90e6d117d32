/** `npm run bench -- [KIND] [--set FILE] [--json OUT] [--limit N]`, see docs/benchmarks.md. */

import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { at } from '../scripts/layout.mjs'
import { openNodeModels } from '../src/models/node.ts'
import { cached } from './cache.ts'
import { admission } from './kinds/admission.ts'
import { drift } from './kinds/drift.ts'
import { gate } from './kinds/gate.ts'
import { nli } from './kinds/nli.ts'
import { retrieval } from './kinds/retrieval.ts'
import { commit, machine, modelList, progressLine, table, type Report } from './report.ts'
import type { BenchContext, Result } from './result.ts'
import { developmentSets, kindOf, kinds, readSet, setName, UsageError, type Kind, type Shapes } from './sets.ts'

const runners: { [K in Kind]: (data: Shapes[K], context: BenchContext) => Promise<Result> } = { retrieval, drift, gate, admission, nli }

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { set: { type: 'string' }, json: { type: 'string' }, limit: { type: 'string' } },
  })
  const [kind, ...rest] = positionals
  const known: readonly string[] = [...kinds, 'latency']
  if (rest.length > 0 || (kind !== undefined && !known.includes(kind)))
    throw new UsageError(`KIND is one of ${known.join(', ')}, or nothing for all.`)
  if (kind === 'latency' && values.set !== undefined) throw new UsageError('latency takes no --set.')
  const limit = values.limit === undefined ? undefined : Number(values.limit)
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) throw new UsageError('--limit takes a whole number above 0.')
  return { kind: kind as Kind | 'latency' | undefined, set: values.set, json: values.json, limit }
}

async function* measureSets(kind: Kind | undefined, file: string | undefined, limit: number | undefined): AsyncGenerator<Report> {
  const sets = (file === undefined ? developmentSets(kind) : [file]).map(path => {
    const data = readSet(path)
    const found = kindOf(data)
    if (found === undefined || (kind !== undefined && found !== kind)) {
      throw new UsageError(`${path} ${found === undefined ? 'has the shape of no kind' : `is of the kind ${found}, not ${kind}`}.`)
    }
    return { set: setName(path), kind: found, data }
  })
  const opened = await openNodeModels({ modelsDir: at('models') })
  const { missing } = opened.status()
  if (missing.length > 0) throw new Error(`Models are missing: ${missing.map(({ role, reason }) => `${role} (${reason})`).join('; ')}`)
  const models = cached(opened)
  const about = { commit: commit(), models: modelList(models.status()), machine: machine() }
  for (const { set, kind, data } of sets) {
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

async function* measure({ kind, set, limit }: ReturnType<typeof readArguments>): AsyncGenerator<Report> {
  if (kind !== 'latency') yield* measureSets(kind, set, limit)
  if (kind === 'latency' || (kind === undefined && set === undefined)) {
    const { latency } = await import('./latency/latency.ts') // with a bundler and a browser behind it
    const about = { commit: commit(), machine: machine() }
    const started = performance.now()
    const { models, ...result } = await latency(limit)
    yield {
      kind: 'latency',
      set: 'none',
      ...result,
      models,
      ...about,
      durationMs: Math.round(performance.now() - started),
    }
  }
}

try {
  const options = readArguments()
  const reports: Report[] = []
  for await (const report of measure(options)) {
    console.log(`${table(report)}\n`)
    reports.push(report)
    // Written after each set: a long run that is stopped leaves what it has.
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(reports.length === 1 ? reports[0] : reports, null, 2)}\n`)
  }
  process.exit(0)
} catch (error) {
  const usage = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  console.error(usage ? (error as Error).message : error)
  process.exit(usage ? 2 : 1)
}
