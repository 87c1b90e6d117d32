import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compare } from '../../../bench/compare.ts'
import { writeDocs } from '../../../bench/docs.ts'
import { macroF1 } from '../../../bench/metrics.ts'
import { readReports, toJson, type Report } from '../../../bench/report.ts'
import { summarise } from '../../../bench/result.ts'
import { lineChart } from '../../../bench/svg.ts'

const folder = mkdtempSync(join(tmpdir(), 'credence-reports-'))
afterAll(() => rmSync(folder, { recursive: true }))

function report(values: (number | null)[], over: Partial<Report> = {}): Report {
  const result = summarise(values.map(value => ({ category: 'all', values: { right: value } })))
  const machine = { cpu: 'some', cores: 2, memoryGiB: 8, load: 0, node: 'v22' }
  return { kind: 'gate', set: 'small', commit: 'abc', models: [], machine, durationMs: 1, ...result, ...over }
}
const half = Array.from({ length: 40 }, (_, i) => i % 2)

describe('compare', () => {
  it('pairs the items: a few that all moved one way are more than noise', () => {
    const better = half.map((value, i) => (i < 16 ? 1 : value))
    const text = compare([report(half)], [report(better)])
    expect(text).toMatch(
      /^gate small: 1 of 1 changed figures moved beyond noise\n {2}right: 0\.500 → 0\.700 \(\+0\.200 \[\+0\.\d+, \+0\.\d+\]\)$/,
    )
  })

  it('calls one item of forty noise, and equal runs the same', () => {
    const one = half.map((value, i) => (i === 0 ? 1 : value))
    expect(compare([report(half)], [report(one)])).toBe('gate small: 0 of 1 changed figures moved beyond noise')
    expect(compare([report(half)], [report(half)])).toBe('gate small: the same figures')
  })

  it('without the same items compares the intervals, and without intervals gives no verdict', () => {
    const { items: _, ...few } = report(half.slice(0, 20))
    expect(compare([few], [report(half.map(() => 1))])).toContain('1 of 1 changed')
    const count = (passed: number) => report(half, { metrics: { passed }, intervals: {}, items: {} })
    expect(compare([count(3)], [count(5)])).toContain('passed: 3 → 5 (+2), no interval')
  })

  it('names what only one of the runs has', () => {
    expect(compare([report(half, { set: 'a' })], [report(half, { set: 'b' })])).toBe(
      'gate b: only in the second\ngate a: only in the first',
    )
  })
})

it('reports come back from their files as they were, one, a list or a folder', () => {
  const one = report([1, null, 0.25], { curves: [{ name: 'c', title: 't', x: 'x', y: 'y', lines: [] }] })
  writeFileSync(join(folder, 'one.json'), toJson(one))
  writeFileSync(join(folder, 'two.json'), toJson([one, report(half)]))
  expect(readReports(join(folder, 'one.json'))).toEqual([one])
  expect(readReports(folder)).toEqual([one, one, report(half)])
  expect(readFileSync(join(folder, 'one.json'), 'utf8')).toContain('"right": "1 - 0.25"')
  expect(() => readReports(join(folder, 'none.json'))).toThrow(/none\.json holds no report/)
})

it('a chart has each line with its name, and round numbers at its axes', () => {
  const svg = lineChart({
    name: 'c',
    title: 'a < b',
    x: 'turn',
    y: 'size',
    lines: [
      { name: 'first', points: [[0, 1], [100, 9.3]] }, // prettier-ignore
      { name: 'second', points: [[0, 0], [100, 9.3]] }, // prettier-ignore
    ],
  })
  expect(svg.match(/<path fill="none"/g)).toHaveLength(2)
  expect(svg).toContain('>first</text>')
  expect(svg).toContain('>10</text>')
  expect(svg).toContain('a &lt; b')
  const heights = [...svg.matchAll(/x="544" y="([\d.]+)"/g)].map(match => Number(match[1]))
  expect(Math.abs(heights[0]! - heights[1]!)).toBeGreaterThanOrEqual(15)
  expect(svg).not.toContain('NaN')
})

it('the page gets its tables and curves, and says what was not measured', () => {
  const curve = { name: 'size', title: 'Size', x: 'x', y: 'y', lines: [{ name: 'a', points: [[1, 2]] as [number, number][] }] }
  const text = 'Before.\n\n<!-- results gate -->\n\n<!-- categories gate small -->\n\n<!-- curves gate -->\n\n<!-- results drift -->\n'
  writeDocs([report([1, 0, 1, 1], { curves: [curve] })], text, folder)
  const page = readFileSync(join(folder, 'benchmarks.md'), 'utf8')
  expect(page).toContain('| set | n | right |\n| --- | --: | --: |\n| `small` | 4 | 0.750 [0.250, 1] |')
  expect(page).toContain('|  | n | right |\n| --- | --: | --: |\n| all | 4 | 0.750 |')
  expect(page).toContain('![Size, small](figures/gate-small-size.svg)')
  expect(page).toMatch(/Not measured yet\.\n$/)
  expect(readFileSync(join(folder, 'figures/gate-small-size.svg'), 'utf8')).toContain('<svg')
})

it('macro-F1 is the mean of the classes, whatever their size', () => {
  const judged = [
    { truth: 'a', verdict: 'a' },
    { truth: 'a', verdict: 'a' },
    { truth: 'a', verdict: 'b' },
    { truth: 'b', verdict: 'b' },
  ] as const
  const { macro, byClass } = macroF1(judged, ['a', 'b', 'c'])
  expect(byClass.a).toEqual({ precision: 1, recall: 2 / 3, f1: 0.8 })
  expect(byClass.b).toMatchObject({ precision: 0.5, recall: 1 })
  expect(byClass.c).toEqual({ precision: 0, recall: 0, f1: 0 })
  expect(macro).toBeCloseTo((0.8 + 2 / 3) / 3, 12)
})
