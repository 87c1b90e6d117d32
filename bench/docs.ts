/** Writes docs/benchmarks.md: the text of bench/docs.md with the tables and curves of the kept results in the place of its marks. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { number, type Report } from './report.ts'
import type { Metrics } from './result.ts'
import { lineChart } from './svg.ts'

/** `<!-- results KIND -->`, `<!-- categories KIND SET -->`, `<!-- curves KIND -->`, `<!-- machine -->`. */
const mark = /^<!-- (results|categories|curves|machine)(?: (\S+))?(?: (\S+))? -->$/gm

const notMeasured = 'Not measured yet.'

export function writeDocs(reports: readonly Report[], text: string, folder: string): void {
  const figures = join(folder, 'figures')
  mkdirSync(figures, { recursive: true })
  const filled = text.replaceAll(mark, (_, what: string, kind?: string, set?: string) => {
    const of = reports.filter(report => report.kind === kind && (set === undefined || report.set === set))
    if (what === 'machine') return reports.length === 0 ? notMeasured : provenance(reports)
    if (of.length === 0) return notMeasured
    if (what === 'results') return results(of)
    // Several sets are told apart by a line before each.
    if (what === 'categories')
      return of.map(report => (of.length > 1 ? `\`${report.set}\`:\n\n${categories(report)}` : categories(report))).join('\n\n')
    return of.flatMap(report => curves(report, figures)).join('\n\n')
  })
  const origin = '<!-- Written by `npm run bench -- docs` from bench/docs.md and bench/results: change those, not this. -->'
  writeFileSync(join(folder, 'benchmarks.md'), `${origin}\n\n${filled}`)
}

/** A row a set. Intervals stand in brackets. */
function results(reports: readonly Report[]): string {
  const keys = [...new Set(reports.flatMap(({ metrics }) => scalars(metrics)))]
  const rows = reports.map(({ set, n, metrics, intervals }) => [
    ...(set === 'none' ? [] : [`\`${set}\``]),
    String(n),
    ...keys.map(key => {
      const range = intervals[key]
      return `${show(metrics[key])}${range === undefined ? '' : ` [${number(range[0])}, ${number(range[1])}]`}`
    }),
  ])
  const named = reports.some(({ set }) => set !== 'none')
  const heads = [...(named ? ['set'] : []), 'n', ...keys]
  // Few rows of many figures read better the other way round.
  return keys.length > 8 && rows.length <= 3 ? table(['', ...rows.map(row => row[0]!)], flip(heads, rows)) : table(heads, rows)
}

const flip = (heads: readonly string[], rows: readonly string[][]) =>
  heads.slice(1).map((head, i) => [head, ...rows.map(row => row[i + 1]!)])

/** A row a category of one set. */
function categories({ byCategory }: Report): string {
  const keys = [...new Set(Object.values(byCategory).flatMap(scalars))]
  return table(
    ['', ...keys],
    Object.entries(byCategory).map(([name, metrics]) => [name, ...keys.map(key => show(metrics[key]))]),
  )
}

function curves({ kind, set, curves = [] }: Report, folder: string): string[] {
  return curves.map(curve => {
    const name = `${kind}${set === 'none' ? '' : `-${set}`}-${curve.name}.svg`
    writeFileSync(join(folder, name), lineChart(curve))
    return `![${curve.title}${set === 'none' ? '' : `, ${set}`}](figures/${name})`
  })
}

function provenance(reports: readonly Report[]): string {
  const commits = [...new Set(reports.map(({ commit }) => commit ?? 'no repository'))]
  const machines = [...new Set(reports.map(({ machine: m }) => `${m.cores} cores of ${m.cpu}, ${m.memoryGiB} GiB, Node ${m.node}`))]
  const models = new Map(reports.flatMap(({ models }) => models.map(model => [`${model.role} ${model.id} ${model.sha256.join()}`, model])))
  return [
    `Commit ${commits.join(', ')} (\`+\`: with changes not committed yet); ${machines.join('; ')}.`,
    table(
      ['role', 'model', 'dtype', 'SHA-256 of the graph and its weights'],
      [...models.values()].map(({ role, id, dtype, sha256 }) => [
        role,
        id,
        dtype,
        sha256.map(hash => `\`${hash.slice(0, 16)}…\``).join(' '),
      ]),
    ),
  ].join('\n\n')
}

const scalars = (metrics: Metrics) => Object.keys(metrics).filter(key => !Array.isArray(metrics[key]))

const show = (value: number | number[] | undefined) => (value === undefined ? '–' : [value].flat().map(number).join(' '))

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n')
}
