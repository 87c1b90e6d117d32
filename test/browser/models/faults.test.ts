/** What goes wrong with the GPU, and with the answers of a model. */

import * as onnx from 'onnxruntime-web/webgpu'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Models } from '../../../src/engine/ports.ts'
import { openModels, type OpenModelsOptions } from '../../../src/models/index.ts'
import { tableGraph } from './tiny-graph.ts'
import { repository, revision, words } from './tiny-hub.ts'

const assets = new URL('/', location.href).href
const realFetch = globalThis.fetch
const gpu = (navigator as unknown as { gpu: { requestAdapter(): Promise<{ features: Set<string> } | null> } }).gpu
const vectors = words.map((_, k) => [k, 1])
const files = {
  ...repository('tiny/embedder', { max_position_embeddings: 16, hidden_size: 2 }, tableGraph('last_hidden_state', vectors)),
  ...repository('tiny/half', { max_position_embeddings: 16, hidden_size: 2 }, tableGraph('last_hidden_state', vectors, undefined, true)),
}
let opened: Models[]

beforeEach(() => {
  opened = []
  globalThis.fetch = async (input, init) => {
    const file = files[String(input).replace('https://huggingface.co/', '')]
    return file ? new Response(file()) : realFetch(input, init)
  }
})

afterEach(async () => {
  vi.restoreAllMocks()
  globalThis.fetch = realFetch
  for (const models of opened) await models.dispose()
})

async function open(hub: string, device: OpenModelsOptions['device']): Promise<Models> {
  const models = { embedder: { hub, revision }, nli: false, evidence: false, lm: false } as const
  const result = await openModels({ assets, device: device!, allowDownload: true, models })
  opened.push(result)
  return result
}

const text = ['tea is warm']
let right: Float32Array[]

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const file = files[String(input).replace('https://huggingface.co/', '')]
    return file ? new Response(file()) : realFetch(input, init)
  }
  const models = await openModels({
    assets,
    device: 'webgpu',
    allowDownload: true,
    models: { embedder: { hub: 'tiny/embedder', revision }, nli: false, evidence: false, lm: false },
  })
  right = await models.embed(text, 'passage')
  await models.dispose()
})

describe('an adapter that is none (asks 78)', () => {
  test.each<[string, () => Promise<null>]>([
    ['null', async () => null],
    ['an error', () => Promise.reject(new DOMException('no adapter', 'OperationError'))],
    ['no answer at all', () => new Promise(() => {})],
  ])('%s', async (_, answer) => {
    vi.spyOn(gpu, 'requestAdapter').mockImplementation(answer)
    const models = await open('tiny/embedder', 'webgpu')
    expect(models.status().models).toMatchObject([
      { device: 'wasm', refused: [{ device: 'webgpu', reason: 'the browser gives no WebGPU adapter' }] },
    ])
    expect(await models.embed(text, 'passage')).toEqual(right)
  })
})

describe('the GPU device is lost (asks 79)', () => {
  const lose = async () => {
    const device = (await onnx.env.webgpu.device) as unknown as { destroy(): void; lost: Promise<unknown> }
    device.destroy()
    await device.lost
  }

  test('three times, each time before a call', async () => {
    const models = await open('tiny/embedder', 'webgpu')
    for (let k = 0; k < 3; k++) {
      await lose()
      expect(await models.embed(text, 'passage')).toEqual(right)
    }
  })

  test('while many calls are under way', async () => {
    const models = await open('tiny/embedder', 'webgpu')
    const calls = Array.from({ length: 20 }, () => models.embed(text, 'passage'))
    await lose()
    for (const answer of await Promise.all(calls)) expect(answer).toEqual(right)
  })

  test('while a model is loaded', async () => {
    await open('tiny/embedder', 'webgpu')
    const opening = open('tiny/embedder', 'webgpu')
    await lose()
    const models = await opening
    expect(models.status().missing).toEqual([])
    expect(await models.embed(text, 'passage')).toEqual(right)
  })
})

test('ten times disposed of and opened again on the GPU, it answers (asks 80)', async () => {
  for (let k = 0; k < 10; k++) {
    const models = await open('tiny/embedder', 'webgpu')
    expect(models.status().models).toMatchObject([{ device: 'webgpu' }])
    expect(await models.embed(text, 'passage')).toEqual(right)
    await models.dispose()
  }
})

test('a model of half precision answers right where the adapter has no shader-f16, wherever it runs (asks 76)', async () => {
  const adapter = await gpu.requestAdapter()
  expect(adapter!.features.has('shader-f16')).toBe(false)
  const models = await open('tiny/half', 'webgpu')
  expect(models.status().missing).toEqual([])
  const [vector] = await models.embed(text, 'passage')
  expect(vector![0]).toBeCloseTo(right[0]![0]!, 3)
  expect(vector![1]).toBeCloseTo(right[0]![1]!, 3)
})

test('a model whose answers are not those of its reference is not used, and says so (asks 67, 68)', async () => {
  await caches.delete('credence-models')
  globalThis.fetch = async (input, init) => {
    const response = await realFetch(input, init)
    if (!String(input).endsWith('/models/manifest.json')) return response
    const manifest = (await response.json()) as { models: Record<string, { reference: { outputs: number[][] } }> }
    for (const row of manifest.models['evidence']!.reference.outputs) row[0]! += 5
    return new Response(JSON.stringify(manifest))
  }
  const models = await openModels({ assets, device: 'wasm', models: { embedder: false, nli: false, lm: false } })
  opened.push(models)
  expect(models.has.evidence).toBe(false)
  expect(models.status().missing).toEqual([{ role: 'evidence', reason: expect.stringMatching(/^ModelFailed: .*wrong answers on wasm/) }])
  await caches.delete('credence-models')
})
