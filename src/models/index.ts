/** Opens the models in a browser. */

import { version } from '../../package.json'
import type { Models } from '../engine/ports.ts'
import { abortError, CredenceError, refuseUnknown } from '../errors.ts'
import type { HubModel, ModelRole, Progress } from '../memory.ts'
import { openFiles, type Files } from './files.ts'
import { checkHubModel, hubSource } from './hub.ts'
import { readManifest, roles, type Manifest, type ManifestModel, type ModelSpec } from './manifest.ts'
import { assemble, tokenizerPool, type Source } from './models.ts'
import { openWebBackend, runtimeFailure } from './web.ts'

export { threadCount } from './web.ts'

export interface OpenModelsOptions {
  /** Base URL of `models/` and `runtime/`. */
  assets: string
  /** Replaces models by role, or leaves one out with `false`. */
  models?: Partial<Record<ModelRole, HubModel | false>>
  /** BCP 47 tags: `embedder-zh` is loaded when one of them is Chinese and `models` says nothing of an embedder. Default: none. */
  languages?: readonly string[]
  /** Default false. */
  allowDownload?: boolean
  /** Default `'auto'`. */
  device?: 'auto' | 'webgpu' | 'wasm'
  /** Why no model is to be loaded at all; `status().missing` gives it for every role. */
  without?: string
  onProgress?: (progress: Progress) => void
  /** Called with true before models take memory, and with false when all of them are loaded, given up or disposed of. */
  onLoading?: (on: boolean) => void
  signal?: AbortSignal
}

/**
 * Loads what can be loaded. A model that cannot is left out, and `status().missing` says why. Rejects with an abort, with `UnknownOption` or
 * `InvalidArgument` for wrong options, and with `DownloadRefused` for a hub model without `allowDownload`.
 */
export async function openModels(options: OpenModelsOptions): Promise<Models> {
  refuseUnknown(
    options,
    ['assets', 'models', 'languages', 'allowDownload', 'device', 'without', 'onProgress', 'onLoading', 'signal'],
    'openModels',
  )
  const { languages = [], allowDownload = false, device = 'auto', without, signal } = options
  refuseUnknown(options.models ?? {}, roles, 'models')
  // Vectors of an embedder that the host has chosen are not to be mixed with those of ours.
  const chinese = options.models?.embedder === undefined && languages.some(language => /^zh\b/.test(language))
  const models = { ...(!chinese && { 'embedder-zh': false as const }), ...options.models }
  for (const role of roles) {
    const model = models[role]
    if (model) checkHubModel(role, model, allowDownload)
  }
  if (!['auto', 'webgpu', 'wasm'].includes(device))
    throw new CredenceError('InvalidArgument', `device cannot be ${device}; use auto, webgpu or wasm`)
  if (signal?.aborted) throw abortError(signal)
  if (without !== undefined) {
    const wanted = roles.filter(role => models[role] !== false)
    return assemble(Object.fromEntries(wanted.map(role => [role, new CredenceError('ModelFailed', without)])), noBackend, {})
  }

  // The caller's signal ends the opening; `dispose` ends what is loaded behind it.
  const life = new AbortController()
  const end = () => life.abort(signal?.reason)
  signal?.addEventListener('abort', end)
  try {
    return await open(models, options.assets, device, options, life)
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

async function open(
  models: NonNullable<OpenModelsOptions['models']>,
  base: string,
  device: NonNullable<OpenModelsOptions['device']>,
  { onProgress, onLoading }: OpenModelsOptions,
  life: AbortController,
): Promise<Models> {
  const { signal } = life
  const assets = new URL(base.endsWith('/') ? base : `${base}/`, globalThis.location?.href).href
  const files = openFiles({ onProgress, signal })
  const sources = await findSources(assets, models, files)
  if (signal.aborted) throw abortError(signal)

  const found = roles.flatMap(role => {
    const source = sources[role]
    return source && !(source instanceof Error) ? [[role, source.spec] as const] : []
  })
  if (found.length === 0) return assemble(sources, noBackend, {})
  let loading = true
  const settled = () => {
    if (loading) onLoading?.(false)
    loading = false
  }
  onLoading?.(true)
  try {
    const backend = await openWebBackend({ assets, device, files, specs: found, signal })
    return await assemble(sources, backend, {
      onProgress,
      signal,
      lmBehind: true,
      onDispose() {
        life.abort()
        settled()
      },
      async onSettled(missing) {
        settled()
        await backend.keep()
        // The manifest may be older than the files beside it.
        if (missing.some(({ reason }) => /^Model(Corrupt|Missing)/.test(reason))) await files.drop({ notes: [manifestNote(assets)] })
      },
    })
  } catch (cause) {
    settled()
    if (signal.aborted) throw abortError(signal)
    const failure = runtimeFailure(cause)
    for (const [role] of found) sources[role] = failure
    return assemble(sources, noBackend, {})
  }
}

const noBackend = {
  devices: [],
  firstWins: false,
  refused: [],
  choices: new Map(),
  create: () => Promise.reject(new CredenceError('ModelFailed', 'there is no runtime for models')),
}

async function findSources(
  assets: string,
  models: Partial<Record<ModelRole, HubModel | false>>,
  files: Files,
): Promise<Partial<Record<ModelRole, Source | Error>>> {
  const tokenizers = tokenizerPool()
  const own = roles.filter(role => models[role] === undefined)
  const manifest = own.length === 0 ? {} : await loadManifest(assets, files).catch(asError)
  const found: Partial<Record<ModelRole, Source | Error>> = {}
  for (const role of roles) {
    const model = models[role]
    if (model === false) continue
    if (model) found[role] = await hubSource(role, model, files).catch(asError)
    else if (manifest instanceof Error) found[role] = manifest
    else {
      const entry = manifest[role]
      found[role] = entry
        ? ownSource(entry, assets, files, tokenizers)
        : new CredenceError('ModelMissing', `models/manifest.json has no ${role}; deploy the model files of this version`)
    }
  }
  return found
}

const asError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)))

