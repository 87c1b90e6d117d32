import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addsUp, otherValue, sameOfOthers, substitutions } from '../../../src/text/difference.ts'

describe('substitutions', () => {
  it.each([
    ['The capital of Peru is Lima.', 'The capital of Peru is Quito.', 1],
    ['The capital of Peru is Lima.', 'The capital of Chile is Quito.', 2],
    ['Ada Vey was born in the city of Oslo.', 'Jon Ek was born in the city of Bergen.', 2],
    ['curling was invented in Scotland.', 'curling was invented in the United States.', 1],
    ['The fair takes place in Ulm.', 'The fair takes place in Ulm.', 0],
    ['The fair takes place in Ulm.', 'The fair takes place in Ulm every year.', 0],
    ['The fair takes place in Ulm.', 'The gala takes place in Ulm every year.', 1],
    ['Ada Vey is a teacher of music.', 'Jon Ek is a teacher of music theory.', 2],
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
    ['The anthem of Peru is old.', 'The anthem of Chile is old.', true],
    ['My sister is a nurse.', 'My brother is a nurse.', true],
    ['', '', false],
  ])('%s / %s say the same of others: %s', (a, b, expected) => {
    expect(sameOfOthers(a, b)).toBe(expected)
    expect(sameOfOthers(b, a)).toBe(expected)
  })

  it.each([
    ['My rent is 800 euros.', 'My rent is 850.', true],
    ['I have 2 cats.', 'I have 3 dogs.', false],
    ['The capital of Peru is Lima.', 'The capital of Peru is Cusco.', true],
    ['The sort of tea that Ada drinks is oolong.', 'The sort of tea that Ada drinks is sencha.', true],
    ['The school where Ada was taught is in Ulm.', 'The school where Ada was taught is now in Kiel.', true],
    ['Ada Vey is known in the field of optics.', 'Ada Vey is known in the field of botany.', true],
    ['I am 34 years old.', 'I am 35 years old.', true],
    ['We have two cats.', 'We have three cats.', true],
    ['I ran 5 miles.', 'I ran 8 miles.', false],
    ['The capital of Peru is Lima.', 'The capital of Chile is Santiago.', false],
    ['The capital of Peru is Lima.', 'The capital of Peru is Lima now.', false],
    ['The river is wide.', 'The river is long.', false],
    ['I like tea.', 'I like coffee.', false],
    ['My locker number 5 is in hall 7.', 'My locker number 6 is in hall 7.', false],
    ['I own boat number 3.', 'I own boat number 4.', false],
    ['', '', false],
  ])('%s / %s give two values to what has one: %s', (a, b, expected) => {
    expect(otherValue(a, b)).toBe(expected)
    expect(otherValue(b, a)).toBe(expected)
  })

  it.each([
    ['I run on Mondays.', 'I swim on Mondays.', true],
    ['I write in the mornings.', 'I paint in the mornings.', true],
    ['I play the guitar.', 'I play the piano.', true],
    ['I collect stamps.', 'I collect coins.', true],
    ['I use Linux at home.', 'I use Windows at work.', true],
    ['I eat breakfast at seven.', 'I eat dinner at eight.', true],
    ['My sister lives in Leeds.', 'My brother lives in York.', true],
    ['I agree with Ada.', 'I disagree with Ada.', false],
    ['I run on Mondays.', 'I never swim on Mondays.', false],
    ['I play the guitar.', 'I only play the piano now.', false],
    ['I like my coffee black.', 'I like my coffee sweet.', false],
    ['I live in Boston.', 'I live in Denver.', false],
    ['I work as a nurse in Leeds.', 'I work as a cook in York.', false],
    ['My gym day is Monday.', 'My gym day is Friday.', false],
    ['I drive a van.', 'I drive a lorry.', false],
    ['I love mornings.', 'I hate mornings.', false],
    ['', '', false],
  ])('%s / %s add up: %s', (a, b, expected) => {
    expect(addsUp(a, b)).toBe(expected)
    expect(addsUp(b, a)).toBe(expected)
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
