import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { liftAmong, liftNeighbours } from '../../../src/engine/nearby.ts'
import type { TurnRecord } from '../../../src/engine/ports.ts'
import { State } from '../../../src/engine/state.ts'
import type { RecalledItem } from '../../../src/memory.ts'
import { defaultParameters } from '../../../src/parameters.ts'
import { item } from './item.ts'

const p = { ...defaultParameters, conversationReach: 2, nearbyWeight: 0.4, replyWeight: 1.5, amongWeight: 0.3 }

/** A turn of the text's number of passages in a conversation. */
const turn = (order: number, conversation: string | undefined, passages = 1, over: Partial<TurnRecord> = {}): TurnRecord => ({
  id: `t${order}`,
  order,
  tick: order,
  role: 'user',
  text: 'x'.repeat(passages),
  at: order,
  ...(conversation !== undefined && { conversation }),
  passages: Array.from({ length: passages }, (_, i) => [i, i + 1]),
  ...over,
})

const stateOf = (turns: TurnRecord[]) =>
  new State({ generation: 0, turns, beliefs: [], evidence: [], trails: [], vectors: [], labels: [], meta: {} }, '', 1, 0, () => 0)

const lifted = (turns: TurnRecord[], items: RecalledItem[]) => liftNeighbours(stateOf(turns), items, best => best - 4, p)
const scores = (items: readonly RecalledItem[]) => Object.fromEntries(items.map(({ id, score }) => [id, score]))

describe('neighbours of a hit', () => {
  it('are lifted by a share of what it lies above the floor, and stay behind it', () => {
    const turns = [0, 1, 2, 3, 4, 5].map(order => turn(order, 'a'))
    const items = [item('turn', 't2', 3), item('turn', 't3', 0), item('turn', 't4', 2), item('turn', 't5', 0)]
    // Floor −1: t2 gives .4 · 4 = 1.6 to t3, and t4 no more than .8 · 4 above the floor; t5 has t4 (3 above the floor) beside it.
    expect(scores(lifted(turns, items))).toEqual({
      t2: 3,
      t3: 1.6,
      t4: expect.closeTo(2.2, 9) as number,
      t5: expect.closeTo(1.2, 9) as number,
    })
  })

  it('what lies higher already stays where it is', () => {
    const items = [item('turn', 't0', 3), item('turn', 't1', 2.9)]
    expect(
      scores(
        lifted(
          [0, 1].map(order => turn(order, 'a')),
          items,
        ),
      ),
    ).toEqual({ t0: 3, t1: 2.9 })
  })

  it('a reply to what somebody else asked comes level with the question; what the same one says next, or says before it, does not', () => {
    const asked = { text: 'Where did you grow up?', passages: [[0, 22]] as [number, number][] }
    const by = (speaker: string) => ({ speaker })
    const turns = [
      turn(0, 'a', 1, by('Ivo')),
      turn(1, 'a', 1, { ...asked, ...by('Mara') }),
      turn(2, 'a', 1, by('Ivo')),
      turn(3, 'b', 1, { ...asked, ...by('Mara') }),
      turn(4, 'b', 1, by('Mara')),
      turn(5, 'c', 1, by('Mara')),
      turn(6, 'c', 1, by('Ivo')),
      turn(7, 'd', 1, asked),
      turn(8, 'd', 1, { role: 'assistant' }),
    ]
    const hits = ['t1', 't3', 't5', 't7'].map(id => item('turn', id, 3))
    const beside = ['t0', 't2', 't4', 't6', 't8'].map(id => item('turn', id, -1))
    const { t0, t2, t4, t6, t8 } = scores(lifted(turns, [...hits, ...beside]))
    // Floor −1, and each hit 4 above it.
    expect({ t2, t8 }).toEqual({ t2: 3, t8: 3 })
    for (const score of [t0, t4, t6]) expect(score).toBeCloseTo(-1 + 0.4 * 4, 9)
  })

  it('are short messages of the same conversation, whatever went on beside it', () => {
    const turns = [turn(0, 'a'), turn(1, 'b'), turn(2, 'b'), turn(3, 'a'), turn(4, 'a', 3), turn(5, undefined)]
    const items = [item('turn', 't0', 4), ...['t1', 't2', 't3', 't4', 't5'].map(id => item('turn', id, 0))]
    expect(scores(lifted(turns, items))).toEqual({ t0: 4, t1: 0, t2: 0, t3: 1.6, t4: 0, t5: 0 })
  })

  it('a belief lifts what was said around the message that it came from, and is not lifted itself', () => {
    const turns = [0, 1, 2, 3].map(order => turn(order, undefined))
    const items = [item('belief', 'b', 2, { turns: ['t0', 't1'] }), item('turn', 't3', -1), item('belief', 'c', -2, { turns: ['t2'] })]
    expect(scores(lifted(turns, items))).toEqual({ b: 2, t3: expect.closeTo(0.6, 9) as number, c: -2 })
  })

  it('nobody falls, nobody passes the best, whether memory is needed stays as it was, and the order of the candidates is nothing', () => {
    const candidates = fc.uniqueArray(
      fc.record({ order: fc.nat(15), score: fc.double({ min: -9, max: 9, noNaN: true }), belief: fc.boolean() }),
      { selector: c => c.order, minLength: 1 },
    )
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', undefined), { minLength: 16, maxLength: 16 }), candidates, (conversations, drawn) => {
        const turns = conversations.map((conversation, order) =>
          turn(order, conversation, order % 7 === 3 ? 2 : 1, {
            speaker: order % 3 === 0 ? 'Mara' : 'Ivo',
            ...(order % 2 === 0 && { text: 'Why so?' }),
          }),
        )
        const items = drawn.map(({ order, score, belief }) => item(belief ? 'belief' : 'turn', `t${order}`, score))
        const after = lifted(turns, items)
        const best = Math.max(...items.map(i => i.score))
        expect(Math.max(...after.map(i => i.score))).toBe(best)
        after.forEach(({ score, parts }, i) => {
          expect(score).toBeGreaterThanOrEqual(items[i]!.score)
          expect(score).toBeCloseTo(items[i]!.score + parts.nearby, 9)
        })
        expect(scores(lifted(turns, [...items].reverse()))).toEqual(scores(after))
      }),
    )
  })
})

