import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accumulatedConflict, overtakes } from '../../../src/belief/overtake.ts'

const unit = fc.double({ min: 0, max: 1, noNaN: true })
const fact = { kind: 'fact' as const }

describe('hints add up', () => {
  it('is the probability that one of them at least is right: 1 − Π(1 − c)', () => {
    expect(accumulatedConflict([])).toBe(0)
    expect(accumulatedConflict([0.5, 0.5])).toBeCloseTo(0.75, 12)
    expect(accumulatedConflict([1, 0.2])).toBe(1)
    fc.assert(
      fc.property(fc.array(unit), unit, (conflicts, one) => {
        const before = accumulatedConflict(conflicts)
        const after = accumulatedConflict([...conflicts, one])
        expect(before).toBeGreaterThanOrEqual(0)
        expect(after).toBeLessThanOrEqual(1)
        // One more hint never says less than the most telling one, nor less than those before it.
        expect(after).toBeGreaterThanOrEqual(Math.max(before, one) - 1e-12)
        const others = conflicts.reduce((none, c) => none * (1 - c), 1)
        expect(after).toBeCloseTo(1 - others * (1 - one), 9)
      }),
    )
  })

  it('no single hint overturns, whatever it says, and no hypothesis does', () => {
    fc.assert(
      fc.property(fc.array(unit), unit, (conflicts, threshold) => {
        expect(overtakes(fact, conflicts.slice(0, 1), threshold)).toBe(false)
        expect(overtakes({ kind: 'hypothesis' }, conflicts, threshold)).toBe(false)
        expect(overtakes(fact, conflicts, threshold)).toBe(conflicts.length >= 2 && accumulatedConflict(conflicts) >= threshold)
      }),
    )
  })
})
