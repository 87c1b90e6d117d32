/** models/manifest.json: what the model files are, how to call them, and what they must answer. */

import { CredenceError } from '../errors.ts'
import type { ModelRole } from '../memory.ts'

export const roles: readonly ModelRole[] = ['embedder', 'embedder-zh', 'nli', 'evidence', 'lm']
/** Whether a role turns texts into vectors. */
export const isEmbedder = (role: ModelRole): boolean => role.startsWith('embedder')
export const nliLabels = ['contradiction', 'entailment', 'neutral'] as const

export interface ModelFile {
  role: 'graph' | 'data' | 'tokenizer' | 'tokenizerConfig'
  /** Relative to the manifest. */
  path: string
  bytes: number
  /** 64 hex digits. */
  sha256: string
}

export type Tolerance =
  /** Least cosine of an output with its reference. */
  | { kind: 'cosine'; least: number }
  /** Greatest difference of one number. */
  | { kind: 'absolute'; most: number }
  /** Greatest difference divided by the number of scored tokens. */
  | { kind: 'absolutePerToken'; most: number }

export type Item = string | readonly [first: string, second: string]

/** Inputs and the outputs that every device must give for them. */
export interface Reference {
  items: readonly Item[]
  outputs: readonly (readonly number[])[]
  tolerance: Tolerance
}

/** Shape of the key-value cache of a causal LM: one tensor [batch, heads, tokens, size] for keys and one for values in each layer. */
export interface KvShape {
  layers: number
  heads: number
  size: number
}

/** What is needed to run a model, wherever its files come from. */
export interface ModelSpec {
  id: string
  revision: string
  dtype: string
  languages: readonly string[]
  /** Longest input in tokens, special ones included. */
  maxTokens: number
  /** Length of an embedding (embedder). */
  dimensions?: number
  /** Text put before a query (embedder). */
  queryPrefix?: string
  /** How token vectors become one, where the graph does not do it (embedder). */
  pooling?: 'cls' | 'mean'
  /** Names of the logits (nli). */
  labels?: readonly string[]
  /** Id of the token that starts a text (lm). */
  start?: number
  /** Ids of the tokens that end a text (lm). */
  ends?: readonly number[]
  kv?: KvShape
  reference?: Reference
}

export interface ManifestModel extends ModelSpec {
  files: readonly ModelFile[]
}

export type Manifest = Partial<Record<ModelRole, ManifestModel>>

/** Checks the parsed JSON; throws `ModelCorrupt` that names the first wrong field. */
export function readManifest(json: unknown): Manifest {
  const top = object(json, 'it')
  if (top.version !== 1) wrong('version', 'must be 1')
  const models = object(top.models, 'models')
  const manifest: Manifest = {}
  for (const [role, value] of Object.entries(models)) {
    if (!(roles as readonly string[]).includes(role)) wrong(`models.${role}`, `is no role; roles are ${roles.join(', ')}`)
    manifest[role as ModelRole] = readModel(role as ModelRole, value)
  }
  return manifest
}

function readModel(role: ModelRole, value: unknown): ManifestModel {
  const at = `models.${role}`
  const source = object(value, at)
  const files = list(source.files, `${at}.files`).map((file, k) => readFile(file, `${at}.files[${k}]`))
  for (const needed of ['graph', 'tokenizer'] as const) {
    if (files.filter(file => file.role === needed).length !== 1) wrong(`${at}.files`, `must have one file of role ${needed}`)
  }
  const model: ManifestModel = {
    id: text(source.id, `${at}.id`),
    revision: text(source.revision, `${at}.revision`),
    dtype: text(source.dtype, `${at}.dtype`),
    languages: list(source.languages, `${at}.languages`).map((name, k) => text(name, `${at}.languages[${k}]`)),
    maxTokens: count(source.maxTokens, `${at}.maxTokens`),
    files,
    reference: readReference(role, source.reference, `${at}.reference`),
  }
  if (source.queryPrefix !== undefined) model.queryPrefix = text(source.queryPrefix, `${at}.queryPrefix`)
  if (isEmbedder(role)) model.dimensions = count(source.dimensions, `${at}.dimensions`)
  if (role === 'nli') {
    model.labels = list(source.labels, `${at}.labels`).map((name, k) => text(name, `${at}.labels[${k}]`))
    for (const name of nliLabels) if (!model.labels.includes(name)) wrong(`${at}.labels`, `must contain ${name}`)
  }
  if (role === 'lm') {
    model.start = id(source.start, `${at}.start`)
    model.ends = (Array.isArray(source.eos) ? source.eos : [source.eos]).map((value, k) => id(value, `${at}.eos[${k}]`))
    const kv = object(source.kv, `${at}.kv`)
    model.kv = {
      layers: count(kv.layers, `${at}.kv.layers`),
      heads: count(kv.heads, `${at}.kv.heads`),
      size: count(kv.size, `${at}.kv.size`),
    }
  }
  return model
}

