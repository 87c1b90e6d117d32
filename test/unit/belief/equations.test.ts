import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { weaken } from '../../../src/belief/correct.ts'
import { gate } from '../../../src/belief/gate.ts'
import { confidenceAt, decay, effectiveSize, isCurrent, promoted, prunable } from '../../../src/belief/lifecycle.ts'
import { reinforce } from '../../../src/belief/maintain.ts'
import { initialConfidence } from '../../../src/belief/profile.ts'
import { normalisedEntropy, reliability, smooth } from '../../../src/belief/reliability.ts'
import { conflictBound, effectiveSurprisal, rawSurprisal, semanticDeviation } from '../../../src/belief/surprisal.ts'

const unit = fc.double({ min: 0, max: 1, noNaN: true })
const confidence = fc.double({ min: 1e-6, max: 1, noNaN: true })

describe('reliability ρ', () => {
  it('is 1 for one candidate and for a score that stands far above the others', () => {
    expect(reliability([0.7], 0.1)).toBe(1)
    expect(reliability([0.9, 0.1, 0.1], 0.02)).toBeCloseTo(1, 6)
  })

  it('is 0 for equal scores', () => {
    expect(reliability([0.4, 0.4, 0.4, 0.4], 0.1)).toBeCloseTo(0, 12)
  })

  it('falls by the share of two among ten: two equal leaders leave 1 − log 2 / log 10', () => {
    const rho = reliability([1, 1, ...Array<number>(8).fill(-100)], 0.1)
    expect(rho).toBeCloseTo(1 - Math.log(2) / Math.log(10), 10)
  })

  it('agrees with the definition written out, stays in [0,1] and does not depend on the order', () => {
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 20 }), fc.double({ min: 0.01, max: 2, noNaN: true }), (scores, temperature) => {
        const exps = scores.map(s => Math.exp(s / temperature))
        const total = exps.reduce((a, b) => a + b)
        const entropy = -exps.reduce((sum, e) => sum + (e / total) * Math.log(e / total), 0) / Math.log(Math.max(scores.length, 2))
        const rho = reliability(scores, temperature)
        expect(rho).toBeCloseTo(1 - entropy, 9)
        expect(rho).toBeGreaterThanOrEqual(0)
        expect(rho).toBeLessThanOrEqual(1)
        expect(reliability([...scores].reverse(), temperature)).toBeCloseTo(rho, 9)
      }),
    )
  })

  it('smooths to a distribution without zeros for scores within reach of each other', () => {
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 20 }), scores => {
        const distribution = smooth(scores, 0.05)
        expect(distribution.reduce((a, b) => a + b)).toBeCloseTo(1, 9)
        expect(Math.min(...distribution)).toBeGreaterThan(0)
        expect(normalisedEntropy(distribution)).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('surprisal', () => {
  it('has the bounds of its parts', () => {
    fc.assert(
      fc.property(fc.array(unit), fc.array(unit), unit, unit, (similarities, conflicts, mix, rho) => {
        const deviation = semanticDeviation(similarities)
        const conflict = conflictBound(conflicts)
        const raw = rawSurprisal(deviation, conflict, mix)
        expect(raw).toBeGreaterThanOrEqual(Math.min(deviation, conflict) - 1e-12)
        expect(raw).toBeLessThanOrEqual(Math.max(deviation, conflict) + 1e-12)
        expect(effectiveSurprisal(rho, raw)).toBeLessThanOrEqual(raw)
      }),
    )
  })

  it('takes the upper bound of the contradictions and the deviation from the nearest', () => {
    expect(conflictBound([0.2, 0.9, 0.4])).toBe(0.9)
    expect(conflictBound([])).toBe(0)
    expect(semanticDeviation([0.3, 0.8])).toBeCloseTo(0.2)
    expect(semanticDeviation([])).toBe(1)
    expect(rawSurprisal(0.5, 1, 0.2)).toBeCloseTo(0.9)
  })
})

describe('gate', () => {
  it.each([
    [0, 'maintain'],
    [0.2, 'maintain'],
    [0.2000001, 'profile'],
    [0.6, 'profile'],
    [0.6000001, 'correct'],
    [1, 'correct'],
  ])('x = %d is %s', (x, mechanism) => expect(gate(x, 0.2, 0.6)).toBe(mechanism))
})

describe("the paper's worked example, its scalars fed in", () => {
  it('coffee .92 → .94, tea .55 → .71 → .82 and promoted, coffee .94 → .18', () => {
    expect(reinforce(0.92, 0.25)).toBeCloseTo(0.94, 10)
    const once = reinforce(0.55, 0.3556)
    const twice = reinforce(once, 0.3793)
    expect(once).toBeCloseTo(0.71, 3)
    expect(twice).toBeCloseTo(0.82, 3)
    expect(promoted({ kind: 'hypothesis' }, once, 0.8)).toBe(false)
    expect(promoted({ kind: 'hypothesis' }, twice, 0.8)).toBe(true)
    expect(gate(0.08, 0.2, 0.6)).toBe('maintain')
    expect(gate(0.38, 0.2, 0.6)).toBe('profile')
    expect(gate(0.74, 0.2, 0.6)).toBe('correct')
    expect(weaken(0.94, 2.4, 0.74, 0.93)).toBeCloseTo(0.18, 2)
  })
})

describe('MAINTAIN', () => {
  it('is the gradient step on ½(1 − w)²: the residual shrinks by 1 − η', () => {
    fc.assert(
      fc.property(confidence, unit, (w, eta) => {
        const after = reinforce(w, eta)
        expect(1 - after).toBeCloseTo((1 - w) * (1 - eta), 12)
        expect(after).toBeGreaterThanOrEqual(w)
        expect(after).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('PROFILE', () => {
  it('never starts at or above the promotion threshold, whatever the bounds', () => {
    fc.assert(
      fc.property(fc.double({ min: -2, max: 3, noNaN: true }), unit, unit, confidence, (certainty, a, b, promoteAt) => {
        const w = initialConfidence(certainty, Math.min(a, b), Math.max(a, b), promoteAt)
        expect(w).toBeLessThan(promoteAt)
      }),
    )
    expect(initialConfidence(0, 0.6, 0.7, 0.8)).toBe(0.6)
    expect(initialConfidence(1, 0.6, 0.7, 0.8)).toBe(0.7)
  })
})

describe('CORRECT', () => {
  it('weakens by exp(−βxζ), moves nothing where ζ = 0, and never reaches 0', () => {
    fc.assert(
      fc.property(confidence, unit, unit, (w, x, severity) => {
        expect(weaken(w, 2.4, x, severity)).toBeCloseTo(w * Math.exp(-2.4 * x * severity), 12)
        expect(weaken(w, 2.4, x, 0)).toBe(w)
        expect(weaken(w, 100, 1, 1)).toBeGreaterThan(0)
      }),
    )
  })
})

describe('life cycle', () => {
  const hypothesis = { kind: 'hypothesis', protected: false, pinned: false } as const

  it('is the product of the decay of each turn: exp(−γ·n(n+1)/2)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.double({ min: 0, max: 0.01, noNaN: true }), (n, rate) => {
        let stepwise = 1
        for (let a = 1; a <= n; a++) stepwise *= Math.exp(-rate * a)
        expect(decay(n, rate)).toBeCloseTo(stepwise, 10)
      }),
    )
  })

  it('touches unprotected, unpinned hypotheses only', () => {
    const at = (belief: Parameters<typeof confidenceAt>[0]) => confidenceAt(belief, 100, 0.001)
    const base = { confidence: 0.55, lastSupported: 0 }
    expect(at({ ...hypothesis, ...base })).toBeLessThan(0.01)
    expect(at({ ...hypothesis, ...base, kind: 'fact' })).toBe(0.55)
    expect(at({ ...hypothesis, ...base, protected: true })).toBe(0.55)
    expect(at({ ...hypothesis, ...base, pinned: true })).toBe(0.55)
    expect(prunable(hypothesis, 0.099, 0.1)).toBe(true)
    expect(prunable(hypothesis, 0.1, 0.1)).toBe(false)
    expect(prunable({ ...hypothesis, kind: 'fact' }, 0.05, 0.1)).toBe(false)
  })

  it('halves what passes by itself with every half-life, and nothing else (asks 12)', () => {
    const day = 86_400_000
    const mood = { ...hypothesis, confidence: 0.6, lastSupported: 100, fades: { from: 0, halfLife: day } }
    expect(confidenceAt(mood, 100, 0.001, 0)).toBe(0.6)
    expect(confidenceAt(mood, 100, 0.001, day)).toBeCloseTo(0.3, 12)
    expect(confidenceAt(mood, 100, 0.001, 3 * day)).toBeCloseTo(0.075, 12)
    expect(confidenceAt({ ...mood, fades: { from: 0, halfLife: 7 * day } }, 100, 0.001, 7 * day)).toBeCloseTo(0.3, 12)
    expect(confidenceAt({ ...mood, pinned: true }, 100, 0.001, 3 * day)).toBe(0.6)
    // A clock that goes backwards makes nothing surer.
    expect(confidenceAt(mood, 100, 0.001, -day)).toBe(0.6)
    const { fades: _fades, ...durable } = mood
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900 }), days => {
        expect(confidenceAt(durable, 100, 0.001, days * day)).toBe(0.6)
        expect(confidenceAt(mood, 100, 0.001, (days + 1) * day)).toBeLessThan(confidenceAt(mood, 100, 0.001, days * day))
      }),
    )
  })

  it('promotes one way: a fact is never promoted again', () => {
    expect(promoted({ kind: 'fact' }, 0.9, 0.8)).toBe(false)
    expect(promoted({ kind: 'hypothesis' }, 0.8, 0.8)).toBe(true)
  })

  it('knows what holds at a time', () => {
    expect(isCurrent({}, 5)).toBe(true)
    expect(isCurrent({ supersededBy: 'x' }, 5)).toBe(false)
    expect(isCurrent({ retracted: true }, 5)).toBe(false)
    expect(isCurrent({ expiresAt: 4 }, 5)).toBe(false)
    expect(isCurrent({ expiresAt: 5 }, 5)).toBe(true)
  })

  it('N_eff is the sum of the confidences', () => {
    expect(effectiveSize([0.5, 0.25, 1])).toBe(1.75)
    expect(effectiveSize([])).toBe(0)
  })
})