describe('a message among others that bear on the query', () => {
  const among = (turns: TurnRecord[], items: RecalledItem[]) => liftAmong(stateOf(turns), items, best => best - 4, p)
  const said = (order: number, conversation = 'a', over: Partial<TurnRecord> = {}) =>
    turn(order, conversation, 1, { speaker: 'Mara', ...over })

  it('is lifted by the average of the best three around it, and the best of all stays where it is', () => {
    const turns = Array.from({ length: 12 }, (_, order) => said(order))
    const items = [item('turn', 't0', 4), item('turn', 't1', 1), item('turn', 't2', 2), item('turn', 't3', 3), item('turn', 't11', 1)]
    // Floor 0. Around t0: 3, 2 and 1; around t1: 4, 3 and 2; around t2: 4, 3 and 1; around t3: 4, 2 and 1; nobody within six of t11.
    const raw = [4 + 0.1 * 6, 1 + 0.1 * 9, 2 + 0.1 * 8, 3 + 0.1 * 7, 1]
    const expected = raw.map(score => (score * 4) / 4.6)
    among(turns, items).forEach(({ score, parts }, i) => {
      expect(score).toBeCloseTo(expected[i]!, 9)
      expect(parts.nearby).toBeCloseTo(score - items[i]!.score, 9)
    })
    expect(among(turns, items)[0]!.score).toBe(4)
  })

  it('is lifted by its own conversation only, and what was said to an assistant, long messages and what has no message stay as they are', () => {
    const turns = [
      said(0),
      said(1, 'b'),
      turn(2, 'a'),
      said(3, 'a', {
        passages: [
          [0, 1],
          [1, 2],
        ],
      }),
      said(4),
    ]
    const items = [item('turn', 't1', 4), item('turn', 't2', 1), item('turn', 't3', 1), item('belief', 'b', 1, { turns: [] })]
    expect(scores(among(turns, items))).toEqual({ t1: 4, t2: 1, t3: 1, b: 1 })
  })

  it('nothing passes the best of all, and the order of the candidates is nothing', () => {
    const drawn = fc.uniqueArray(
      fc.record({ order: fc.nat(15), score: fc.integer({ min: -90, max: 90 }).map(tenths => tenths / 10), belief: fc.boolean() }),
      { selector: c => c.order, minLength: 1 },
    )
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b'), { minLength: 16, maxLength: 16 }), drawn, (conversations, found) => {
        const turns = conversations.map((conversation, order) => said(order, conversation, order % 5 === 4 ? { passages: [] } : {}))
        const items = found.map(({ order, score, belief }) => item(belief ? 'belief' : 'turn', `t${order}`, score))
        const after = among(turns, items)
        expect(Math.max(...after.map(i => i.score))).toBe(Math.max(...items.map(i => i.score)))
        expect(scores(among(turns, [...items].reverse()))).toEqual(scores(after))
      }),
    )
  })
})
