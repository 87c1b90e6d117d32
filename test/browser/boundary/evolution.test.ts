/** PreCoMem's example, from coffee to tea, through the real worker, database and models. */

import { expect, it } from 'vitest'
import { openMemory } from 'credence'

/** What was known before: a fact about coffee. */
const before = ['I like drinking coffee.', 'I drink coffee every morning.', 'I love my coffee.']
const example = [
  'Another coffee, please, an americano as always.',
  'My stomach was upset, so I tried green tea today and it felt really good.',
  'I had another green tea this afternoon, it was lovely.',
  'Green tea again this morning.',
  'I have completely given up coffee, from now on I only drink tea.',
]

it('goes MAINTAIN, PROFILE, MAINTAIN, MAINTAIN with promotion, CORRECT', async () => {
  const memory = await openMemory({ name: `coffee-${Date.now()}`, assets: '/', device: 'wasm', models: { lm: false } })
  const start = Date.parse('2026-03-02T09:00:00Z')
  const observed = []
  for (const [i, text] of [...before, ...example].entries()) {
    observed.push(await memory.observe({ id: `t${i}`, text, at: start + i * 3_600_000 }))
  }
  const shown = observed.slice(before.length)
  expect(shown.map(o => o.propositions.map(p => p.route).join())).toEqual(['maintain', 'profile', 'maintain', 'maintain', 'correct'])
  expect(shown.map(o => o.changes[0]?.kind)).toEqual(['reinforced', 'created', 'reinforced', 'promoted', 'created'])

  const { needed, beliefs, prompt } = await memory.recall('what do I like to drink?', { at: start + 86_400_000 })
  expect(needed).toBe(true)
  expect(beliefs[0]!.text).toContain('tea')
  expect(prompt).not.toContain('I like drinking coffee')

  const coffee = (await memory.beliefs({ past: true, text: 'coffee' })).find(b => b.text === before[0])!
  expect(coffee.confidence).toBeLessThan(0.3)
  expect(coffee.supersededBy).toBe(beliefs[0]!.id)
  const { evidence, trail } = await memory.explain(coffee.id)
  expect(evidence.map(e => e.stance)).toContain('supports')
  expect(evidence.at(-1)).toMatchObject({ stance: 'contradicts', turn: `t${before.length + 4}` })
  expect(trail.at(-1)).toMatchObject({ kind: 'weakened' })
  await memory.forgetAll()
  await memory.close()
})

it.each([
  ['I live in Leeds.', 'I moved to York last week.', 'Where do I live?', 'York', 'Leeds'],
  ['My dentist is Dr. Amari.', 'My dentist is Dr. Okafor now.', 'Who is my dentist?', 'Okafor', 'Amari'],
])('%j, then %j: only the later is recalled', async (before, after, question, current, stale) => {
  const memory = await openMemory({ name: `change-${Date.now()}`, assets: '/', device: 'wasm', models: { lm: false } })
  await memory.observe({ text: before })
  const { propositions } = await memory.observe({ text: after })
  expect(propositions.map(({ route }) => route)).toEqual(['correct'])
  const { prompt } = await memory.recall(question)
  expect(prompt).toContain(current)
  expect(prompt).not.toContain(stale)
  await memory.forgetAll()
  await memory.close()
})
