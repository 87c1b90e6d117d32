import { openEngine } from '../../../src/engine/index.ts'
import type { Memory } from '../../../src/memory.ts'
import { openMemoryStore } from '../../../src/store/memory.ts'
import { noModels } from '../../browser/store/no-models.ts'

/** A memory that works by words alone and has heard these, ids `m0`, `m1`, … */
export async function memoryOf(...texts: string[]): Promise<Memory> {
  let ids = 0
  const now = Date.parse('2026-03-02T09:00:00Z')
  const memory = await openEngine({ name: 'llm', store: openMemoryStore(), models: noModels, now: () => now, newId: () => `n${ids++}` })
  for (const [i, text] of texts.entries()) await memory.observe({ id: `m${i}`, text, at: now + i })
  return memory
}
