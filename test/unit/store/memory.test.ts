import { expect, it } from 'vitest'
import { openMemoryStore } from '../../../src/store/memory.ts'
import { everyKind, storeSuite } from './suite.ts'

storeSuite('in memory', {
  open: async () => openMemoryStore(),
  async reopen(store) {
    const snapshot = await store.load()
    await store.close()
    return openMemoryStore(snapshot)
  },
})

it('starts from a snapshot, of which it keeps its own copy', async () => {
  const snapshot = structuredClone({ ...everyKind, generation: 7 })
  const store = openMemoryStore(snapshot)
  snapshot.beliefs[0]!.text = 'tampered'
  expect(await store.load()).toStrictEqual({ ...everyKind, generation: 7 })
})
