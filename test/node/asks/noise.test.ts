/** What users ask of a memory, rows 15 to 20: no duplicates, no noise, nothing welded together. */

import { describe, expect, it } from 'vitest'
import { chat, smallTalk } from './helpers.ts'

describe('a paraphrase is the same belief with two pieces of evidence (asks 15)', () => {
  it.each([
    ['I am allergic to peanuts.', 'I have a peanut allergy.'],
    ['I live in Lisbon.', 'Lisbon is where I live.'],
    ['I do not eat meat.', 'I never eat meat.'],
  ])('%j and %j', async (a, b) => {
    const { memory } = await chat(a, b)
    const beliefs = await memory.beliefs({ past: true })
    expect(beliefs).toHaveLength(1)
    const { evidence } = await memory.explain(beliefs[0]!.id)
    expect(evidence.map(e => e.turn)).toEqual(['m0', 'm1'])
  })
})

it('small talk, questions and tasks store nothing (asks 16)', async () => {
  const { memory, observed } = await chat(...smallTalk)
  expect(await memory.beliefs({ past: true })).toEqual([])
  expect(observed.flatMap(o => o.changes)).toEqual([])
})

it('what was merged has one id, and recall gives no other (asks 17)', async () => {
  const { memory } = await chat('I am allergic to peanuts.', 'I have two cats.', 'I have a peanut allergy.', 'I am allergic to peanuts!')
  const { beliefs, trace } = await memory.recall('What am I allergic to?')
  const known = new Set((await memory.beliefs()).map(b => b.id))
  expect(beliefs.map(b => b.text).filter(text => /peanut/.test(text))).toHaveLength(1)
  for (const item of trace.candidates) if (item.kind === 'belief') expect(known.has(item.id)).toBe(true)
})

describe('likeness alone merges nothing: only what follows from each other is the same (asks 18)', () => {
  it.each([
    ['I take my tea with milk.', 'I take my coffee with milk.'],
    ['My sister plays the violin.', 'My brother plays the violin.'],
    ['My mother was born in Cork.', 'My father was born in Cork.'],
    ['I am afraid of spiders.', 'I am afraid of heights.'],
    ['I run on Mondays.', 'I swim on Mondays.'],
    ['I play the guitar.', 'I play the piano.'],
    ['I eat breakfast at seven.', 'I eat dinner at eight.'],
    ['My sister lives in Leeds.', 'My brother lives in York.'],
  ])('%j and %j', async (a, b) => {
    const { current } = await chat(a, b)
    expect((await current()).sort()).toEqual([a, b].sort())
  })
})

it('being recalled makes nothing surer (asks 19)', async () => {
  const { memory } = await chat('I collect old maps.', 'I have a sister in Quito.')
  const before = await memory.beliefs()
  for (let i = 0; i < 10; i++) await memory.recall('What do I collect?')
  expect(await memory.beliefs()).toEqual(before)
})

it('what we put into the prompt is never stored, whoever sends it back (asks 20)', async () => {
  const { memory, say, clock } = await chat('I collect old maps.', 'My dentist is Dr. Amari.')
  const sent = await memory.augment([{ role: 'user', content: 'What do I collect?' }], { window: 0 })
  const block = sent.map(message => message.content as string).find(text => text.includes('old maps'))!
  expect(block).toContain('I collect old maps.')
  const before = await memory.beliefs({ past: true })
  await say(block, `Here is what you showed me:\n${block}\nThanks!`, `assistant: ${block}`)
  expect((await memory.beliefs({ past: true })).map(b => [b.id, b.text])).toEqual(before.map(b => [b.id, b.text]))
  expect(clock.now).toBeGreaterThan(0)
})
