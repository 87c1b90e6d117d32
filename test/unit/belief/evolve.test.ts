import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide, type Retrieved } from '../../../src/belief/evolve.ts'
import { conflict, support } from '../../../src/belief/stance.ts'
import { defaultParameters as p } from '../../../src/parameters.ts'
import { plain, retrieved } from './retrieved.ts'

const unit = fc.double({ min: 0, max: 1, noNaN: true })
const anyRetrieved: fc.Arbitrary<Retrieved[]> = fc
  .array(fc.tuple(unit, unit, unit, unit, fc.boolean(), fc.boolean()), { maxLength: 10 })
  .map(list =>
    list.map(([score, similarity, a, b, same, dormant], i) => ({
      id: `b${i}`,
      score,
      similarity,
      entailment: a * (1 - b),
      contradiction: b,
      contradictionBack: b * a,
      replaces: false,
      entailmentBack: a * a,
      shared: a * b,
      covered: b,
      sameSubject: 1 - b * b,
      ofOthers: false,
      ofTheSame: false,
      otherValue: false,
      undone: false,
      compatible: false,
      same: same && a > 0.9,
      onlyHint: a < 0.1,
      dormant,
    })),
  )

describe('stance', () => {
  it('believes a contradiction the more when it is seen from both sides', () => {
    const pair = { ...plain, similarity: 0.5, entailment: 0, replaces: false }
    expect(conflict({ ...pair, contradiction: 0.97, contradictionBack: 0.97 }, 'explicit')).toBeGreaterThan(0.85)
    expect(conflict({ ...pair, contradiction: 0.97, contradictionBack: 0.05 }, 'explicit')).toBeLessThan(0.7)
    expect(conflict({ ...pair, contradiction: 0.05, contradictionBack: 0.97 }, 'explicit')).toBeLessThan(0.5)
    expect(conflict({ ...pair, contradiction: 0, contradictionBack: 0 }, 'explicit')).toBeLessThan(0.01)
  })

  it('doubts a contradiction that is seen less from one side, where no word is in common', () => {
    const pair = { ...plain, similarity: 0.5, entailment: 0, replaces: false, sameSubject: 1, contradiction: 0.6, contradictionBack: 0.94 }
    const [apart, related] = [conflict({ ...pair, shared: 0 }, 'explicit'), conflict({ ...pair, shared: 0.3 }, 'explicit')]
    expect(related).toBeGreaterThan(0.75)
    expect(apart).toBeCloseTo(conflict({ ...pair, contradictionBack: 0.6, shared: 0.3 }, 'explicit'), 9)
    expect(apart).toBeLessThan(0.62)
    const both = { ...pair, contradiction: 0.97, contradictionBack: 0.97 }
    expect(conflict({ ...both, shared: 0 }, 'explicit')).toBe(conflict({ ...both, shared: 0.3 }, 'explicit'))
  })

  it('sees no contradiction between statements on different things', () => {
    const born = { ...plain, similarity: 0.7, entailment: 0, contradiction: 0.97, contradictionBack: 0.97, replaces: false, shared: 0.4 }
    expect(conflict({ ...born, sameSubject: 0 }, 'explicit')).toBe(0)
    expect(conflict({ ...born, sameSubject: 1 }, 'explicit')).toBeGreaterThan(0.8)
  })

  it('believes a change that names the old value, of things near each other', () => {
    const named = { ...plain, entailment: 0.9, contradiction: 0.02, contradictionBack: 0.5, replaces: true, shared: 0.5, sameSubject: 1 }
    expect(conflict({ ...named, similarity: 0.4 }, 'explicit')).toBeGreaterThan(0.9)
    expect(conflict({ ...named, similarity: 0.1 }, 'explicit')).toBeLessThan(0.2)
  })

  it('takes a hint that names what a belief is about for support, whatever the cross-encoder makes of it', () => {
    const office = {
      ...plain,
      similarity: 0.4,
      entailment: 0.05,
      contradiction: 0.94,
      contradictionBack: 0.93,
      replaces: false,
      shared: 0.7,
      sameSubject: 1,
    }
    expect(support(office, 'latent')).toBe(1)
    expect(conflict(office, 'latent')).toBe(0)
    expect(conflict(office, 'explicit')).toBeGreaterThan(0.7)
    expect(support({ ...office, similarity: 0.1 }, 'latent')).toBe(0.05)
  })

  it('lets a hint support what it names, and a statement only what it entails', () => {
    const other = {
      ...plain,
      similarity: 0.7,
      entailment: 0.04,
      contradiction: 0.01,
      contradictionBack: 0,
      replaces: false,
      sameSubject: 1,
    }
    expect(support({ ...other, shared: 0 }, 'latent')).toBe(0.04)
    expect(support({ ...other, shared: 0.5 }, 'latent')).toBe(1)
    expect(support({ ...other, shared: 0.5 }, 'explicit')).toBe(0.04)
    // Entailed, but in quite other words and not the other way round: to the cross-encoder, one aversion entails another.
    expect(support({ ...other, entailment: 0.97, shared: 0 }, 'explicit')).toBe(0)
    expect(support({ ...other, entailment: 0.97, entailmentBack: 0.9, shared: 0 }, 'explicit')).toBeGreaterThan(0.8)
    expect(support({ ...other, entailment: 0.97, shared: 0.5 }, 'explicit')).toBe(0.97)
  })

  it('sees no contradiction where the build of a statement leaves room for others', () => {
    const pair = { ...plain, similarity: 0.6, entailment: 0, contradiction: 0.97, contradictionBack: 0.97, replaces: false }
    expect(conflict({ ...pair, compatible: true }, 'explicit')).toBe(0)
    expect(conflict({ ...pair, compatible: true, replaces: true }, 'explicit')).toBeGreaterThan(0.9)
  })

  it('sees that two values of what has one cannot both hold, though the cross-encoder does not', () => {
    const pair = { ...plain, similarity: 0.9, entailment: 0.1, contradiction: 0.2, contradictionBack: 0.1, replaces: false }
    expect(conflict({ ...pair, otherValue: true }, 'explicit')).toBeGreaterThan(0.9)
    expect(conflict({ ...pair, otherValue: true }, 'latent')).toBeLessThan(0.3)
    expect(conflict(pair, 'explicit')).toBeLessThan(0.3)
  })

  it('stays in [0,1]', () => {
    fc.assert(
      fc.property(unit, unit, unit, unit, (similarity, entailment, contradiction, contradictionBack) => {
        for (const origin of ['explicit', 'latent'] as const) {
          const s = support(
            { ...plain, similarity, entailment, contradiction, contradictionBack, replaces: false, shared: entailment },
            origin,
          )
          expect(s).toBeGreaterThanOrEqual(0)
          expect(s).toBeLessThanOrEqual(1)
        }
        const more = {
          ...plain,
          replaces: false,
          similarity,
          entailment,
          contradiction,
          contradictionBack: Math.min(1, contradictionBack + 0.1),
        }
        expect(conflict(more, 'explicit')).toBeGreaterThanOrEqual(conflict({ ...more, contradictionBack }, 'explicit'))
        expect(conflict(more, 'explicit')).toBeLessThan(1)
      }),
    )
  })
})