function readFile(value: unknown, at: string): ModelFile {
  const file = object(value, at)
  const role = text(file.role, `${at}.role`)
  if (role !== 'graph' && role !== 'data' && role !== 'tokenizer' && role !== 'tokenizerConfig') wrong(`${at}.role`, `cannot be ${role}`)
  const path = text(file.path, `${at}.path`)
  if (!path.split('/').every(part => /^[\w.-]+$/.test(part) && part !== '..')) wrong(`${at}.path`, 'must be a plain relative path')
  const sha256 = text(file.sha256, `${at}.sha256`)
  if (!/^[0-9a-f]{64}$/.test(sha256)) wrong(`${at}.sha256`, 'must be 64 hex digits')
  return { role, path, bytes: count(file.bytes, `${at}.bytes`), sha256 }
}

function readReference(role: ModelRole, value: unknown, at: string): Reference {
  const source = object(value, at)
  const items = isEmbedder(role)
    ? list(source.texts, `${at}.texts`).map((item, k) => text(item, `${at}.texts[${k}]`))
    : list(source.pairs, `${at}.pairs`).map((pair, k): Item => {
        if (!Array.isArray(pair) || pair.length !== 2 || !pair.every(part => typeof part === 'string'))
          wrong(`${at}.pairs[${k}]`, 'must be two texts')
        return [pair[0] as string, pair[1] as string]
      })
  const outputs = list(source.outputs, `${at}.outputs`).map((row, k) =>
    (Array.isArray(row) ? row : [row]).map(value => number(value, `${at}.outputs[${k}]`)),
  )
  if (items.length === 0 || outputs.length !== items.length) wrong(`${at}.outputs`, 'must have one output for each input, and at least one')
  return { items, outputs, tolerance: readTolerance(source.tolerance, `${at}.tolerance`) }
}

function readTolerance(value: unknown, at: string): Tolerance {
  const source = object(value, at)
  switch (source.kind) {
    case 'cosine':
      return { kind: 'cosine', least: number(source.least, `${at}.least`) }
    case 'absolute':
    case 'absolutePerToken':
      return { kind: source.kind, most: number(source.most, `${at}.most`) }
    default:
      return wrong(`${at}.kind`, 'must be cosine, absolute or absolutePerToken')
  }
}

function wrong(at: string, why: string): never {
  throw new CredenceError(
    'ModelCorrupt',
    `models/manifest.json is not usable: ${at} ${why}; serve the manifest that came with the model files`,
    {
      data: { field: at },
    },
  )
}

function object(value: unknown, at: string): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : wrong(at, 'must be an object')
}

function list(value: unknown, at: string): unknown[] {
  return Array.isArray(value) ? value : wrong(at, 'must be a list')
}

function text(value: unknown, at: string): string {
  return typeof value === 'string' ? value : wrong(at, 'must be a text')
}

function number(value: unknown, at: string): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : wrong(at, 'must be a finite number')
}

function count(value: unknown, at: string): number {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : wrong(at, 'must be a positive integer')
}

function id(value: unknown, at: string): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : wrong(at, 'must be a token id')
}