function ownSource(entry: ManifestModel, assets: string, files: Files, tokenizers: ReturnType<typeof tokenizerPool>): Source {
  const { files: listed, ...spec } = entry
  const read = (file: ManifestModel['files'][number]) =>
    files.read({ url: new URL(`models/${file.path}`, assets).href, name: `models/${file.path}`, bytes: file.bytes, sha256: file.sha256 })
  const json = async (role: 'tokenizer' | 'tokenizerConfig') => {
    const file = listed.find(file => file.role === role)
    return file ? (JSON.parse(new TextDecoder().decode(await read(file))) as object) : {}
  }
  return {
    spec: spec satisfies ModelSpec,
    tokenizer: () =>
      tokenizers(listed.flatMap(file => (file.role.startsWith('tokenizer') ? file.sha256 : [])).join(), () =>
        Promise.all([json('tokenizer'), json('tokenizerConfig')]),
      ),
    async parts() {
      const [graph, ...data] = await Promise.all([
        read(listed.find(file => file.role === 'graph')!),
        ...listed.filter(file => file.role === 'data').map(async file => ({ path: file.path.split('/').at(-1)!, data: await read(file) })),
      ])
      return { graph, data, own: true }
    },
  }
}

const manifestNote = (assets: string) => `manifest ${assets}`

/** The manifest is fetched once for each version of the library, so that a later visit needs no network. */
async function loadManifest(assets: string, files: Files): Promise<Manifest> {
  const note = (await files.note(manifestNote(assets))) as { version: string; json: unknown } | undefined
  const earlier = note && usable(note.json)
  if (earlier && note.version === version) return earlier
  let json: unknown
  try {
    json = JSON.parse(
      new TextDecoder().decode(await files.fetch({ url: new URL('models/manifest.json', assets).href, name: 'models/manifest.json' })),
    )
  } catch (cause) {
    if (earlier && cause instanceof CredenceError && cause.code === 'ModelMissing') return earlier
    if (!(cause instanceof SyntaxError)) throw cause
    throw new CredenceError(
      'ModelMissing',
      `there is no manifest at ${assets}models/manifest.json, but something else; check the option assets`,
      { cause },
    )
  }
  const manifest = readManifest(json)
  const used = hashesOf(manifest)
  await files.drop({ sha256: earlier ? hashesOf(earlier).filter(hash => !used.includes(hash)) : [] })
  await files.keepNote(manifestNote(assets), { version, json })
  return manifest
}

function usable(json: unknown): Manifest | undefined {
  try {
    return readManifest(json)
  } catch {
    return undefined
  }
}

const hashesOf = (manifest: Manifest) => Object.values(manifest).flatMap(model => model.files.map(file => file.sha256))
