import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askAgain, type Asking } from '../../../src/engine/again.ts'
import { item } from './item.ts'

const threshold = 0.12
const vector = new Float32Array(1)
const by = (answers: Record<string, ReturnType<typeof item>[]>): Asking => ({
  search: text => answers[text] ?? [],
  embed: () => Promise.resolve(vector),
})
const asked = (...texts: string[]) => texts.map(text => ({ text, vector }))
const ranked = (items: readonly ReturnType<typeof item>[]) =>
  [...items].sort((a, b) => b.score - a.score).map(({ id, score }) => [id, score])

describe('a question that describes what it asks about', () => {
  const first = item('belief', 'place', 0.6, { text: '姑姑住在厦门' })

  it('is put again with the words of its best memory instead of those they share', async () => {
    const again = by({ 姑姑那个的人做什么: [first, item('belief', 'work', 0.5), item('belief', 'far', 0.1)] })
    const items = [first, item('belief', 'other', 0.4), item('belief', 'far', 0.05)]
    expect(ranked(await askAgain(asked('那个住在厦门的人做什么'), items, again, threshold))).toEqual([
      ['place', 0.6],
      ['work', 0.45],
      ['other', 0.4],
      ['far', 0.05],
    ])
  })

  it('is put once when it counts, compares or lists', async () => {
    for (const text of ['有几个人住在厦门', '谁住在厦门', '姑姑和堂妹谁更高', '哪些人住在厦门']) {
      let searches = 0
      const counting: Asking = { search: () => (searches++, []), embed: () => Promise.resolve(vector) }
      expect(ranked(await askAgain(asked(text), [first], counting, threshold))).toEqual([['place', 0.6]])
      expect(searches).toBe(0)
    }
  })
})

it('puts the best of each question beside the best of all, and leaves alone what is no answer by itself', async () => {
  const answers = {
    一几: [item('turn', 'a', 0.6)],
    二几: [item('turn', 'b', 0.3), item('turn', 'c', 0.2), item('turn', 'd', 0.11)],
    三几: [item('turn', 'e', 0.1)],
  }
  const items = [item('turn', 'a', 0.6), item('turn', 'x', 0.5), item('turn', 'b', 0.2), item('turn', 'd', 0.1)]
  const all = await askAgain(asked('一几二几三几', '一几', '二几', '三几'), items, by(answers), threshold)
  const expected: [string, number][] = [
    ['a', 0.6],
    ['b', 0.6],
    ['x', 0.5],
    ['c', 0.4],
    ['d', 0.1],
  ]
  expect(ranked(all).map(([id, score]) => [id, Number((score as number).toFixed(9))])).toEqual(expected)
  for (const { score, parts, id } of all) expect(parts.again, id).toBeCloseTo(score - (items.find(i => i.id === id)?.score ?? 0.2), 9)
})

it('never lifts anything above the best, nor above τ what is below it; with nothing above τ it searches no further', async () => {
  const some = fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), score: fc.double({ min: 0, max: 1, noNaN: true }) }), {
    maxLength: 6,
  })
  const items = some.map(list =>
    [...new Map(list.map(({ id, score }) => [id, item('turn', id, score)])).values()].sort((x, y) => y.score - x.score),
  )
  await fc.assert(
    fc.asyncProperty(items, items, items, async (given, one, two) => {
      let searches = 0
      const asking: Asking = {
        search: text => (searches++, text === '甲' ? one : two),
        embed: () => Promise.resolve(vector),
      }
      const out = await askAgain(asked('甲乙', '甲', '乙'), given, asking, threshold)
      const best = given[0]?.score ?? -Infinity
      if (best <= threshold) {
        expect(out).toEqual(given)
        expect(searches).toBe(0)
        return
      }
      const own = new Map(given.map(({ id, score }) => [id, score]))
      for (const { id, score } of out) {
        expect(score).toBeLessThanOrEqual(best)
        if (own.has(id)) expect(score).toBeGreaterThanOrEqual(own.get(id)!)
        const above = [...one, ...two].some(found => found.id === id && found.score > threshold)
        if (score > (own.get(id) ?? -1)) expect(above).toBe(true)
      }
    }),
  )
})
