import { expect, it } from 'vitest'
import { torture } from './torture/torture.ts'

it('a worker that is ended at random moments leaves no half state and loses nothing it acknowledged (asks 8, 10)', async () => {
  const report = await torture(24, 4711)
  expect(report).toMatchObject({ halfStates: [], lost: [] })
  expect(Object.values(report.kills).reduce((a, b) => a + b)).toBe(24)
})
