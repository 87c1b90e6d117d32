/** What the bench prints and writes. */

import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { root } from '../scripts/ensure.mjs'
import { at } from '../scripts/layout.mjs'
import type { Status } from '../src/memory.ts'
import type { Result } from './result.ts'
import { UsageError } from './sets.ts'

export interface Report extends Result {
  kind: string
  set: string
  limit?: number
  commit: string | null
  /** `sha256` of the graph and of its weights outside it, where the manifest lists them. */
  models: { role: string; id: string; revision: string; dtype: string; device: string; sha256: string[] }[]
  /** `load`: of the last minute, before the measurement; times are worth something only when it is near 0. */
  machine: { cpu: string; cores: number; memoryGiB: number; load: number; node: string }
  durationMs: number
}

/** The commit, with `+` when files differ from it; null outside a git repository. */
export function commit(): string | null {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  const head = git('rev-parse', '--short=12', 'HEAD')
  if (head.status !== 0) return null
  return head.stdout.trim() + (git('status', '--porcelain').stdout === '' ? '' : '+')
}

export const machine = (): Report['machine'] => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  load: loadavg()[0]!,
  node: process.version,
})

export function modelList({ models }: Pick<Status, 'models'>): Report['models'] {
  const manifest = JSON.parse(readFileSync(at('models/manifest.json'), 'utf8')) as {
    models: Record<string, { files: { role: string; sha256: string }[] } | undefined>
  }
  return models.map(({ role, id, revision, dtype, device }) => {
    const files = manifest.models[role]?.files ?? []
    return { role, id, revision, dtype, device, sha256: files.filter(f => f.role === 'graph' || f.role === 'data').map(f => f.sha256) }
  })
}

/** Reports as `--json` wrote them: a file of one or a list, or a folder of such files. */
export function readReports(path: string): Report[] {
  try {
    if (statSync(path).isDirectory()) {
      return readdirSync(path)
        .filter(name => name.endsWith('.json'))
        .sort()
        .flatMap(name => readReports(join(path, name)))
    }
    const read = JSON.parse(readFileSync(path, 'utf8')) as Report | Report[]
    return [read].flat().map(report => ({ ...report, ...(report.items !== undefined && { items: unpack(report.items) }) }))
  } catch (error) {
    throw new UsageError(`${path} holds no report: ${(error as Error).message}`)
  }
}

/** With each item's values as one line of text. */
export function toJson(reports: Report | Report[]): string {
  return `${JSON.stringify(reports, (key, value: unknown) => (key === 'items' ? pack(value as Result['items']) : value), 2)}\n`
}

const pack = (items: Result['items'] = {}) =>
  Object.fromEntries(
    Object.entries(items).map(([key, values]) => [key, values.map(v => (v === null ? '-' : String(Math.round(v * 1e4) / 1e4))).join(' ')]),
  )
const unpack = (items: object) =>
  Object.fromEntries(
    Object.entries(items).map(([key, values]) => [
      key,
      String(values)
        .split(' ')
        .map(v => (v === '-' ? null : Number(v))),
    ]),
  )

export const number = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 10 ? 3 : 1))
const show = (value: number | number[]) => (Array.isArray(value) ? value.map(number).join(' ') : number(value))

/** A result as lines of text. */
export function table({ kind, set, n, metrics, intervals, byCategory, durationMs }: Report): string {
  const width = Math.max(...Object.keys(metrics).map(key => key.length))
  const lines = Object.entries(metrics).map(([key, value]) => {
    const range = intervals[key]
    return `  ${key.padEnd(width)}  ${show(value)}${range === undefined ? '' : `  [${number(range[0])}, ${number(range[1])}]`}`
  })
  const categories = Object.entries(byCategory).map(
    ([category, values]) =>
      `  · ${category}: ${Object.entries(values)
        .map(([key, value]) => `${key} ${show(value)}`)
        .join(', ')}`,
  )
  return [`${kind} ${set}: n ${n}, ${(durationMs / 1000).toFixed(1)} s`, ...lines, ...categories].join('\n')
}

/** Progress on stderr, at most once in two seconds. */
export function progressLine(title: string): (done: number, total: number) => void {
  const started = performance.now()
  let last = started
  return (done, total) => {
    const now = performance.now()
    if (now - last < 2000 && done !== total) return
    last = now
    const left = ((now - started) / done) * (total - done)
    const text = `${title}: ${done} of ${total}, ${Math.round((now - started) / 1000)} s gone, about ${Math.round(left / 1000)} s left`
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}${done === total ? '\n' : ''}` : `${text}\n`)
  }
}