describe('decide', () => {
  it('makes a belief of its own of a statement that says more than what it supports', () => {
    const known = retrieved({ entailment: 0.97, shared: 1, covered: 0.3, similarity: 0.8 })
    const more = decide([known], 'explicit', p)
    expect(more).toMatchObject({ route: 'profile', creates: true, supported: [{ id: 'a' }] })
    expect(decide([{ ...known, covered: 0.9 }], 'explicit', p)).toMatchObject({
      route: 'maintain',
      creates: false,
      supported: [{ id: 'a' }],
    })
  })

  it('does not let what is built alike about others blur the search', () => {
    const crowd = Array.from({ length: 9 }, (_, i) => retrieved({ id: `o${i}`, ofOthers: true, sameSubject: 0, contradiction: 0.97 }))
    const own = retrieved({ id: 'own', score: 0.51, contradiction: 0.97, contradictionBack: 0.97 })
    expect(decide([own, ...crowd], 'explicit', p)).toMatchObject({ route: 'correct', reliability: 1, conflicting: [{ id: 'own' }] })
  })

  it('does not doubt which belief is meant when another is built the same about the same thing, and refutes no other', () => {
    const contradicts = { contradiction: 0.97, contradictionBack: 0.97 }
    const near = Array.from({ length: 6 }, (_, i) => retrieved({ id: `n${i}`, ...contradicts }))
    const own = retrieved({ id: 'own', ofTheSame: true, ...contradicts })
    expect(decide([own, ...near], 'explicit', p)).toMatchObject({ route: 'correct', reliability: 1, conflicting: [{ id: 'own' }] })
    expect(decide([{ ...own, ofTheSame: false }, ...near], 'explicit', p).reliability).toBeLessThan(0.1)
    // Without a conflict, being built the same says nothing.
    expect(decide([{ ...own, contradiction: 0, contradictionBack: 0 }, ...near], 'explicit', p).reliability).toBeLessThan(0.1)
  })

  it('takes a hint that names one belief for support of that one, not of what is merely like it', () => {
    const tea = retrieved({ id: 'tea', entailment: 0.9, shared: 0.6 })
    const coffee = retrieved({ id: 'coffee', entailment: 0.8, shared: 0 })
    const supported = (list: Retrieved[], origin: 'explicit' | 'latent') => decide(list, origin, p).supported.map(s => s.id)
    expect(supported([tea, coffee], 'latent')).toEqual(['tea'])
    expect(supported([{ ...tea, same: true }, coffee], 'latent')).toEqual([])
    expect(supported([coffee], 'latent')).toEqual(['coffee'])
  })

  it('notes whom an uncorrected statement speaks against, and weakens nobody', () => {
    const rival = retrieved({ id: 'rival', contradiction: 0.97, contradictionBack: 0.97, score: 0.9 })
    const hint = decide([rival, retrieved({ id: 'other', score: 0.1 })], 'latent', p)
    expect(hint.rivals.map(r => r.id)).toEqual(['rival'])
    expect(hint.conflicting).toEqual([])
    const stated = decide([rival, retrieved({ id: 'other', score: 0.1 })], 'explicit', p)
    expect(stated.route).toBe('correct')
    expect(stated.rivals).toEqual([])
    expect(stated.conflicting.map(r => r.id)).toEqual(['rival'])
  })

  it('counts a hint that says little against a belief with others, but no such statement', () => {
    const weak = retrieved({ id: 'rival', contradiction: 0.45, contradictionBack: 0.4 })
    const severity = conflict(weak, 'latent')
    expect(severity).toBeGreaterThan(0.3)
    expect(severity).toBeLessThan(p.conflictThreshold)
    expect(decide([weak], 'latent', p).rivals).toEqual([{ id: 'rival', severity }])
    expect(decide([weak], 'explicit', p).rivals).toEqual([])
    expect(decide([{ ...weak, contradiction: 0.05 }], 'latent', p).rivals).toEqual([])
  })

  it('takes a hint that something was not done for no support of it, however it names it', () => {
    const named = retrieved({ id: 'gym', entailment: 0.9, shared: 0.8 })
    expect(decide([named], 'latent', p).supported.map(s => s.id)).toEqual(['gym'])
    for (const origin of ['latent', 'explicit'] as const) expect(decide([{ ...named, undone: true }], origin, p).supported).toEqual([])
    const refuted = { ...named, undone: true, entailment: 0.01, contradiction: 0.97, contradictionBack: 0.97 }
    expect(decide([refuted], 'latent', p).rivals.map(r => r.id)).toEqual(['gym'])
  })

  it('profiles the first statement: unsupported but informative', () => {
    const decision = decide([], 'explicit', p)
    expect(decision).toMatchObject({ route: 'profile', creates: true, same: null, reliability: 1 })
  })

  it('maintains what says the same, without a second belief', () => {
    const decision = decide([retrieved({ same: true, entailment: 0.98, similarity: 0.95 })], 'explicit', p)
    expect(decision).toMatchObject({ route: 'maintain', creates: false, same: 'a' })
  })

  it('corrects on a sure contradiction by a concentrated retrieval', () => {
    const decision = decide([retrieved({ contradiction: 0.97, contradictionBack: 0.97 })], 'explicit', p)
    expect(decision.route).toBe('correct')
    expect(decision.conflicting).toEqual([
      { id: 'a', severity: conflict(retrieved({ contradiction: 0.97, contradictionBack: 0.97 }), 'explicit') },
    ])
    expect(decision.creates).toBe(true)
  })

  it('refutes only the belief that a statement of change names', () => {
    const both = { contradiction: 0.97, contradictionBack: 0.97 }
    const named = retrieved({ id: 'milk', score: 0.9, replaces: true, ...both })
    const other = retrieved({ id: 'chocolate', score: 0.1, ...both })
    expect(decide([named, other], 'explicit', p).conflicting.map(c => c.id)).toEqual(['milk'])
    expect(decide([{ ...named, replaces: false }, other], 'explicit', p).conflicting.map(c => c.id)).toEqual(['milk', 'chocolate'])
  })

  it('does not correct when the retrieval is diffuse', () => {
    const flat = Array.from({ length: 10 }, (_, i) => retrieved({ id: `b${i}`, contradiction: 0.97, contradictionBack: 0.97 }))
    expect(decide(flat, 'explicit', p)).toMatchObject({ route: 'profile', conflicting: [] })
  })

  it('gives an explicit statement a belief of its own where only a hint says it', () => {
    const hint = retrieved({ entailment: 0.98, entailmentBack: 0.9, covered: 0.9, onlyHint: true })
    expect(decide([hint], 'explicit', p)).toMatchObject({ route: 'profile', creates: true, supported: [] })
    expect(decide([{ ...hint, onlyHint: false }], 'explicit', p)).toMatchObject({ route: 'maintain', creates: false })
  })

  it('lets a hint correct nothing', () => {
    expect(decide([retrieved({ contradiction: 0.99, contradictionBack: 0.99 })], 'latent', p)).toMatchObject({
      route: 'profile',
      conflicting: [],
    })
  })

  it('wakes a dormant belief that is said again', () => {
    const decision = decide(
      [
        retrieved({ id: 'new', contradiction: 0.97, contradictionBack: 0.97 }),
        retrieved({ id: 'old', dormant: true, same: true, entailment: 0.99 }),
      ],
      'explicit',
      p,
    )
    expect(decision).toMatchObject({ route: 'correct', same: 'old', creates: false, conflicting: [{ id: 'new' }] })
  })

  it('keeps its promises on anything retrieved', () => {
    fc.assert(
      fc.property(anyRetrieved, fc.constantFrom('explicit' as const, 'latent' as const), (list, origin) => {
        const d = decide(list, origin, p)
        const ids = new Set(list.map(r => r.id))
        const dormant = new Set(list.filter(r => r.dormant).map(r => r.id))
        expect(d.reliability).toBeGreaterThanOrEqual(0)
        expect(d.reliability).toBeLessThanOrEqual(1)
        expect(d.surprisal).toBeCloseTo(d.reliability * d.rawSurprisal, 12)
        // Something always comes of a statement: support for a belief, or a belief.
        expect(d.creates || d.same !== null || d.supported.length > 0).toBe(true)
        if (d.route === 'correct') expect(d.surprisal).toBeGreaterThan(p.gateHigh)
        for (const { id, severity } of d.conflicting) {
          expect(ids.has(id) && !dormant.has(id) && id !== d.same).toBe(true)
          expect(severity).toBeGreaterThanOrEqual(p.conflictThreshold)
        }
        if (d.conflicting.length > 0) expect([d.route, origin]).toEqual(['correct', 'explicit'])
        for (const { id } of d.supported) expect(d.conflicting.some(c => c.id === id)).toBe(false)
      }),
    )
  })

  it('gives the same decision for the same numbers, bit for bit', () => {
    fc.assert(
      fc.property(anyRetrieved, list => {
        expect(decide(list, 'explicit', p)).toEqual(decide(structuredClone(list), 'explicit', p))
      }),
    )
  })
})
