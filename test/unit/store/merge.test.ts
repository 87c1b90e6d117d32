import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Snapshot } from '../../../src/engine/ports.ts'
import type { ImportMode } from '../../../src/memory.ts'
import { openMemoryStore } from '../../../src/store/memory.ts'
import { fromPortable, mergeImport, toPortable } from '../../../src/store/portable.ts'
import { anySnapshot, belief, evidence, label, nothing, trail, turn, vector } from './records.ts'

const modes: ImportMode[] = ['skip', 'overwrite', 'append']

async function imported(current: Snapshot, incoming: Snapshot, mode: ImportMode) {
  const store = openMemoryStore(current)
  const { change, summary } = mergeImport(current, fromPortable(toPortable(incoming, '2026-11-30')), mode)
  await store.commit(change, current.generation)
  return { after: { ...(await store.load()), generation: current.generation }, summary, change }
}

const texts = (snapshot: Snapshot) => Object.fromEntries(snapshot.beliefs.map(b => [b.id, b.text]))

describe.each(modes)('import in mode %s', mode => {
  it('into an empty memory gives exactly what was exported', async () => {
    await fc.assert(
      fc.asyncProperty(anySnapshot, async incoming => {
        const { after, summary } = await imported(nothing, incoming, mode)
        const order = incoming.turns.length
        const empty = order + incoming.beliefs.length + incoming.labels.length === 0
        expect(after).toStrictEqual({ ...incoming, meta: empty ? {} : { tick: incoming.meta.tick, order } })
        expect(summary).toEqual({ turns: order, beliefs: incoming.beliefs.length, skipped: 0 })
      }),
    )
  })

  it('changes nothing the second time, whatever is there (asks 54)', async () => {
    await fc.assert(
      fc.asyncProperty(anySnapshot, anySnapshot, async (current, incoming) => {
        const once = await imported(current, incoming, mode)
        const twice = await imported(once.after, incoming, mode)
        expect(twice.change).toEqual({})
        expect(twice.after).toStrictEqual(once.after)
        expect(twice.summary).toEqual({ turns: 0, beliefs: 0, skipped: incoming.turns.length + incoming.beliefs.length })
      }),
      { numRuns: 400 },
    )
  })

  it('is the same after more turns were observed in between', async () => {
    const incoming = { ...nothing, turns: [turn('t1')], beliefs: [belief('b1')], trails: [trail('p1', 'b1')], meta: { tick: 1, order: 1 } }
    const start = {
      ...nothing,
      turns: [turn('other', { tick: 3 })],
      beliefs: [belief('own', { lastSupported: 3 })],
      meta: { tick: 3, order: 1 },
    }
    const once = await imported(start, incoming, mode)
    const later = { ...once.after, meta: { tick: 30, order: 12 } }
    expect((await imported(later, incoming, mode)).change).toEqual({})
  })

  it('leaves no dangling reference and no id twice, and takes its own export again', async () => {
    await fc.assert(
      fc.asyncProperty(anySnapshot, anySnapshot, async (current, incoming) => {
        const { after, summary } = await imported(current, incoming, mode)
        const portable = toPortable(after, '2026-11-30')
        expect(portable).toMatchObject({ turns: after.turns, beliefs: after.beliefs, evidence: after.evidence, trails: after.trails })
        const spansOf = new Map(after.turns.map(t => [t.id, t.text.length]))
        for (const item of after.evidence) expect(item.span[1]).toBeLessThanOrEqual(spansOf.get(item.turn)!)
        expect(() => fromPortable(portable)).not.toThrow()
        expect(new Set(after.turns.map(t => t.order)).size).toBe(after.turns.length)
        expect(after.turns.length).toBeGreaterThanOrEqual(current.turns.length)
        expect(summary.turns + summary.beliefs + summary.skipped).toBe(incoming.turns.length + incoming.beliefs.length)
      }),
      { numRuns: 400 },
    )
  })
})

