/** Pages are rendered on servers too: importing must read nothing that only a browser has. */

import { expect, it } from 'vitest'

it('can be imported where there is no browser, and says so when opened', async () => {
  expect(typeof Worker).toBe('undefined')
  const { openMemory, CredenceError, parameterTable } = await import('../../../src/index.ts')
  expect(Object.keys(parameterTable).length).toBeGreaterThan(0)
  const error = await openMemory().catch((error: unknown) => error)
  expect(error).toBeInstanceOf(CredenceError)
  expect(error).toMatchObject({ code: 'WorkerFailed' })
})
