import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Snapshot } from '../../../src/engine/ports.ts'
import { CredenceError } from '../../../src/errors.ts'
import { fromPortable, toPortable } from '../../../src/store/portable.ts'
import { anySnapshot, belief, evidence, label, nothing, trail, turn, vector } from './records.ts'

const now = '2026-11-30T10:00:00.000Z'
const throughText = (snapshot: Snapshot): Snapshot => fromPortable(JSON.parse(JSON.stringify(toPortable(snapshot, now))))

const sound: Snapshot = {
  ...nothing,
  turns: [turn('t1', { speaker: 'Ann', conversation: 'c1' }), turn('t2', { order: 1, role: 'assistant' })],
  beliefs: [
    belief('b1', { supersededBy: 'b2' }),
    belief('b2', { supersedes: ['b1'], confidence: 0.1 + 0.2, topic: null, expiresAt: 5, retracted: false }),
  ],
  evidence: [evidence('e1', 'b1', 't1'), evidence('e2', 'b2', 't2')],
  trails: [trail('p1', 'b1'), trail('p2', 'b2', { kind: 'edited', replaced: 'old words' })],
  labels: [label('l1', 'belief:b1')],
  meta: { tick: 1 },
}
/** A deep copy of sound data, to break one thing in. */
const data = (): any => JSON.parse(JSON.stringify(toPortable(sound, now)))

describe('export and import', () => {
  it('give back every field exactly, through JSON text (asks 53)', () => {
    expect(throughText(sound)).toStrictEqual(sound)
    fc.assert(
      fc.property(anySnapshot, snapshot => {
        const back = throughText(snapshot)
        expect(back).toStrictEqual({ ...snapshot, meta: { tick: snapshot.meta.tick } })
        expect(throughText(back)).toStrictEqual(back)
      }),
      { numRuns: 500 },
    )
  })

  it('keep every double, and text that is not sound UTF-16', () => {
    const doubles = [Number.MIN_VALUE, Number.EPSILON, 0.1 + 0.2, 1 - Number.EPSILON / 2, 1]
    const texts = ['\ud800', 'a\udc00b', '😀', '\u0000\u2028"\\', '中文', '__proto__']
    const snapshot = {
      ...nothing,
      turns: texts.map((text, order) => turn(`t${order}`, { order, text, passages: [] })),
      beliefs: doubles.map((confidence, i) => belief(`b${i}`, { confidence })),
      meta: { tick: 1 },
    }
    const back = throughText(snapshot)
    expect(back.beliefs.map(b => b.confidence)).toEqual(doubles)
    expect(back.turns.map(t => t.text)).toEqual(texts)
  })

  it('leave vectors out', () => {
    expect(JSON.stringify(toPortable({ ...sound, vectors: [vector('b:b1', [0.123])] }, now))).not.toContain('0.123')
  })

  it('say what they are', () => {
    expect(toPortable(sound, now)).toMatchObject({ format: 'credence', version: 1, exportedAt: now, tick: 1 })
  })

  it('leave out references to what is gone, so that the export can be imported; what a lost belief had replaced does not come back', () => {
    const torn: Snapshot = {
      ...sound,
      beliefs: [belief('b1', { supersededBy: 'lost' }), belief('b2', { supersedes: ['lost', 'b1'] })],
      evidence: [evidence('e1', 'lost', 't1'), evidence('e2', 'b2', 'lost'), evidence('e3', 'b2', 't1')],
      trails: [trail('p1', 'lost'), trail('p2', 'b2')],
    }
    const back = throughText(torn)
    expect(back.beliefs).toEqual([belief('b1', { retracted: true }), belief('b2', { supersedes: ['b1'] })])
    expect(back.evidence.map(e => e.id)).toEqual(['e3'])
    expect(back.trails.map(p => p.id)).toEqual(['p2'])
  })

  it('do not share records with the data that was passed', () => {
    const mine = data()
    const snapshot = fromPortable(mine)
    mine.beliefs[0].text = 'tampered'
    expect(snapshot.beliefs[0]!.text).toBe(sound.beliefs[0]!.text)
  })
})