describe('one id, two beliefs', () => {
  const current: Snapshot = {
    ...nothing,
    turns: [turn('t1')],
    beliefs: [belief('b1', { text: 'I drink coffee' }), belief('same')],
    evidence: [evidence('e1', 'b1', 't1')],
    trails: [trail('p1', 'b1'), trail('p9', 'b1', { kind: 'reinforced' })],
    vectors: [vector('b:b1'), vector('t:t1'), vector('b:same')],
    meta: { tick: 4, order: 7 },
  }
  const incoming: Snapshot = {
    ...nothing,
    turns: [turn('t1'), turn('t2', { order: 1 })],
    beliefs: [
      belief('b1', { text: 'I drink cocoa', supersededBy: 'b2' }),
      belief('b2', { text: 'I drink tea', supersedes: ['b1'] }),
      belief('same'),
    ],
    evidence: [evidence('e1', 'b1', 't1', { strength: 0.5 }), evidence('e2', 'b2', 't2')],
    trails: [trail('p1', 'b1', { confidence: 0.5 }), trail('p2', 'b2')],
    labels: [label('l1', 'belief:b1')],
    meta: { tick: 2 },
  }

  it('skip leaves ours, but learns that a belief that comes in has replaced it (asks 54)', async () => {
    const { after, summary } = await imported(current, incoming, 'skip')
    expect(texts(after)).toEqual({ b1: 'I drink coffee', same: 'I keep bees, says same', b2: 'I drink tea' })
    expect(after.beliefs[0]!.supersededBy).toBe('b2')
    expect(after.evidence).toEqual([evidence('e1', 'b1', 't1'), evidence('e2', 'b2', 't2')])
    expect(after.trails.map(p => p.id)).toEqual(['p1', 'p9', 'p2'])
    expect(after.vectors).toHaveLength(3)
    expect(summary).toEqual({ turns: 1, beliefs: 1, skipped: 3 })
  })

  it('overwrite replaces ours with its evidence and trail, and drops the vector of the old words (asks 54)', async () => {
    const { after, summary } = await imported(current, incoming, 'overwrite')
    expect(texts(after)).toEqual({ b1: 'I drink cocoa', same: 'I keep bees, says same', b2: 'I drink tea' })
    expect(after.evidence).toEqual(incoming.evidence)
    expect(after.trails.map(({ id, confidence }) => [id, confidence])).toEqual([
      ['p1', 0.5],
      ['p2', 0.85],
    ])
    expect(after.vectors.map(v => v.key)).toEqual(['t:t1', 'b:same'])
    expect(summary).toEqual({ turns: 1, beliefs: 2, skipped: 2 })
  })

  it('overwrite by an older export does not bring back as current what was replaced since', async () => {
    const newer = { ...current, beliefs: [belief('b1', { confidence: 0.2, supersededBy: 'b7' }), belief('b7', { supersedes: ['b1'] })] }
    const older = { ...nothing, beliefs: [belief('b1', { confidence: 0.9 })], meta: { tick: 1 } }
    const { after } = await imported(newer, older, 'overwrite')
    expect(after.beliefs[0]).toMatchObject({ confidence: 0.9, supersededBy: 'b7' })
  })

  it('append keeps both, and renames what belongs together (asks 54)', async () => {
    const { after, summary } = await imported(current, incoming, 'append')
    expect(texts(after)).toEqual({
      b1: 'I drink coffee',
      same: 'I keep bees, says same',
      'b1~2': 'I drink cocoa',
      'b2~2': 'I drink tea',
    })
    expect(after.beliefs[2]).toMatchObject({ supersededBy: 'b2~2' })
    expect(after.beliefs[3]).toMatchObject({ supersedes: ['b1~2'] })
    expect(after.evidence.map(e => [e.id, e.belief, e.turn])).toEqual([
      ['e1', 'b1', 't1'],
      ['e1~2', 'b1~2', 't1'],
      ['e2~2', 'b2~2', 't2'],
    ])
    expect(after.labels[0]!.item).toBe('belief:b1~2')
    expect(summary).toEqual({ turns: 1, beliefs: 2, skipped: 2 })
  })

  it('append keeps every text of both sides', async () => {
    await fc.assert(
      fc.asyncProperty(anySnapshot, anySnapshot, async (mine, theirs) => {
        const { after } = await imported(mine, theirs, 'append')
        const count = (list: string[]) => new Set(list).size
        const said = [...mine.turns, ...theirs.turns].map(t => t.text)
        const held = [...mine.beliefs, ...theirs.beliefs].map(b => b.text)
        expect(count(after.turns.map(t => t.text))).toBe(count(said))
        expect(count(after.beliefs.map(b => b.text))).toBe(count(held))
        expect(after.beliefs.slice(0, mine.beliefs.length)).toStrictEqual(mine.beliefs)
      }),
      { numRuns: 500 },
    )
  })
})

