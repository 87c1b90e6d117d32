import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultHead, features, logOdds } from '../../../src/evidence/head.ts'
import { refit } from '../../../src/evidence/learn.ts'
import { jointSalience, salienceOfAnswer, salienceOfQuery } from '../../../src/evidence/salience.ts'
import { focus, weigh, withoutRemarks } from '../../../src/evidence/threshold.ts'

const logs = fc.double({ min: -200, max: 0, noNaN: true })
const scored = fc.array(
  fc.double({ min: -20, max: 20, noNaN: true }).map(score => ({ score })),
  { maxLength: 60 },
)

describe('salience', () => {
  it('adds up to the joint Bayes factor: log p(a,q|c) − log p(a,q) = Sal_a + Sal_q', () => {
    fc.assert(
      fc.property(logs, logs, logs, logs, (q, qGivenC, aGivenQ, aGivenQC) => {
        const joint = qGivenC + aGivenQC - (q + aGivenQ)
        expect(jointSalience(salienceOfAnswer(aGivenQC, aGivenQ), salienceOfQuery(qGivenC, q))).toBeCloseTo(joint, 9)
      }),
    )
  })
})

describe('gate of recall', () => {
  it('is monotone: a higher τ never lets more through', () => {
    fc.assert(
      fc.property(scored, fc.double({ min: -20, max: 20, noNaN: true }), fc.double({ min: 0, max: 10, noNaN: true }), (list, tau, more) => {
        const sorted = [...list].sort((a, b) => b.score - a.score)
        const low = focus(sorted, tau, -100, 50)
        const high = focus(sorted, tau + more, -100, 50)
        expect(high.length).toBeLessThanOrEqual(low.length)
        expect(low.slice(0, high.length)).toEqual(high)
      }),
    )
  })

  it('equals the definition: the best k of {c : score > τ}', () => {
    fc.assert(
      fc.property(scored, fc.double({ min: -20, max: 20, noNaN: true }), fc.integer({ min: 1, max: 10 }), (list, tau, k) => {
        const sorted = [...list].sort((a, b) => b.score - a.score)
        expect(focus(sorted, tau, -100, k)).toEqual(sorted.filter(c => c.score > tau).slice(0, k))
        // The best is never left out for the margin's sake, and nothing far below it is kept.
        const near = focus(sorted, tau, (sorted[0]?.score ?? 0) - 3, k)
        expect(near.slice(0, 1)).toEqual(sorted.filter(c => c.score > tau).slice(0, 1))
        expect(near.every(c => sorted[0]!.score - c.score <= 3)).toBe(true)
      }),
    )
    expect(focus([{ score: 1 }], 1, -2, 5)).toEqual([])
  })

  it('lets a passing remark speak beside what was kept only when it is plainly better evidence', () => {
    const item = (score: number, held: boolean) => ({ kind: 'turn' as const, score, parts: { held } })
    const kept = item(4, true)
    expect(withoutRemarks([item(5, false), kept, item(3, false)], 1.5)).toEqual([kept])
    // What is past is asked for as such, and was worth keeping.
    expect(withoutRemarks([kept, { ...item(3, false), kind: 'belief' as const }], 1.5)).toHaveLength(2)
    expect(withoutRemarks([item(6, false), kept], 1.5)).toEqual([item(6, false), kept])
    expect(withoutRemarks([item(1, false), item(0, false)], 1.5)).toHaveLength(2)
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double({ min: -20, max: 20, noNaN: true }), fc.boolean())), list => {
        const sorted = list.map(([score, held]) => item(score, held)).sort((a, b) => b.score - a.score)
        const left = withoutRemarks(sorted, 1.5)
        expect(left.filter(c => c.parts.held)).toEqual(sorted.filter(c => c.parts.held))
        const best = Math.max(...sorted.filter(c => c.parts.held).map(c => c.score))
        expect(left.filter(c => !c.parts.held)).toEqual(sorted.filter(c => !c.parts.held && c.score > best + 1.5))
      }),
    )
  })

  it('takes κ·log w off a belief and nothing off a turn', () => {
    expect(weigh(2, null, 0.5)).toEqual({ score: 2, fromConfidence: 0 })
    expect(weigh(2, 1, 0.5).score).toBe(2)
    expect(weigh(2, 0.1, 0.5).score).toBeCloseTo(2 + 0.5 * Math.log(0.1), 12)
  })
})

describe('learned head', () => {
  const signals = { fused: 0.5, cosine: 0.7, evidence: 1.2, overlap: 0.3, held: true, need: 0 }

  it('puts an unscored candidate below the same one with neutral evidence', () => {
    expect(logOdds(defaultHead, features({ ...signals, evidence: null }))).toBeLessThan(
      logOdds(defaultHead, features({ ...signals, evidence: 0 })),
    )
  })

  it('rises with each signal', () => {
    for (const name of ['fused', 'cosine', 'evidence', 'overlap'] as const) {
      const more = logOdds(defaultHead, features({ ...signals, [name]: signals[name] + 0.2 }))
      expect(more, name).toBeGreaterThanOrEqual(logOdds(defaultHead, features(signals)))
    }
  })

  it('learns from labels, and without any stays where it is', () => {
    expect(refit(defaultHead, [])).toEqual([...defaultHead])
    const positive = features({ ...signals, evidence: -2 })
    const learnt = refit(defaultHead, Array(200).fill({ features: positive, target: 1 }))
    expect(logOdds(learnt, positive)).toBeGreaterThan(logOdds(defaultHead, positive))
    expect(logOdds(learnt, positive)).toBeGreaterThan(0)
  })

  it('stays finite on any labels', () => {
    const value = fc.double({ min: -15, max: 15, noNaN: true })
    const sample = fc.record({ features: fc.array(value, { minLength: 8, maxLength: 8 }), target: fc.constantFrom(0, 1) })
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 40 }), samples => {
        expect(refit(defaultHead, samples).every(Number.isFinite)).toBe(true)
      }),
    )
  })
})
