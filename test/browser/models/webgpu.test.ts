import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Models } from '../../../src/engine/ports.ts'
import { openModels } from '../../../src/models/index.ts'

// The adapter may be a software one: what is tested is that a device is used only when it is right, not that it is fast.
const assets = new URL('/', location.href).href
let models: Models

beforeAll(async () => {
  // The smallest model: compiling shaders in software takes long.
  models = await openModels({ assets, device: 'webgpu', models: { embedder: false, nli: false, lm: false } })
})

afterAll(() => models.dispose())

test('there is an adapter', async () => {
  expect(await (navigator as { gpu?: { requestAdapter(): Promise<unknown> } }).gpu?.requestAdapter()).toBeTruthy()
})

test('a model runs on WebGPU with right answers, or elsewhere and says why', () => {
  const { models: loaded, missing } = models.status()
  expect(missing).toEqual([])
  for (const { role, device, selfTest, refused, timings } of loaded) {
    expect(selfTest, role).toBe('passed')
    if (device === 'webgpu') expect(timings.webgpu, role).toBeGreaterThan(0)
    else expect(refused.find(({ device }) => device === 'webgpu')?.reason, role).toMatch(/wrong answers|could not be loaded|failed/)
  }
})

test('answers do not depend on the batch beyond the tolerance', async () => {
  const memories = ['tea', 'I like drinking coffee.', 'A walk along the canal with the dog on a rainy day in March, and then home.']
  const together = await models.relevance('What do I drink?', memories)
  for (const [k, memory] of memories.entries()) {
    const [alone] = await models.relevance('What do I drink?', [memory])
    expect(Math.abs(alone! - together[k]!)).toBeLessThan(0.5)
  }
})
