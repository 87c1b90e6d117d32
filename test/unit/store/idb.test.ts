import { expect, it } from 'vitest'
import { openIdbStore } from '../../../src/store/idb.ts'

it('a host without IndexedDB gets a typed error at once', async () => {
  const start = performance.now()
  await expect(openIdbStore('anyone')).rejects.toMatchObject({
    name: 'CredenceError',
    code: 'StoreFailed',
    cause: { name: 'ReferenceError' },
  })
  expect(performance.now() - start).toBeLessThan(1_000)
})
