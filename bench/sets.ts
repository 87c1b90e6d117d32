/** Reads the sets: the kinds, the shapes, and which kind a file has. */

import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Role } from '../src/memory.ts'
import { at } from '../scripts/layout.mjs'
import type { NliLabel } from './metrics.ts'

/** The kinds, and the shape that each takes. */
export const shapeOf = {
  retrieval: 'retrieval',
  drift: 'drift',
  ablations: 'drift',
  seeds: 'drift',
  gate: 'gate',
  admission: 'admission',
  nli: 'nli',
  precision: 'precision',
  labels: 'labels',
  peers: 'retrieval',
  parts: 'retrieval',
  reader: 'preferences',
  supervision: 'preferences',
} as const satisfies Record<string, keyof Shapes>
export type Kind = keyof typeof shapeOf
export const kinds = Object.keys(shapeOf) as Kind[]

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

export interface LabelledChat {
  id: string | number
  turns: {
    id: string | number
    text: string
    role: Role
    session?: string | number
    time?: string | number | null
    plan_label?: string | null
  }[]
}

/** PrecisionMemBench's own fixtures: the three files of a folder. */
export interface PrecisionSet {
  'beliefs.seed': PrecisionBelief[]
  'retrieval.cases': PrecisionCase[]
  'session-retrieval.cases'?: { turns: PrecisionTurn[] }[]
}
export interface PrecisionBelief {
  _id: string
  user_id: string
  type: string
  canonical_name: string
  aliases: string[]
  content: string
  why_it_matters: string
  scope: string[]
  epistemic_status: string
  confidence: number
  pinned: boolean
  resolved_at: string | null
  superseded_by: string | null
  created_at: string
  participants?: string[]
}
interface Demand {
  mustInclude?: string[]
  mustExclude?: string[]
}
export interface PrecisionExpectation {
  relevantBeliefs?: Demand & { shouldOnlyInclude?: string[] }
  pinnedFacts?: Demand
  openQuestions?: Demand
  noiseCheck?: { mustNotSurface: string[] }
}
interface PrecisionCase {
  caseId: string
  category: string
  scope: string[]
  query: string
  userId?: string
  budget?: { maxBeliefs?: number }
  expect: PrecisionExpectation
}
interface PrecisionTurn {
  scope: string[]
  userMessage: string
  expect: PrecisionExpectation
  createBeliefAtTurn?: PrecisionBelief
  updateBeliefAtTurn?: { beliefId: string; addAliases?: string[] }
}

/** PrefEval's multiple choice, and the chats that a preference is hidden in: a list, or a folder with a file of each. */
export interface PreferenceItem {
  id: string
  topic?: string
  preference: string
  question: string
  mcq: { options: string[]; correct: number }
}
export type PreferenceSet = PreferenceItem[] | Record<string, unknown[]>

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
  precision: PrecisionSet
  labels: LabelledChat[]
  preferences: PreferenceSet
}

/** Where the sets lie: `--sets`, CREDENCE_BENCH, or beside the repository. */
export const benchRoot = (folder?: string) => folder ?? process.env['CREDENCE_BENCH'] ?? at('../shared/bench')

export class UsageError extends Error {}

/** A file's content: JSON, or a list from JSON lines; either may be compressed with gzip. Of a folder, the content of each file by its name. */
export function readSet(file: string): unknown {
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`)
  if (statSync(file).isDirectory())
    return Object.fromEntries(
      readdirSync(file)
        .filter(isSet)
        .map(name => [setName(name), readSet(join(file, name))]),
    )
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

const first = (data: unknown) => (Array.isArray(data) ? (data as unknown[])[0] : undefined)
const tests: { [S in keyof Shapes]: (data: unknown) => boolean } = {
  retrieval: data => has(first(data), 'turns', 'queries'),
  labels: data => {
    const chat = first(data)
    return has(chat, 'turns') && (chat['turns'] as unknown[]).some(turn => has(turn, 'plan_label'))
  },
  nli: data => has(first(data), 'p', 'h', 'y'),
  drift: data => has(data, 'personas'),
  gate: data => has(data, 'memory', 'needs', 'needless'),
  admission: data => has(data, 'store', 'ignore'),
  precision: data => has(data, 'beliefs.seed', 'retrieval.cases'),
  preferences: data => [data, ...Object.values(has(data) ? data : {})].some(list => has(first(list), 'preference', 'question', 'mcq')),
}

/** The kinds whose shape this is, the most usual first. */
export const kindsOf = (data: unknown): Kind[] => kinds.filter(kind => tests[shapeOf[kind]](data))

const isSet = (name: string) => /\.jsonl?(\.gz)?$/.test(name)

/** `/x/locomo.json.gz` → `locomo`. */
export const setName = (file: string) =>
  basename(file)
    .replace(/\.gz$/, '')
    .replace(/\.jsonl?$/, '')

/** Test sets of the `nli` kind; the other files beside them are for training. */
const nliTests = ['xnli_en_test', 'breaking_nli', 'negation_minpairs_hartmann', 'glue_diagnostic']

/** Kinds that run only when they are asked for: they take long, or need other people's packages. */
const onDemand: readonly Kind[] = ['peers', 'parts', 'seeds', 'reader', 'supervision']

/** The development sets under a root, each with its kind; or those of one kind only. */
export function developmentSets(root: string, only: Kind | undefined): { file: string; kind: Kind }[] {
  const folder = join(root, 'sets')
  if (!existsSync(folder))
    throw new UsageError(`There is no folder ${folder}: name a file with --set, or the folder that holds the sets with --sets.`)
  const files = [
    ...readdirSync(folder)
      .filter(isSet)
      .sort()
      .map(name => join(folder, name)),
    ...nliTests.map(name => join(root, '../nli', `${name}.jsonl.gz`)),
    join(root, 'precisionmembench'),
    join(root, 'prefeval'),
  ].filter(file => existsSync(file))
  const labelled = join(root, 'beam/beam_100K.json.gz')
  return [
    ...files.flatMap(file => kindsOf(readSet(file)).map(kind => ({ file, kind }))),
    ...(existsSync(labelled) ? [{ file: labelled, kind: 'labels' as const }] : []),
  ].filter(({ kind }) => (only === undefined ? !onDemand.includes(kind) : kind === only))
}

/** `count` items spread evenly over a list, in its order: the sets are sorted by topic and source. */
export function spread<T>(items: readonly T[], count: number | undefined): T[] {
  if (count === undefined || count >= items.length) return [...items]
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]!)
}
