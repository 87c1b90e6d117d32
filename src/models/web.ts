/** The browser's runtime: onnxruntime-web with its WebAssembly files from `assets`. */

import { abortError, CredenceError } from '../errors.ts'
import type { Device, ModelRole, Progress } from '../memory.ts'
import { choiceKey, type Backend, type Choice, type Refusal } from './device.ts'
import type { Files } from './files.ts'
import type { ModelSpec } from './manifest.ts'
import { createQueue } from './queue.ts'
import { createSession, type Ort } from './session.ts'

/** The files of the pinned onnxruntime-web. A unit test compares them with the installed package. */
export const runtime = {
  version: '1.31.0-dev.20260914-8d85527a0',
  wasm: {
    name: 'ort-wasm-simd-threaded',
    bytes: 14264838,
    sha256: '06ba057753da3847e4c24f02d91ab133455b0817c69a44993a9a53a2146df9e3',
  },
  webgpu: {
    name: 'ort-wasm-simd-threaded.asyncify',
    bytes: 26861777,
    sha256: '49871f5a4409519797e127440868a6d1923339d9185907f301a5b2a1d90af082',
  },
} as const

// More threads than this gain nothing for models of this size.
const mostThreads = 4
// A GPU is busy only with many rows at once.
const gpuTokens = 2048

interface Adapter {
  name: string
  software: boolean
}

export async function openWebBackend(options: {
  assets: string
  device: 'auto' | 'webgpu' | 'wasm'
  files: Files
  specs: readonly (readonly [ModelRole, ModelSpec])[]
  onProgress?: ((progress: Progress) => void) | undefined
  signal?: AbortSignal | undefined
}): Promise<Backend & { keep(): Promise<void> }> {
  const { assets, files, specs, signal } = options
  const refused: Refusal[] = []
  const adapter = options.device === 'wasm' ? null : await findAdapter()
  let gpu = adapter !== null && (!adapter.software || options.device === 'webgpu')
  if (!gpu && options.device === 'webgpu') refused.push({ device: 'webgpu', reason: 'the browser gives no WebGPU adapter' })

  const threads = globalThis.crossOriginIsolated ? Math.min(navigator.hardwareConcurrency, mostThreads) : 1
  const note = `devices ${runtime.version} ${threads} ${gpu ? adapter!.name : 'no gpu'}`
  const choices = new Map(Object.entries(((await files.note(note)) ?? {}) as Record<string, Choice>))
  // The plain runtime is half as large and somewhat faster on WASM, where it is known that no model wants the GPU.
  const settled = specs.every(([role, spec]) => choices.get(choiceKey(role, spec))?.device === 'wasm')
  if (gpu && settled && options.device === 'auto') gpu = false

  let ort: Ort
  try {
    ort = await loadRuntime(gpu ? 'webgpu' : 'wasm', assets, files, threads)
  } catch (cause) {
    if (signal?.aborted) throw abortError(signal)
    if (!gpu) throw cause
    gpu = false
    refused.push({ device: 'webgpu', reason: cause instanceof Error ? cause.message.replace(/^credence: /, '') : String(cause) })
    ort = await loadRuntime('wasm', assets, files, threads)
  }

  const devices: Device[] = gpu ? ['webgpu', 'wasm'] : ['wasm']
  const queue = createQueue()
  return {
    devices,
    firstWins: options.device === 'webgpu',
    refused,
    choices,
    create: (parts, device) =>
      createSession(
        ort,
        parts,
        { executionProviders: [device === 'webgpu' ? 'webgpu' : 'wasm'], externalData: parts.data, logSeverityLevel: 3 },
        device === 'webgpu' ? gpuTokens : 0,
        queue,
      ),
    keep: () => files.keepNote(note, Object.fromEntries(choices)),
  }
}

/** One script serves both WebAssembly builds. It can start only one of them, and only once. */
async function loadRuntime(flavour: 'wasm' | 'webgpu', assets: string, files: Files, threads: number): Promise<Ort> {
  const { name, bytes, sha256 } = runtime[flavour]
  const [ort, wasmBinary] = await Promise.all([
    import('onnxruntime-web/webgpu'),
    files.read({ url: new URL(`runtime/${name}.wasm`, assets).href, name: `runtime/${name}.wasm`, bytes, sha256 }),
  ])
  Object.assign(ort.env.wasm, { wasmBinary, wasmPaths: { mjs: new URL(`runtime/${name}.mjs`, assets).href }, numThreads: threads, proxy: false })
  ort.env.logLevel = 'error'
  return ort
}

/** The interface `navigator.gpu` may be there without an adapter behind it. */
async function findAdapter(): Promise<Adapter | null> {
  const gpu = (navigator as { gpu?: { requestAdapter(): Promise<unknown> } }).gpu
  const adapter = (await gpu?.requestAdapter().catch(() => null)) as
    | { isFallbackAdapter?: boolean; info?: { vendor: string; architecture: string; device: string; description: string; isFallbackAdapter?: boolean } }
    | null
    | undefined
  if (!adapter) return null
  const { vendor = '', architecture = '', device = '', description = '', isFallbackAdapter } = adapter.info ?? {}
  const name = [vendor, architecture, device, description].join(' ')
  return { name, software: isFallbackAdapter ?? adapter.isFallbackAdapter ?? /swiftshader|llvmpipe/i.test(name) }
}

/** A failure of the runtime concerns all models at once. */
export function runtimeFailure(cause: unknown): CredenceError {
  return cause instanceof CredenceError
    ? cause
    : new CredenceError('ModelFailed', `the runtime for models could not be started: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
}
