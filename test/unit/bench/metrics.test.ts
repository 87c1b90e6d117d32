import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  answeredValue,
  currentAboveStale,
  expectedCalibrationError,
  interval,
  judge,
  mean,
  median,
  names,
  precisionOf,
  quantile,
  rankTurns,
  recallAt,
  reciprocalRank,
  staleInTop5,
} from '../../../bench/metrics.ts'

const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'), { maxLength: 12 })

describe('ranking metrics', () => {
  it('known values', () => {
    expect(recallAt(2, ['a', 'b', 'c'], ['b', 'c'])).toBe(0.5)
    expect(recallAt(2, ['a'], [])).toBeNull()
    expect(precisionOf([{ turns: ['a', 'b'] }, { turns: ['c'] }, { turns: [] }, { turns: ['d'] }], ['b', 'c'])).toBe(0.5)
    expect(precisionOf([], ['a'])).toBeNull()
    expect(precisionOf([{ turns: ['a'] }], [])).toBeNull()
    expect(reciprocalRank(['a', 'b', 'c'], ['c', 'b'])).toBe(0.5)
    expect(reciprocalRank(['a'], ['z'])).toBe(0)
    expect(reciprocalRank(['a'], [])).toBeNull()
    expect(currentAboveStale(['a', 'b'], ['a'], ['b'])).toBe(1)
    expect(currentAboveStale(['b', 'a'], ['a'], ['b'])).toBe(0)
    expect(currentAboveStale(['a'], ['a'], ['b'])).toBe(1)
    expect(currentAboveStale(['b'], ['a'], ['b'])).toBe(0)
    expect(currentAboveStale([], ['a'], ['b'])).toBe(0)
    expect(currentAboveStale(['a'], ['a'], [])).toBeNull()
    expect(staleInTop5(['a', 'b', 'c', 'd', 'e', 'f'], ['f'])).toBe(0)
    expect(staleInTop5(['a', 'b', 'c', 'd', 'e', 'f'], ['e'])).toBe(1)
    expect(staleInTop5(['a'], [])).toBeNull()
  })

  it('agree with their definitions read literally', () => {
    fc.assert(
      fc.property(ids, ids, ids, fc.integer({ min: 1, max: 12 }), (ranking, evidence, stale, k) => {
        const rank = (id: string) => (ranking.includes(id) ? ranking.indexOf(id) + 1 : Infinity)
        const best = (of: string[]) => Math.min(...of.map(rank))
        if (evidence.length > 0) {
          expect(recallAt(k, ranking, evidence)).toBeCloseTo(evidence.filter(id => rank(id) <= k).length / evidence.length)
          expect(reciprocalRank(ranking, evidence)).toBeCloseTo(1 / best(evidence))
        }
        if (stale.length > 0) {
          expect(currentAboveStale(ranking, evidence, stale)).toBe(best(evidence) < best(stale) ? 1 : 0)
          expect(staleInTop5(ranking, stale)).toBe(best(stale) <= 5 ? 1 : 0)
        }
      }),
    )
  })

  it('ranks each turn once, where it first appears', () => {
    expect(rankTurns([{ turns: ['b', 'a'] }, { turns: ['a'] }, { turns: ['c', 'b'] }, { turns: [] }])).toEqual(['b', 'a', 'c'])
    fc.assert(
      fc.property(fc.array(ids), lists => {
        const flat = lists.flat()
        const ranked = rankTurns(lists.map(turns => ({ turns })))
        expect(new Set(ranked)).toEqual(new Set(flat))
        ranked.slice(1).forEach((id, i) => expect(flat.indexOf(id)).toBeGreaterThan(flat.indexOf(ranked[i]!)))
      }),
    )
  })
})

