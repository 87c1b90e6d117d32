import { describe, expect, it } from 'vitest'
import { overTime } from '../../../src/inspector/over-time.ts'
import { causeOf } from '../../../src/inspector/route-of.ts'
import type { Belief, ChangeKind, PortableMemory } from '../../../src/memory.ts'
import { defaultParameters } from '../../../src/parameters.ts'

const belief = (id: string, patch: Partial<Belief> = {}): Belief => ({
  id,
  text: id,
  kind: 'fact',
  origin: 'explicit',
  confidence: 0.9,
  topic: null,
  createdAt: 0,
  lastSupported: 1,
  protected: true,
  pinned: false,
  supersedes: [],
  ...patch,
})

const point = (belief: string, tick: number, kind: ChangeKind, confidence: number) => ({
  id: `${belief}${tick}`,
  belief,
  tick,
  at: tick,
  kind,
  confidence,
})

const memory = (tick: number, beliefs: Belief[], trails: unknown[]): PortableMemory => ({
  format: 'credence',
  version: 1,
  exportedAt: '2026-03-02T09:00:00Z',
  turns: [],
  beliefs,
  evidence: [],
  trails,
  labels: [],
  tick,
})

describe('the route of a change', () => {
  it('follows from what happened, and from where the confidence began', () => {
    const cause = (kind: ChangeKind, confidence = 0.5) => causeOf({ kind, confidence }, 0.8)
    expect([cause('created', 0.69), cause('created', 0.85), cause('woken', 0.7)]).toEqual(['profile', 'correct', 'profile'])
    expect([cause('reinforced'), cause('promoted', 0.82), cause('weakened')]).toEqual(['maintain', 'maintain', 'correct'])
    expect([cause('pruned'), cause('expired'), cause('edited'), cause('pinned')]).toEqual(['lifecycle', 'lifecycle', 'hand', 'hand'])
  })
})

describe('N_eff over time', () => {
  it('adds up every confidence after each message, and counts the changes by route', () => {
    const trails = [
      point('coffee', 1, 'created', 0.6),
      point('coffee', 2, 'promoted', 0.8),
      point('coffee', 4, 'weakened', 0.2),
      point('tea', 4, 'created', 0.85),
    ]
    const intervals = overTime(memory(5, [belief('coffee'), belief('tea')], trails), defaultParameters)
    expect(intervals.map(({ tick }) => tick)).toEqual([1, 2, 3, 4, 5])
    expect(intervals.map(({ effective }) => Number(effective.toFixed(6)))).toEqual([0.6, 0.8, 0.8, 1.05, 1.05])
    expect(intervals.map(({ changes: { maintain, profile, correct } }) => [maintain, profile, correct])).toEqual([
      [0, 1, 0],
      [1, 0, 0],
      [0, 0, 0],
      [0, 0, 2],
      [0, 0, 0],
    ])
  })

  it('lets an unprotected hypothesis decay as the engine does, until it is pinned', () => {
    const hint = belief('hint', { kind: 'hypothesis', protected: false })
    const parameters = { ...defaultParameters, decayRate: 0.1 }
    const trails = [point('hint', 1, 'created', 0.5), point('hint', 4, 'pinned', 0.3)]
    const intervals = overTime(memory(5, [hint], trails), parameters)
    expect(intervals.map(({ effective }) => effective)).toEqual([0.5, 0.5 * Math.exp(-0.1), 0.5 * Math.exp((-0.1 * 2 * 3) / 2), 0.3, 0.3])
  })

  it('keeps to the number of intervals asked for, and ends at the present', () => {
    const intervals = overTime(
      memory(1000, [belief('a')], [point('a', 0, 'edited', 0.8), point('a', 1000, 'reinforced', 0.9)]),
      defaultParameters,
    )
    expect(intervals.length).toBeLessThanOrEqual(60)
    expect(intervals.at(-1)).toMatchObject({ tick: 1000, effective: 0.9, changes: { maintain: 1 } })
    expect(intervals[0]).toMatchObject({ effective: 0.8, changes: { hand: 1 } })
    expect(overTime(memory(0, [], []), defaultParameters)).toEqual([])
  })
})
