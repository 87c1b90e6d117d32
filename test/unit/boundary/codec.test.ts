import { expect, it } from 'vitest'
import { decodeError, encodeError } from '../../../src/codec.ts'
import { CredenceError } from '../../../src/errors.ts'

const across = (error: unknown) => decodeError(structuredClone(encodeError(error)))

it('keeps class, code, message, cause and data', () => {
  const cause = new CredenceError('QuotaExceeded', 'no room', { cause: new RangeError('inner') })
  const error = across(new CredenceError('StoreFailed', 'could not write', { cause, data: { bytes: 5 } }))
  expect(error).toBeInstanceOf(CredenceError)
  expect(error).toMatchObject({ name: 'CredenceError', code: 'StoreFailed', message: 'credence: could not write', data: { bytes: 5 } })
  expect(error.cause).toBeInstanceOf(CredenceError)
  expect(error.cause).toMatchObject({
    code: 'QuotaExceeded',
    message: 'credence: no room',
    cause: { name: 'RangeError', message: 'inner' },
  })
})

it('has neither data nor cause where there was none', () => {
  const error = across(new CredenceError('NotFound', 'x'))
  expect('cause' in error).toBe(false)
  expect((error as CredenceError).data).toBeUndefined()
})

it('keeps an AbortError', () => {
  const error = across(new DOMException('stopped', 'AbortError'))
  expect(error).toBeInstanceOf(DOMException)
  expect(error).toMatchObject({ name: 'AbortError', message: 'stopped' })
})

it.each([new TypeError('x is not a function'), new DOMException('full', 'QuotaExceededError')])('wraps %s', thrown => {
  expect(across(thrown)).toMatchObject({ code: 'WorkerFailed', cause: { name: thrown.name, message: thrown.message } })
})

it.each(['a string', undefined, null, 5, {}])('wraps what is no error: %s', thrown => {
  expect(across(thrown)).toMatchObject({ code: 'WorkerFailed', cause: { name: 'Error', message: String(thrown) } })
})

it('sends no stack', () => {
  expect(Object.keys(encodeError(new Error('x')))).toEqual(['name', 'message'])
})

it('replaces data that cannot be sent', () => {
  const error = across(new CredenceError('ModelFailed', 'x', { data: { ok: [1], bad: Symbol('s') } })) as CredenceError
  expect(error.data).toEqual({ ok: [1], bad: 'Symbol(s)' })
})

it('ends where causes go round', () => {
  const error = new Error('round')
  error.cause = error
  let depth = 0
  for (let at: unknown = across(error); at instanceof Error; at = at.cause) depth++
  expect(depth).toBeLessThan(20)
})
