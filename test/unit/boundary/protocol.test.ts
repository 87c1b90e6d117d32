/** What comes over a channel that any script of the origin can write to. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keyOf } from '../../../src/key.ts'
import { isEvent, isNotice, isRequest, modelsKey, repeatable } from '../../../src/protocol.ts'

const request = { call: 1, memory: 'm', method: 'recall', args: ['x', {}] }

it('takes requests of the right shape', () => {
  expect(isRequest(request)).toBe(true)
  expect(isRequest({ abort: 3 })).toBe(true)
  for (const method of Object.keys(repeatable)) expect(isRequest({ ...request, method })).toBe(true)
})

it.each([
  { ...request, call: 0 },
  { ...request, call: '1' },
  { ...request, call: 1.5 },
  { ...request, memory: 7 },
  { ...request, method: 'constructor' },
  { ...request, method: '__proto__' },
  { ...request, method: 'toString' },
  { ...request, method: ['recall'] },
  { ...request, args: { 0: 'x', length: 1 } },
  { abort: -1 },
  { abort: 'all' },
  [request],
  null,
  'recall',
])('refuses %j (asks 48)', data => {
  expect(isRequest(data)).toBe(false)
})

it('anything may come, and nothing throws (asks 48)', () => {
  const anything = fc.anything({ withNullPrototype: true, withMap: true, withDate: true, withTypedArray: true, withBigInt: true })
  const near = fc.record(
    {
      credence: fc.oneof(fc.constantFrom('hello', 'answer', 'item', 'progress', 'event', 'loading'), anything),
      call: anything,
      memory: anything,
      method: fc.oneof(fc.constantFrom(...Object.keys(repeatable)), anything),
      args: anything,
      outcome: anything,
      item: anything,
      event: anything,
      name: anything,
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(anything, near), data => {
      expect([isRequest(data), isNotice(data), isEvent(data)].every(value => typeof value === 'boolean')).toBe(true)
    }),
    { numRuns: 2000, seed: 7 },
  )
})

it('an answer is a value or an error that can be rebuilt', () => {
  const answer = (outcome: unknown) => isNotice({ credence: 'answer', call: 1, outcome })
  expect(answer({ value: undefined })).toBe(true)
  expect(answer({ error: { name: 'Error', message: 'x' } })).toBe(true)
  expect(answer({ error: { name: 'Error' } })).toBe(false)
  expect(answer({ error: 'x' })).toBe(false)
  expect(answer({})).toBe(false)
})

it('what reads, and turns, may be sent a second time, and no act that is not the same twice as once', () => {
  const once = ['edit', 'pin', 'retract', 'forget', 'forgetAll', 'import', 'feedback', 'resetLearning', 'changePassphrase'] as const
  expect(once.filter(method => repeatable[method])).toEqual([])
  const again = [
    'observe',
    'observeAll',
    'recall',
    'answer',
    'promptFor',
    'beliefs',
    'belief',
    'history',
    'explain',
    'turn',
    'export',
    'status',
  ] as const
  expect(again.filter(method => !repeatable[method])).toEqual([])
})

it('the key of plain data hangs on its content alone', () => {
  expect(keyOf({ a: 1, b: { c: [1, 2], d: 'x' } })).toBe(keyOf({ b: { d: 'x', c: [1, 2] }, a: 1 }))
  expect(keyOf({ a: [1, 2] })).not.toBe(keyOf({ a: [2, 1] }))
  expect(modelsKey({ device: 'auto' })).toBe(modelsKey({ models: {}, device: 'auto' }))
  expect(modelsKey({ models: { lm: false }, device: 'auto' })).not.toBe(modelsKey({ device: 'auto' }))
})
