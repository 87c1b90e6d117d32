import fc from 'fast-check'
import { expect, it } from 'vitest'
import { passages } from '../../../src/text/index.ts'

it('leaves a short text whole and a blank one out', () => {
  expect(passages(' I like tea. I live in Oslo. ')).toEqual([[1, 28]])
  expect(passages(' \n ')).toEqual([])
})

it('puts whole sentences together, about 60 words a piece', () => {
  const sentence = 'The quick brown fox jumps over the lazy dog again today.'
  const text = Array(20).fill(sentence).join(' ')
  const found = passages(text).map(span => text.slice(...span))
  expect(found).toHaveLength(4)
  for (const piece of found) expect(piece).toBe(Array(5).fill(sentence).join(' '))
})

it('counts Chinese and Japanese by characters', () => {
  const text = '我今天早上喝了一杯绿茶。'.repeat(60)
  const lengths = passages(text).map(([from, to]) => to - from)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(264)
  expect(lengths.length).toBeLessThan(6)
})

it('covers everything but white space, in order, in pieces of at most 1,000 units', () => {
  const words = fc.constantFrom('word ', 'a', '. ', '\n', '我', '。', '😀', '\ud83d', 'e.g. ', ' ')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(words, { maxLength: 3000, size: 'max' }).map(list => list.join('')),
      ),
      text => {
        let covered = 0
        for (const [from, to] of passages(text)) {
          expect(text.slice(covered, from).trim()).toBe('')
          expect(to).toBeGreaterThan(from)
          expect(to - from).toBeLessThanOrEqual(1000)
          covered = to
        }
        expect(text.slice(covered).trim()).toBe('')
      },
    ),
    { numRuns: 200 },
  )
})

it.each(['a', 'word ', 'I like tea. ', '我喜欢茶，', '😀', '\ud800', '\n'])('takes a megabyte of %j in its stride', unit => {
  const text = unit.repeat(Math.ceil(1_000_000 / unit.length)).slice(0, 1_000_000)
  expect(passages(text).length).toBeLessThan(20_000)
})
