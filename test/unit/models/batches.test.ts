import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batches } from '../../../src/models/batches.ts'
import { fit } from '../../../src/models/tokenizer.ts'

const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 60 })

test('every row runs once, within the budget, with little padding', () => {
  fc.assert(
    fc.property(lengths, fc.integer({ min: 0, max: 1000 }), (lengths, budget) => {
      const groups = batches(lengths, budget)
      expect(groups.flat().sort((a, b) => a - b)).toEqual(lengths.map((_, k) => k))
      for (const group of groups) {
        const longest = Math.max(...group.map(k => lengths[k]!))
        const size = longest * group.length
        const tokens = group.reduce((sum, k) => sum + lengths[k]!, 0)
        if (group.length > 1) expect(size).toBeLessThanOrEqual(budget)
        expect(size - tokens).toBeLessThanOrEqual(size / 4)
      }
    }),
  )
})

test('without a budget every row runs alone', () => {
  expect(batches([3, 1, 2], 0)).toEqual([[1], [2], [0]])
})

test('rows of one length share a run as far as the budget goes', () => {
  expect(batches([5, 5, 5, 5, 5], 20)).toEqual([[0, 1, 2, 3], [4]])
})

/** Takes tokens from the end of the longer list, one by one; of two equally long lists, from the first. */
function oneByOne(first: number[], second: number[], room: number): [number[], number[]] {
  const [a, b] = [[...first], [...second]]
  while (a.length + b.length > room) (b.length > a.length ? b : a).pop()
  return [a, b]
}

test('a pair is shortened as if token by token from the longer text', () => {
  const texts = fc.array(fc.nat(), { maxLength: 40 })
  fc.assert(
    fc.property(texts, texts, fc.integer({ min: 0, max: 60 }), (first, second, room) => {
      const [a, b] = fit(first, second, room)
      const [x, y] = oneByOne(first, second, room)
      expect(a.length + b.length).toBe(x.length + y.length)
      expect(a).toEqual(first.slice(0, a.length))
      expect(b).toEqual(second.slice(0, b.length))
      // Which of the two keeps the odd token is a matter of convention.
      expect(Math.abs(a.length - x.length)).toBeLessThanOrEqual(1)
    }),
  )
})
