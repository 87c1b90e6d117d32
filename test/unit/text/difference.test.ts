import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sameOfOthers, substitutions } from '../../../src/text/difference.ts'

describe('substitutions', () => {
  it.each([
    ['The capital of Peru is Lima.', 'The capital of Peru is Quito.', 1],
    ['The capital of Peru is Lima.', 'The capital of Chile is Quito.', 2],
    ['Ada Vey was born in the city of Oslo.', 'Jon Ek was born in the city of Bergen.', 2],
    ['curling was invented in Scotland.', 'curling was invented in the United States.', 1],
    ['The fair takes place in Ulm.', 'The fair takes place in Ulm.', 0],
    ['The fair takes place in Ulm.', 'The fair takes place in Ulm every year.', 0],
    ['展会的地点是北京。', '展会的地点是上海。', 1],
    ['The fair takes place in Ulm.', 'Curling was invented long ago by nobody in particular.', null],
    ['', '', 0],
  ])('%s / %s: %s', (a, b, expected) => {
    expect(substitutions(a, b)).toBe(expected)
    expect(substitutions(b, a)).toBe(expected)
  })

  it.each([
    ['Ada Vey is a citizen of Peru.', 'Jon Ek is a citizen of Peru.', true],
    ['Ada Vey is a citizen of Peru.', 'Ada Vey is a citizen of Chile.', false],
    ['Lima is the capital of Peru.', 'Quito is the capital of Peru.', false],
    ['Ada sings.', 'Ada sings.', false],
    ['Jon plays the bass guitar.', 'Jon plays the lead guitar.', false],
    ['', '', false],
  ])('%s / %s say the same of others: %s', (a, b, expected) => {
    expect(sameOfOthers(a, b)).toBe(expected)
    expect(sameOfOthers(b, a)).toBe(expected)
  })

  it('is what was put in: words of their own in place of k separate words', () => {
    const base = Array.from({ length: 20 }, (_, i) => `w${i}`)
    const places = fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 5 })
    fc.assert(
      fc.property(places, at => {
        const changed = base.map((word, i) => (at.includes(i / 2) ? `x${i}` : word))
        expect(substitutions(base.join(' '), changed.join(' '))).toBe(at.length)
      }),
    )
  })

  it('takes any text in bounded time', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.string({ maxLength: 300 }), (a, b) => {
        expect(substitutions(a, b) ?? 0).toBeGreaterThanOrEqual(0)
      }),
    )
    expect(substitutions('a '.repeat(100_000), 'b')).toBeNull()
  })
})
