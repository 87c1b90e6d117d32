import { expect, it } from 'vitest'
import { parseTime, turnTimes } from '../../../bench/times.ts'

it.each([
  ['2026-02-03', Date.UTC(2026, 1, 3)],
  ['2026-02-03T04:05:06Z', Date.UTC(2026, 1, 3, 4, 5, 6)],
  ['2026-02-03 04:05', Date.UTC(2026, 1, 3, 4, 5)],
  ['2026-02-03T04:05+02:00', Date.UTC(2026, 1, 3, 2, 5)],
  ['3:07 pm on 9 June, 2021', Date.UTC(2021, 5, 9, 15, 7)],
  ['12:30 am on 10 January, 2021', Date.UTC(2021, 0, 10, 0, 30)],
  ['June-09-2021', Date.UTC(2021, 5, 9)],
  ['June 9, 2021', Date.UTC(2021, 5, 9)],
  ['2021年06月09日 周三 21:04', Date.UTC(2021, 5, 9, 21, 4)],
  ['2021/06/09 21:04', Date.UTC(2021, 5, 9, 21, 4)],
  [1_600_000_000, 1_600_000_000_000],
  [1_600_000_000_000, 1_600_000_000_000],
  ['soon', undefined],
  ['Foo-09-2021', undefined],
  [null, undefined],
  [Number.NaN, undefined],
])('%s', (text, time) => {
  expect(parseTime(text)).toBe(time)
})

it('gives turns without a time, or with the time of their session, a minute each', () => {
  const day = Date.UTC(2021, 5, 9)
  expect(turnTimes(['2021-06-09', '2021-06-09', null, '2021-06-09', '2021-06-10'])).toEqual([
    day,
    day + 60_000,
    day + 120_000,
    day + 180_000,
    Date.UTC(2021, 5, 10),
  ])
  const [first, second] = turnTimes([undefined, undefined])
  expect(second! - first!).toBe(60_000)
})
