/** Bank hygiene over beliefs that never met at writing, by the real models. */

import { describe, expect, it } from 'vitest'
import type { Belief, Memory } from '../../../src/memory.ts'
import { hour, open, say } from './open.ts'

/** Two memories of the same person, each with its own statements, brought together: nothing was compared. */
async function joined(first: string[], second: string[]): Promise<Memory> {
  const [a, b] = [await open(), await open()]
  await say(a.memory, a.clock, ...first)
  b.clock.now = a.clock.now + hour
  await say(b.memory, b.clock, ...second)
  const data = await b.memory.export()
  await a.memory.import(data, 'append')
  return a.memory
}
const texts = (beliefs: readonly Belief[]) => beliefs.map(b => b.text).sort()

describe('tidying', () => {
  it('finds a contradiction that was missed at writing, and erases nothing (asks 13)', async () => {
    const memory = await joined(['I live in Boston.', 'I have two cats.'], ['I live in Denver.'])
    expect(texts(await memory.beliefs())).toEqual(['I have two cats.', 'I live in Boston.', 'I live in Denver.'])
    const changes = await memory.tidy()
    expect(changes.map(c => [c.kind, c.text])).toEqual([['weakened', 'I live in Boston.']])
    expect(texts(await memory.beliefs())).toEqual(['I have two cats.', 'I live in Denver.'])
    const past = (await memory.beliefs({ past: true })).find(b => b.text === 'I live in Boston.')!
    expect(past.confidence).toBeLessThan(0.3)
    expect((await memory.explain(past.id)).supersededBy?.text).toBe('I live in Denver.')
  })

  it('makes one belief of two that say the same, with both messages as evidence (asks 15, 17)', async () => {
    const memory = await joined(['I am allergic to peanuts.'], ['I have a peanut allergy.'])
    const before = Math.max(...(await memory.beliefs()).map(b => b.confidence))
    expect((await memory.tidy()).map(c => c.kind)).toEqual(['reinforced', 'merged'])
    const [belief, ...others] = await memory.beliefs()
    expect(others).toEqual([])
    expect(belief!.confidence).toBeGreaterThan(before)
    const { evidence } = await memory.explain(belief!.id)
    expect(evidence.map(e => e.quote).sort()).toEqual(['I am allergic to peanuts.', 'I have a peanut allergy.'])
    const recalled = await memory.recall('What did I use to be allergic to?')
    expect(recalled.trace.candidates.filter(c => c.kind === 'belief').map(c => c.id)).toEqual([belief!.id])
  })

  it('leaves what is compatible, and looks at nothing twice', async () => {
    const memory = await joined(['I like tea.', 'My sister lives in Rome.'], ['I play chess.', 'I live in Oslo.'])
    expect(await memory.tidy()).toEqual([])
    expect(await memory.beliefs()).toHaveLength(4)
    const { size } = await memory.export().then(data => ({ size: JSON.stringify(data) }))
    expect(await memory.tidy()).toEqual([])
    expect(JSON.stringify(await memory.export())).toBe(size)
  })
})
