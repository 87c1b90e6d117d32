/** Ten thousand turns at once. Words alone decide here: what is tested is the engine's bookkeeping, which the models have no part in. */

import { expect, it } from 'vitest'
import type { Models } from '../../../src/engine/ports.ts'
import { openMemoryStore } from '../../../src/store/memory.ts'
import { open, start } from './open.ts'

const wordsOnly: Models = {
  has: { embedder: false, nli: false, evidence: false, lm: false },
  vectorStamp: 'none',
  dimensions: 0,
  embed: () => Promise.reject(new Error('no embedder')),
  entail: () => Promise.reject(new Error('no nli')),
  relevance: () => Promise.reject(new Error('no evidence')),
  logProbability: () => Promise.reject(new Error('no lm')),
  generate: () => Promise.reject(new Error('no lm')),
  countTokens: text => Math.ceil(new TextEncoder().encode(text).length / 3),
  status: () => ({ models: [], missing: [] }),
  dispose: async () => undefined,
}

const turns = Array.from({ length: 10_000 }, (_, i) => ({
  id: `t${i}`,
  at: start + i * 60_000,
  text: i % 5 === 0 ? `My locker number ${i} is in hall ${i % 97}.` : 'Thanks!',
}))

it('come in one after the other, can be stopped and taken up again, and give the same bank as in one go', async () => {
  const whole = await open({ models: wordsOnly })
  const progress: number[] = []
  for await (const _ of whole.memory.observeAll(turns, { total: turns.length, onProgress: p => progress.push(p.done) }));
  expect(progress.length).toBe(turns.length)
  expect(progress.at(-1)).toBe(turns.length)
  const status = await whole.memory.status()
  expect(status).toMatchObject({ turns: 10_000, beliefs: { current: 2_000 } })
  expect((await whole.memory.recall('locker 4485')).beliefs[0]?.text).toBe('My locker number 4485 is in hall 23.')

  const store = openMemoryStore()
  const parts = await open({ models: wordsOnly, store })
  let seen = 0
  for await (const _ of parts.memory.observeAll(turns)) if (++seen === 3_000) break
  const again = await open({ models: wordsOnly, store })
  let repeated = 0
  for await (const o of again.memory.observeAll(turns)) repeated += Number(o.repeated)
  expect(repeated).toBe(3_000)
  const { exportedAt: _1, ...one } = await whole.memory.export()
  const { exportedAt: _2, ...two } = await again.memory.export()
  expect(two).toEqual(one)
})
