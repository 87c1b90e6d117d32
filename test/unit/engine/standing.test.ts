import { describe, expect, it } from 'vitest'
import { liftInstructions } from '../../../src/engine/standing.ts'
import { State } from '../../../src/engine/state.ts'
import type { Belief } from '../../../src/memory.ts'
import { item } from './item.ts'

const belief = (id: string, text: string, instruction?: true): Belief => ({
  id,
  text,
  kind: 'fact',
  origin: 'explicit',
  confidence: 0.8,
  topic: null,
  createdAt: 0,
  lastSupported: 0,
  protected: true,
  pinned: false,
  supersedes: [],
  ...(instruction && { instruction }),
})
const beliefs = [
  belief('recipes', 'Always give weights in grams when I ask for a recipe.', true),
  belief('brief', 'Please keep your answers short.', true),
  belief('habit', 'I always hum when I ask for directions.'),
]
const state = new State(
  { generation: 0, turns: [], beliefs, evidence: [], trails: [], vectors: [], labels: [], meta: {} },
  '',
  1,
  0,
  () => 0,
)
const known = (id: string, score: number, evidence: number | null) =>
  item('belief', id, score, { text: beliefs.find(b => b.id === id)!.text, evidence })

describe('a standing instruction', () => {
  it('that the evidence model sees to be for such a message stands just below the best', () => {
    const best = item('turn', 't', 5)
    expect(liftInstructions(state, [best, known('recipes', -1, 0.2)])).toEqual([
      best,
      expect.objectContaining({ score: 4.5, parts: expect.objectContaining({ standing: 5.5 }) as object }),
    ])
  })

  it('is not lifted where it is for other messages, for all of them, or no instruction at all', () => {
    const best = item('turn', 't', 5)
    for (const other of [known('recipes', -1, -0.6), known('recipes', -1, null), known('brief', -1, 0.2), known('habit', -1, 0.2)])
      expect(liftInstructions(state, [best, other])).toEqual([best, other])
  })

  it('alone, or first, keeps its score', () => {
    const items = [known('recipes', -1, 3), item('turn', 't', -4)]
    expect(liftInstructions(state, items)).toEqual(items)
    expect(liftInstructions(state, [])).toEqual([])
  })

  it('is known to the state until it goes', () => {
    expect([...state.instructions]).toEqual(['recipes', 'brief'])
    const gone = new State(
      { generation: 0, turns: [], beliefs, evidence: [], trails: [], vectors: [], labels: [], meta: {} },
      '',
      1,
      0,
      () => 0,
    )
    gone.apply({ remove: { beliefs: ['recipes'] } })
    expect([...gone.instructions]).toEqual(['brief'])
  })
})