describe('values named by memories', () => {
  it.each([
    ['I moved to Bergen.', 'Bergen', true],
    ['I moved to BERGEN', 'bergen', true],
    ['A golden ring', 'gold', false],
    ['marigold', 'gold', false],
    ['marigold and gold', 'gold', true],
    ['rolled gold-plated', 'gold', true],
    ['五月我开始喝绿茶了', '绿茶', true],
    ['C++, mostly', 'C++', true],
    ['anything', '', false],
  ])('%s / %s', (text, value, named) => {
    expect(names(text, value)).toBe(named)
  })

  it('takes the first memory that names any, and what it states when it names several', () => {
    const stated = (turn: string) => ({ t1: 'rice', t2: 'noodles' })[turn]
    const memory = (text: string, ...turns: string[]) => ({ text, turns })
    const values = ['rice', 'noodles']
    expect(answeredValue([memory('It rains'), memory('I eat noodles', 't9'), memory('I eat rice')], values, stated)).toBe('noodles')
    expect(answeredValue([memory('No more rice, noodles it is', 't1', 't2')], values, stated)).toBe('noodles')
    expect(answeredValue([memory('Rice and noodles', 't9'), memory('I eat rice')], values, stated)).toBeNull()
    expect(answeredValue([memory('It rains')], values, stated)).toBeNull()
  })
})

describe('classification', () => {
  const p = (contradiction: number, entailment: number) => ({ contradiction, entailment, neutral: 1 - contradiction - entailment })

  it('judges three-way and two-way labels', () => {
    expect(judge(p(0.7, 0.2), 'contradiction')).toEqual({ right: true, confidence: 0.7 })
    expect(judge(p(0.7, 0.2), 'neutral')).toEqual({ right: false, confidence: 0.7 })
    expect(judge(p(0.7, 0.2), 'non-contradiction')).toEqual({ right: false, confidence: 0.7 })
    expect(judge(p(0.1, 0.2), 'non-contradiction')).toEqual({ right: true, confidence: 0.9 })
    expect(judge(p(0.25, 0.5), 'non-entailment')).toEqual({ right: false, confidence: 0.5 })
    expect(judge(p(0.5, 0.25), 'non-entailment')).toEqual({ right: true, confidence: 0.75 })
  })

  it('calibration error agrees with its definition', () => {
    expect(expectedCalibrationError([])).toBeNull()
    const item = fc.record({ right: fc.boolean(), confidence: fc.double({ min: 0, max: 1, noNaN: true }) })
    fc.assert(
      fc.property(fc.array(item, { minLength: 1 }), fc.integer({ min: 1, max: 20 }), (items, bins) => {
        let naive = 0
        for (let b = 0; b < bins; b++) {
          const inBin = items.filter(i => Math.min(bins - 1, Math.floor(i.confidence * bins)) === b)
          if (inBin.length === 0) continue
          const accuracy = inBin.filter(i => i.right).length / inBin.length
          const confidence = inBin.reduce((sum, i) => sum + i.confidence, 0) / inBin.length
          naive += (inBin.length / items.length) * Math.abs(accuracy - confidence)
        }
        expect(expectedCalibrationError(items, bins)).toBeCloseTo(naive, 10)
      }),
    )
  })
})

describe('summaries', () => {
  it('leave out what is not defined', () => {
    expect(mean([1, null, 3])).toBe(2)
    expect(mean([null])).toBeNull()
    expect(median([5, 1, 2])).toBe(2)
    expect(median([4, 1])).toBe(2.5)
    expect(quantile([], 0.5)).toBeNull()
    expect(interval([1, null])).toBeNull()
  })

  it('quantiles lie between the neighbours of their place', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), fc.double({ min: 0, max: 1, noNaN: true }), (values, q) => {
        const sorted = [...values].sort((a, b) => a - b)
        const place = (values.length - 1) * q
        expect(quantile(values, q)).toBeGreaterThanOrEqual(sorted[Math.floor(place)]!)
        expect(quantile(values, q)).toBeLessThanOrEqual(sorted[Math.ceil(place)]!)
      }),
    )
  })

  it('intervals are the same again, hold the mean, and have the width that theory gives', () => {
    const values = Array.from({ length: 400 }, (_, i) => Number(i % 4 === 0))
    const [low, high] = interval(values)!
    expect(interval(values)).toEqual([low, high])
    const standardError = Math.sqrt((0.25 * 0.75) / values.length)
    expect(low).toBeCloseTo(0.25 - 1.96 * standardError, 2)
    expect(high).toBeCloseTo(0.25 + 1.96 * standardError, 2)
  })
})
