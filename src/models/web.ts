/** The browser's runtime: onnxruntime-web with its WebAssembly files from `assets`. */

import * as onnx from 'onnxruntime-web/webgpu'
import { abortError, CredenceError } from '../errors.ts'
import type { Device, ModelRole } from '../memory.ts'
import { choiceKey, type Backend, type Choice, type Refusal } from './device.ts'
import type { Files } from './files.ts'
import type { ModelSpec } from './manifest.ts'
import { createQueue } from './queue.ts'
import { runtime } from './runtime.ts'
import { createSession, type Ort } from './session.ts'

// More threads than this gain nothing for models of this size.
const mostThreads = 4
// Most tokens of a run. A GPU is busy only with many rows at once; a run on WASM holds the worker's thread.
const runTokens = { webgpu: 2048, wasm: 128 }
const adapterSeconds = 10
// There is one runtime a worker, whatever is loaded with it, so there is one queue.
const queue = createQueue()

interface Adapter {
  name: string
  software: boolean
}

/** Threads that models on WASM use: more than one needs a cross-origin isolated page. */
export function threadCount(): number {
  return globalThis.crossOriginIsolated ? Math.min(navigator.hardwareConcurrency, mostThreads) : 1
}

export async function openWebBackend(options: {
  assets: string
  device: 'auto' | 'webgpu' | 'wasm'
  files: Files
  specs: readonly (readonly [ModelRole, ModelSpec])[]
  signal?: AbortSignal | undefined
}): Promise<Backend & { keep(): Promise<void> }> {
  const { assets, files, specs, signal } = options
  const refused: Refusal[] = []
  const adapter = options.device === 'wasm' ? null : await findAdapter()
  let gpu = adapter !== null && (!adapter.software || options.device === 'webgpu')
  if (!gpu && options.device === 'webgpu') refused.push({ device: 'webgpu', reason: 'the browser gives no WebGPU adapter' })

  const threads = threadCount()
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
  return {
    devices,
    firstWins: options.device === 'webgpu',
    refused,
    choices,
    create: (parts, device) =>
      createSession(
        ort,
        parts,
        {
          executionProviders: [device === 'webgpu' ? 'webgpu' : 'wasm'],
          externalData: parts.data,
          graphOptimizationLevel: parts.own ? 'disabled' : 'all',
          logSeverityLevel: 3,
        },
        device === 'webgpu' ? runTokens.webgpu : parts.own ? runTokens.wasm : 0,
        queue,
      ),
    keep: () => files.keepNote(note, Object.fromEntries(choices)),
  }
}

/** One script serves both WebAssembly builds. It can start only one of them, and only once. */
async function loadRuntime(flavour: 'wasm' | 'webgpu', assets: string, files: Files, threads: number): Promise<Ort> {
  const { name, bytes, sha256 } = runtime[flavour]
  const wasmBinary = await files.read({ url: new URL(`runtime/${name}.wasm`, assets).href, name: `runtime/${name}.wasm`, bytes, sha256 })
  Object.assign(onnx.env.wasm, {
    wasmBinary,
    wasmPaths: { mjs: new URL(`runtime/${name}.mjs`, assets).href },
    numThreads: threads,
    proxy: false,
  })
  onnx.env.logLevel = 'error'
  return onnx
}

/** The interface `navigator.gpu` may be there without an adapter behind it. */
async function findAdapter(): Promise<Adapter | null> {
  const gpu = (navigator as { gpu?: { requestAdapter(): Promise<unknown> } }).gpu
  // A driver that hangs is as good as none.
  const late = new Promise<null>(resolve => setTimeout(resolve, adapterSeconds * 1000, null))
  const adapter = (await Promise.race([gpu?.requestAdapter().catch(() => null), late])) as
    | {
        isFallbackAdapter?: boolean
        info?: { vendor: string; architecture: string; device: string; description: string; isFallbackAdapter?: boolean }
      }
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
    : new CredenceError(
        'ModelFailed',
        `the runtime for models could not be started: ${cause instanceof Error ? cause.message : String(cause)}`,
        { cause },
      )
}