describe('import refuses', () => {
  function refusal(value: unknown): { path: unknown; message: string } {
    try {
      fromPortable(value)
    } catch (error) {
      if (!(error instanceof CredenceError)) throw error
      expect(error.code).toBe('ImportInvalid')
      expect(error.message).toMatch(/^credence: /)
      return { path: error.data?.path, message: error.message }
    }
    throw new Error('was accepted')
  }

  const broken: [path: string, break_: (d: any) => void][] = [
    ['format', d => (d.format = 'other')],
    ['version', d => (d.version = 2)],
    ['exportedAt', d => (d.exportedAt = 'soon')],
    ['tick', d => (d.tick = -1)],
    ['tick', d => (d.tick = 0.5)],
    ['turns', d => delete d.turns],
    ['turns', d => (d.turns = { length: 1 })],
    ['turns[1]', d => (d.turns[1] = null)],
    ['turns[1].id', d => (d.turns[1].id = 't1')],
    ['turns[0].text', d => (d.turns[0].text = 5)],
    ['turns[0].text', d => (d.turns[0].text = 'x'.repeat(1_000_001))],
    ['turns[0].role', d => (d.turns[0].role = 'root')],
    ['turns[0].at', d => (d.turns[0].at = 1e300)],
    ['turns[0].at', d => (d.turns[0].at = '2026')],
    ['turns[0].tick', d => (d.turns[0].tick = 2)],
    ['turns[0].order', d => (d.turns[0].order = -1)],
    ['turns[0].speaker', d => (d.turns[0].speaker = {})],
    ['turns[0].passages[0]', d => (d.turns[0].passages[0] = [5, 2])],
    ['turns[0].passages[0]', d => (d.turns[0].passages[0] = [0, 10_000])],
    ['turns[0].passages[0]', d => (d.turns[0].passages[0] = [0, 1, 2])],
    ['beliefs[1].confidence', d => (d.beliefs[1].confidence = Number.NaN)],
    ['beliefs[1].confidence', d => (d.beliefs[1].confidence = null)],
    ['beliefs[1].confidence', d => (d.beliefs[1].confidence = 0)],
    ['beliefs[1].confidence', d => (d.beliefs[1].confidence = 1.0000001)],
    ['beliefs[1].confidence', d => (d.beliefs[1].confidence = '0.5')],
    ['beliefs[0].kind', d => (d.beliefs[0].kind = 'rumour')],
    ['beliefs[0].pinned', d => (d.beliefs[0].pinned = 1)],
    ['beliefs[0].lastSupported', d => (d.beliefs[0].lastSupported = 2)],
    ['beliefs[0].topic', d => delete d.beliefs[0].topic],
    ['beliefs[1].supersedes[0]', d => (d.beliefs[1].supersedes = ['nobody'])],
    ['beliefs[1].supersedes[1]', d => (d.beliefs[1].supersedes = ['b1', 'b2'])],
    ['beliefs[0].supersededBy', d => (d.beliefs[0].supersededBy = 'nobody')],
    ['beliefs[0].mood', d => (d.beliefs[0].mood = 'sunny')],
    ['evidence[1].belief', d => (d.evidence[1].belief = 'nobody')],
    ['evidence[1].turn', d => (d.evidence[1].turn = 'never')],
    ['evidence[0].span', d => (d.evidence[0].span = [0, 10_000])],
    ['evidence[0].strength', d => (d.evidence[0].strength = 2)],
    ['trails[1].belief', d => (d.trails[1].belief = 'nobody')],
    ['trails[0].tick', d => (d.trails[0].tick = 2)],
    ['trails[0].kind', d => (d.trails[0].kind = 'toString')],
    ['labels[0].features[2]', d => (d.labels[0].features[2] = Number.POSITIVE_INFINITY)],
    ['labels[0].used', d => (d.labels[0].used = 'yes')],
    ['extra', d => (d.extra = 1)],
  ]
  it.each(broken)('%s', (path, break_) => {
    const broken = data()
    break_(broken)
    const { path: found, message } = refusal(broken)
    expect(found).toBe(path)
    expect(message).toContain(path)
  })

  it.each(['__proto__', 'constructor', 'prototype', 'toString'])('a key named %s, wherever it stands', key => {
    const evil = JSON.stringify({ [key]: 0 })
      .slice(1, -1)
      .replace('0', '{"polluted":true}')
    const text = JSON.stringify(data())
    for (const place of ['{"format"', '{"id":"t1"', '{"id":"b1"', '{"id":"e1"', '{"id":"p1"', '{"id":"l1"']) {
      expect(text).toContain(place)
      const { path } = refusal(JSON.parse(text.replace(place, `{${evil},${place.slice(1)}`)))
      expect(path).toMatch(new RegExp(`${key}$`))
    }
    expect(({} as any).polluted).toBeUndefined()
  })

  it('fields that come from a prototype, functions and accessors', () => {
    expect(refusal({ ...data(), beliefs: [Object.create(sound.beliefs[0]!)] }).path).toBe('beliefs[0].id')
    refusal({ ...data(), turns: () => [] })
    let reads = 0
    const lying = {
      ...data(),
      beliefs: [
        {
          ...belief('b1'),
          get confidence() {
            return reads++ === 0 ? 0.5 : 7
          },
        },
      ],
      evidence: [],
      trails: [],
    }
    expect(fromPortable(lying).beliefs[0]!.confidence).toBe(0.5)
  })

  it('nesting of any depth', () => {
    let deep: unknown = 'x'
    for (let i = 0; i < 1_000_000; i++) deep = [deep]
    refusal({ ...data(), turns: deep })
    expect(refusal({ ...data(), tick: [[[[1]]]] }).path).toBe('tick')
  })

  it.each([undefined, null, 0, '', 'credence', [], {}, new Map()])('%j', value => {
    expect(refusal(value).path).toBe('format')
  })

  it('any sound data in which one value was replaced by something of another type', () => {
    fc.assert(
      fc.property(
        anySnapshot,
        fc.nat(),
        fc.constantFrom({}, Number.NaN, undefined, () => 0, Symbol('s')),
        (snapshot, pick, junk) => {
          const portable = JSON.parse(JSON.stringify(toPortable(snapshot, now)))
          const places: [any, string | number][] = []
          const walk = (value: any) => {
            for (const key of Object.keys(value)) {
              places.push([value, key])
              if (typeof value[key] === 'object' && value[key] !== null) walk(value[key])
            }
          }
          walk(portable)
          const [holder, key] = places[pick % places.length]!
          holder[key] = junk
          const optional = ['speaker', 'conversation', 'expiresAt', 'supersededBy', 'retracted', 'replaced'].includes(String(key))
          if (junk === undefined && optional) expect(() => fromPortable(portable)).not.toThrow()
          else refusal(portable)
        },
      ),
      { numRuns: 1000 },
    )
  })
})
