/** How a failure of a store looks from outside. */

import { CredenceError } from '../errors.ts'

export const closedError = (): CredenceError => new CredenceError('Closed', 'the memory was closed; open it again with openMemory')

export const conflictError = (expected: number, found: number): CredenceError =>
  new CredenceError('Conflict', `the database is at commit ${found}, not ${expected}: another tab wrote to it; load it again and repeat`, {
    data: { expected, found },
  })

export function storeError(cause: unknown): CredenceError {
  const name = cause instanceof Error ? cause.name : ''
  if (name === 'VersionError') {
    return new CredenceError(
      'SchemaTooNew',
      'the database was written by a newer version of credence; reload the page to get that version',
      {
        cause,
      },
    )
  }
  if (name === 'QuotaExceededError') {
    return new CredenceError('QuotaExceeded', 'no room is left for the database and nothing was written; free some space on the device', {
      cause,
    })
  }
  const reason = name || 'an unknown reason'
  return new CredenceError('StoreFailed', `the database failed (${reason}) and nothing was written; try again, or reload the page`, {
    cause,
  })
}
