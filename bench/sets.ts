/** Reads the sets: the kinds, the shapes, and which kind a file has. */

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Role } from '../src/memory.ts'
import { at } from '../scripts/layout.mjs'
import type { NliLabel } from './metrics.ts'

export const kinds = ['retrieval', 'drift', 'gate', 'admission', 'nli'] as const
export type Kind = (typeof kinds)[number]

export interface RetrievalQuery {
  id: string | number
  text: string
  evidence?: (string | number)[]
  category?: string
  answerable?: boolean
  at?: string | number
  current?: (string | number)[]
  stale?: (string | number)[]
}
export interface Chat {
  id: string | number
  turns: { id: string | number; text: string; role?: Role; speaker?: string; session?: string | number; time?: string | number | null }[]
  queries: RetrievalQuery[]
}

export interface Probe {
  at: number
  slot: string
  kind: string
  query: string
  current: string
  stale: string[]
  open?: boolean
}
export interface Persona {
  id?: string
  turns: { t: number; text: string; act: string; slot?: string; value?: string; time?: string | number | null }[]
  probes: Probe[]
}

export interface NliRow {
  p: string
  h: string
  y: NliLabel
  split?: string
}

export interface Shapes {
  retrieval: Chat[]
  drift: { personas: Persona[] }
  gate: { memory: string[]; needs: string[]; needless: string[] }
  admission: { store: string[]; ignore: string[] }
  nli: NliRow[]
}

/** Where the sets lie: CREDENCE_BENCH, else beside the repository. */
export const benchRoot = () => process.env['CREDENCE_BENCH'] ?? at('../shared/bench')

export class UsageError extends Error {}

/** A file's content: JSON, or a list from JSON lines; either may be compressed with gzip. */
export function readSet(file: string): unknown {
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`)
  const bytes = readFileSync(file)
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8').replace(/^\ufeff/, '')
  try {
    return JSON.parse(text)
  } catch (cause) {
    try {
      return text
        .split('\n')
        .filter(line => line.trim() !== '')
        .map(line => JSON.parse(line) as unknown)
    } catch {
      throw new UsageError(`${file} is neither JSON nor JSON lines: ${(cause as Error).message}`)
    }
  }
}

const has = (value: unknown, ...keys: string[]): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && keys.every(key => Object.hasOwn(value, key))

/** The kind whose shape this is. */
export function kindOf(data: unknown): Kind | undefined {
  if (Array.isArray(data)) {
    const first = (data as unknown[])[0]
    if (has(first, 'turns', 'queries')) return 'retrieval'
    return has(first, 'p', 'h', 'y') ? 'nli' : undefined
  }
  if (has(data, 'personas')) return 'drift'
  if (has(data, 'memory', 'needs', 'needless')) return 'gate'
  return has(data, 'store', 'ignore') ? 'admission' : undefined
}

/** `/x/locomo.json.gz` → `locomo`. */
export const setName = (file: string) =>
  basename(file)
    .replace(/\.gz$/, '')
    .replace(/\.jsonl?$/, '')

/** Test sets of the `nli` kind; the other files beside them are for training. */
const nliTests = ['xnli_en_test', 'breaking_nli', 'negation_minpairs_hartmann', 'glue_diagnostic']

/** The files of the development sets, or of one kind only. */
export function developmentSets(kind: Kind | undefined): string[] {
  const folder = join(benchRoot(), 'sets')
  if (!existsSync(folder))
    throw new UsageError(`There is no folder ${folder}: name a file with --set, or the folder of the sets with CREDENCE_BENCH.`)
  const sets = readdirSync(folder)
    .filter(name => /\.jsonl?(\.gz)?$/.test(name))
    .sort()
    .map(name => join(folder, name))
    .filter(file => kind === undefined || kindOf(readSet(file)) === kind)
  const nli = nliTests.map(name => join(benchRoot(), '../nli', `${name}.jsonl.gz`)).filter(file => existsSync(file))
  return [...sets, ...(kind === undefined || kind === 'nli' ? nli : [])]
}

/** `count` items spread evenly over a list, in its order: the sets are sorted by topic and source. */
export function spread<T>(items: readonly T[], count: number | undefined): T[] {
  if (count === undefined || count >= items.length) return [...items]
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]!)
}