describe('one turn id, two texts', () => {
  const current = {
    ...nothing,
    turns: [turn('1', { text: 'I have two cats at home' })],
    beliefs: [belief('a')],
    evidence: [evidence('e1', 'a', '1')],
    vectors: [vector('t:1')],
    meta: { tick: 1 },
  }
  const incoming = {
    ...nothing,
    turns: [turn('1', { text: 'My flat is in Riga now' })],
    beliefs: [belief('b')],
    evidence: [evidence('e2', 'b', '1')],
    meta: { tick: 1 },
  }

  it('never makes evidence quote the wrong words', async () => {
    const skip = (await imported(current, incoming, 'skip')).after
    expect([skip.turns.map(t => t.text), skip.evidence.map(e => e.id)]).toEqual([['I have two cats at home'], ['e1']])
    const overwrite = (await imported(current, incoming, 'overwrite')).after
    expect([overwrite.turns.map(t => t.text), overwrite.evidence.map(e => e.id), overwrite.vectors]).toEqual([
      ['My flat is in Riga now'],
      ['e2'],
      [],
    ])
    const append = (await imported(current, incoming, 'append')).after
    expect(append.turns.map(t => [t.id, t.text])).toEqual([
      ['1', 'I have two cats at home'],
      ['1~2', 'My flat is in Riga now'],
    ])
    expect(append.evidence.map(e => [e.id, e.turn])).toEqual([
      ['e1', '1'],
      ['e2', '1~2'],
    ])
  })
})

describe('clocks', () => {
  it('keep a belief as old, in turns, as it was', async () => {
    const current = { ...nothing, turns: [turn('mine', { order: 6, tick: 100 })], meta: { tick: 100, order: 7 } }
    const incoming = {
      ...nothing,
      turns: [turn('theirs', { tick: 8 })],
      beliefs: [belief('b1', { lastSupported: 7 }), belief('b2', { lastSupported: 0 })],
      meta: { tick: 10 },
    }
    const { after } = await imported(current, incoming, 'skip')
    expect(after.meta).toEqual({ tick: 100, order: 8 })
    expect(after.turns.map(t => [t.id, t.order, t.tick])).toEqual([
      ['mine', 6, 100],
      ['theirs', 7, 98],
    ])
    expect(after.beliefs.map(b => b.lastSupported)).toEqual([97, 90])
    const younger = (await imported({ ...current, turns: [turn('mine', { tick: 2 })], meta: { tick: 2 } }, incoming, 'skip')).after
    expect(younger.beliefs.map(b => b.lastSupported)).toEqual([0, 0])
  })
})

it('records that nothing refers to come in beside ours of the same id, when they are about something else', async () => {
  const current = {
    ...nothing,
    turns: [turn('t')],
    beliefs: [belief('a')],
    evidence: [evidence('e', 'a', 't')],
    trails: [trail('act0.t0', 'a')],
    labels: [label('act0.0', 'belief:a')],
    meta: { tick: 1 },
  }
  const incoming = {
    ...nothing,
    turns: [turn('t')],
    beliefs: [belief('b')],
    evidence: [evidence('e', 'b', 't')],
    trails: [trail('act0.t0', 'b')],
    labels: [label('act0.0', 'belief:b', { query: 'and wasps?' })],
    meta: { tick: 1 },
  }
  for (const mode of modes) {
    const { after } = await imported(current, incoming, mode)
    expect(after.evidence.map(e => [e.id, e.belief])).toEqual([
      ['e', 'a'],
      ['e~2', 'b'],
    ])
    expect(after.trails.map(p => [p.id, p.belief])).toEqual([
      ['act0.t0', 'a'],
      ['act0.t0~2', 'b'],
    ])
    expect(after.labels.map(l => [l.id, l.item])).toEqual([
      ['act0.0', 'belief:a'],
      ['act0.0~2', 'belief:b'],
    ])
  }
})
