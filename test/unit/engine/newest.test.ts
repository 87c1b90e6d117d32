import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { liftNewest } from '../../../src/engine/newest.ts'
import { item } from './item.ts'

const early = item('turn', 'early', 6, { at: 1, text: 'My reading list has 40 titles.', evidence: 3, cosine: 0.8, overlap: 0.6 })
const late = item('turn', 'late', 2, { at: 2, text: 'The list has now grown to 55 titles.', evidence: 1.5, cosine: 0.7, overlap: 0.3 })
const query = 'How many titles are on my reading list?'
const scores = (items: readonly { id: string; score: number }[]) => Object.fromEntries(items.map(({ id, score }) => [id, score]))

describe('of several answers to a question for a number or a date, the latest', () => {
  it('rises to the earlier one, when it tells of an update', () => {
    const [first, second] = liftNewest([early, late], query, false)
    expect(first).toBe(early)
    expect(second).toMatchObject({ score: 6, parts: { newest: 4 } })
  })

  it('stays where it is when the past is asked for, something else is asked, or it is no update of the same', () => {
    for (const [asked, past] of [
      [query, true],
      ['Which title on my reading list did I like best?', false],
      ['How many titles did I add to my reading list between May and June?', false],
    ] as const) {
      expect(liftNewest([early, late], asked, past)).toEqual([early, late])
    }
    const others = [
      { at: 0 },
      { text: 'My list of films has 55 titles.' },
      { text: 'The list has now grown.' },
      { evidence: 0.5 },
      { evidence: null },
      { cosine: 0.55 },
      { overlap: 0.1 },
      { role: 'assistant' as const },
    ]
    for (const other of others) {
      const given = item('turn', 'late', 2, { at: 2, text: late.text, evidence: 1.5, cosine: 0.7, overlap: 0.3, ...other })
      expect(liftNewest([early, given], query, false)).toEqual([early, given])
    }
  })

  it('never passes the best, loses nothing, and does not depend on the order of the candidates', () => {
    const any = fc.record({
      at: fc.nat(9),
      score: fc.double({ min: -9, max: 9, noNaN: true }),
      text: fc.constantFrom('It has 40 titles.', 'It has now grown to 55 titles.', 'I like titles.'),
      evidence: fc.option(fc.double({ min: -4, max: 4, noNaN: true })),
      cosine: fc.double({ min: 0, max: 1, noNaN: true }),
      overlap: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), list => {
        const items = list.map(({ score, ...rest }, i) => item('turn', `t${i}`, score, rest))
        const lifted = liftNewest(items, query, false)
        const best = Math.max(...items.map(({ score }) => score))
        lifted.forEach(({ score, parts }, i) => {
          expect(score).toBeGreaterThanOrEqual(items[i]!.score)
          expect(score).toBeLessThanOrEqual(best)
          expect(parts.newest).toBe(score - items[i]!.score)
        })
        expect(scores(liftNewest([...items].reverse(), query, false))).toEqual(scores(lifted))
      }),
    )
  })
})
