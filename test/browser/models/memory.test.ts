/** Too little memory: the browser refuses to give more to WebAssembly, at load and in the middle of a call. */

import { afterEach, expect, test, vi } from 'vitest'
import type { Models } from '../../../src/engine/ports.ts'
import { openModels } from '../../../src/models/index.ts'
import { tableGraph } from './tiny-graph.ts'
import { repository, revision, words } from './tiny-hub.ts'

const assets = new URL('/', location.href).href
const opened: Models[] = []

async function open(models: Parameters<typeof openModels>[0]['models']): Promise<Models> {
  const result = await openModels({ assets, device: 'wasm', allowDownload: true, models: { lm: false, ...models } })
  opened.push(result)
  return result
}

const noMore = () =>
  vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
    throw new RangeError('WebAssembly.Memory.grow(): Maximum memory size exceeded')
  })

afterEach(async () => {
  vi.restoreAllMocks()
  for (const models of opened.splice(0)) await models.dispose()
})

test('at load the role is left out, and says why; what has room is loaded (asks 72, 74)', async () => {
  // The runtime begins with 16 MiB, of which the smallest model needs more.
  noMore()
  const models = await open({})
  expect(models.has).toEqual({ embedder: false, nli: false, evidence: false, lm: false })
  expect(models.status().missing.map(({ reason }) => reason)).toEqual(
    Array.from({ length: 3 }, () => expect.stringMatching(/^OutOfMemory: /)),
  )
  await expect(models.embed(['x'], 'query')).rejects.toMatchObject({ code: 'ModelMissing' })
  vi.restoreAllMocks()
  expect((await open({ embedder: false, nli: false })).status().missing).toEqual([])
})

test('in the middle of a call other models are let go until there is room, and at last its own (asks 74)', async () => {
  // Each token takes 16 kB of the answer.
  const width = 4096
  const table = words.map((_, k) => Array.from({ length: width }, (_, i) => ((i * (k + 1)) % 7) - 3))
  const config = { max_position_embeddings: 16_384, hidden_size: width }
  const files = repository('tiny/wide', config, tableGraph('last_hidden_state', table))
  const realFetch = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const file = files[String(input).replace('https://huggingface.co/', '')]
    return file ? new Response(file()) : realFetch(input, init)
  })
  const models = await open({ embedder: { hub: 'tiny/wide', revision } })
  expect(models.status().missing).toEqual([])
  const [short] = await models.embed(['tea is warm'], 'passage')
  const missing = () => models.status().missing.map(({ role }) => role)

  // Where the room that a model leaves lies in the heap is the runtime's affair, so the browser gives more once one has gone.
  const grow = WebAssembly.Memory.prototype.grow
  vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(function (this: WebAssembly.Memory, pages) {
    if (missing().length === 0) throw new RangeError('WebAssembly.Memory.grow(): Maximum memory size exceeded')
    return grow.call(this, pages)
  })
  let tokens = 1000
  for (; missing().length === 0; tokens += 1000) {
    const [answer] = await models.embed([`${'tea '.repeat(tokens)}is warm`], 'passage')
    expect(answer).toHaveLength(width)
  }
  expect(missing()).toEqual(['nli'])

  noMore()
  let failed: { code?: string } | undefined
  for (; !failed; tokens += 1000) {
    await models.embed([`${'tea '.repeat(tokens)}is warm`], 'passage').catch(error => (failed = error))
  }
  expect(failed.code).toBe('OutOfMemory')
  // What can best be done without goes first.
  expect(missing()).toEqual(['nli', 'evidence', 'embedder'])
  expect(models.has).toEqual({ embedder: false, nli: false, evidence: false, lm: false })
  for (const { reason } of models.status().missing) expect(reason).toMatch(/^OutOfMemory: /)
  // Those who did not know of it yet are told why.
  await expect(models.embed(['x'], 'query')).rejects.toMatchObject({ code: 'OutOfMemory' })
  await expect(models.relevance('x', ['y'])).rejects.toMatchObject({ code: 'OutOfMemory' })
  expect(short).toHaveLength(width)
})
