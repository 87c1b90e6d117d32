/** Search alone, without models: 10,000 beliefs and 10,000 turns of other statements, with vectors drawn by chance. */

import { findCandidates } from '../../src/engine/candidates.ts'
import type { VectorRecord } from '../../src/engine/ports.ts'
import { State } from '../../src/engine/state.ts'
import { defaultParameters } from '../../src/parameters.ts'
import { randomNumbers } from '../metrics.ts'
import { bank } from './bank.ts'
import { statement } from './statements.ts'

const size = 10_000
const dimensions = 384
const random = randomNumbers(3)

function direction(): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.5)
  const length = Math.hypot(...vector)
  return vector.map(x => x / length)
}

/** Milliseconds of each of `samples` searches. */
export function searchTimes(samples: number): number[] {
  const { turns, beliefs, ...rest } = bank(2 * size)
  const vector = (key: string): VectorRecord => ({ key, stamp: 'random', data: direction() })
  const state = new State(
    {
      ...rest,
      // The turns are others than those that made the beliefs, so that neither stands for the other.
      turns: turns.slice(size),
      beliefs: beliefs.slice(0, size),
      evidence: [],
      trails: [],
      vectors: [...beliefs.slice(0, size).map(({ id }) => vector(`b:${id}`)), ...turns.slice(size).map(({ id }) => vector(`t:${id}`))],
      meta: { tick: 2 * size, order: 2 * size },
      generation: 1,
    },
    'random',
    dimensions,
    defaultParameters.decayRate,
    () => 0,
  )
  return Array.from({ length: samples + 3 }, (_, i) => {
    const asked = { text: statement(i * 97).replace('I ', 'When did I '), vector: direction() }
    const question = {
      ...asked,
      asked: [asked],
      at: Date.UTC(2027, 0, 1),
      past: false,
      exclude: new Set<string>(),
      need: 0,
      manner: false,
    }
    const started = performance.now()
    findCandidates(state, question, defaultParameters)
    return performance.now() - started
  }).slice(3) // the first ones are compiled while they run
}
