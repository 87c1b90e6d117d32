import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ablations } from '../../../src/belief/ablation.ts'
import { decide } from '../../../src/belief/evolve.ts'
import { defaultParameters as p } from '../../../src/parameters.ts'
import { retrieved } from './retrieved.ts'

const refuted = retrieved({ contradiction: 0.98, contradictionBack: 0.98 })
const supported = retrieved({ entailment: 0.95, entailmentBack: 0.9, covered: 0.8, similarity: 0.9 })

describe('each switch of the ablation table takes out its part', () => {
  it('withoutSurprisal: a contradiction goes MAINTAIN’s way and weakens nothing', () => {
    expect(decide([refuted], 'explicit', p).route).toBe('correct')
    expect(decide([refuted], 'explicit', p, 'withoutSurprisal')).toMatchObject({ surprisal: 0, conflicting: [], creates: true })
  })

  it('withoutReliability: a scattered retrieval triggers a correction', () => {
    const flat = Array.from({ length: 10 }, (_, i) => retrieved({ ...(i === 0 && refuted), id: `b${i}` }))
    expect(decide(flat, 'explicit', p)).toMatchObject({ route: 'profile' })
    expect(decide(flat, 'explicit', p, 'withoutReliability')).toMatchObject({ route: 'correct', reliability: 1 })
  })

  it('withoutProfile: a hint corrects', () => {
    expect(decide([refuted], 'latent', p)).toMatchObject({ route: 'profile', conflicting: [] })
    expect(decide([refuted], 'latent', p, 'withoutProfile')).toMatchObject({ route: 'correct', conflicting: [{ id: 'a' }] })
  })

  it('withoutCorrect: the correction is written, the old fact stays', () => {
    expect(decide([refuted], 'explicit', p, 'withoutCorrect')).toMatchObject({ route: 'correct', creates: true, conflicting: [] })
  })

  it('withoutMaintain: support reinforces nothing', () => {
    expect(decide([supported], 'explicit', p).supported).toHaveLength(1)
    expect(decide([supported], 'explicit', p, 'withoutMaintain')).toMatchObject({ route: 'maintain', supported: [] })
  })

  it('directWrite: the verdict is written at once', () => {
    const oneWay = retrieved({ contradiction: 0.98 })
    expect(decide([oneWay], 'latent', p)).toMatchObject({ conflicting: [] })
    expect(decide([oneWay], 'latent', p, 'directWrite')).toMatchObject({ route: 'correct', conflicting: [{ id: 'a', severity: 1 }] })
    expect(decide([retrieved({ entailment: 0.6 })], 'explicit', p, 'directWrite')).toMatchObject({ route: 'maintain', same: 'a' })
    expect(decide([retrieved()], 'latent', p, 'directWrite')).toMatchObject({ route: 'correct', creates: true, conflicting: [] })
  })

  it('every switch keeps the decision within its bounds', () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true })
    const list = fc.array(fc.tuple(unit, unit, unit), { maxLength: 8 })
    fc.assert(
      fc.property(
        list,
        fc.constantFrom(...ablations),
        fc.constantFrom('explicit' as const, 'latent' as const),
        (values, switched, origin) => {
          const found = values.map(([score, similarity, contradiction], i) => retrieved({ id: `b${i}`, score, similarity, contradiction }))
          const { surprisal, reliability, conflicting, supported: up } = decide(found, origin, p, switched)
          for (const value of [surprisal, reliability, ...conflicting.map(c => c.severity), ...up.map(s => s.support)]) {
            expect(value).toBeGreaterThanOrEqual(0)
            expect(value).toBeLessThanOrEqual(1)
          }
        },
      ),
    )
  })
})
