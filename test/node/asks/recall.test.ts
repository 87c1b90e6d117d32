/** What users ask of a memory, rows 34 to 40: the right few, or none. */

import { describe, expect, it } from 'vitest'
import type { Models } from '../../../src/engine/ports.ts'
import { models, open, say } from '../engine/open.ts'
import { chat, smallTalk } from './helpers.ts'

const told = [
  'I am allergic to walnuts.',
  'My dentist is Dr. Amari.',
  'I live in Tartu.',
  'I am a vegetarian.',
  'I am training for a triathlon.',
  'I hate mushrooms.',
  'My son Emil is six years old.',
  'I drive a blue van.',
]

describe('a message that needs no memory gets none, one that does is not missed (asks 34, 37)', () => {
  const needless = [
    'Convert 72 degrees Fahrenheit to Celsius.',
    'Explain how a heat pump works.',
    'Write a function that reverses a linked list.',
    'Who wrote the Kalevala?',
    'Summarise the French Revolution in two sentences.',
    'What does “idempotent” mean?',
    'Fix the grammar: he go to school yesterday.',
    'What is the boiling point of ethanol?',
    ...smallTalk.slice(0, 12),
  ]
  const needs = [
    'Who is my dentist?',
    'What am I allergic to?',
    'Where do I live?',
    'How old is my son?',
    'Which car do I have?',
    'What could I cook tonight?',
    'Suggest a training plan for me.',
  ]
  it('at least 19 of 20 stay out, and at least 6 of 7 come', async () => {
    const { memory } = await chat(...told)
    const called: string[] = []
    for (const query of needless) if ((await memory.recall(query)).needed) called.push(query)
    expect(called.length, called.join(' | ')).toBeLessThanOrEqual(1)
    const missed: string[] = []
    for (const query of needs) if (!(await memory.recall(query)).needed) missed.push(query)
    expect(missed.length, missed.join(' | ')).toBeLessThanOrEqual(1)
  })

  it('and the decision can be read: threshold, scores and strategy', async () => {
    const { memory } = await chat(...told)
    const no = await memory.recall('Who wrote the Kalevala?')
    expect(no).toMatchObject({ needed: false, strategy: 'none' })
    expect(no.trace.candidates.length).toBeGreaterThan(0)
    for (const { score } of no.trace.candidates) expect(score).toBeLessThanOrEqual(no.trace.threshold)
    const yes = await memory.recall('Who is my dentist?')
    expect(yes).toMatchObject({ needed: true, strategy: 'current' })
    expect(yes.beliefs[0]!.score).toBeGreaterThan(yes.trace.threshold)
  })
})

it('a question off every topic gets nothing, not the nearest (asks 35)', async () => {
  const { memory } = await chat(...told)
  for (const query of ['How do volcanoes form?', 'What is the square root of 1764?', 'Name three operas by Verdi.']) {
    expect(await memory.recall(query)).toMatchObject({ beliefs: [], turns: [], prompt: '' })
  }
})

it('a question for several things gets them all (asks 36)', async () => {
  const { memory } = await chat(...told)
  const { prompt } = await memory.recall('What foods should I avoid?')
  expect(prompt).toContain('walnuts')
  expect(prompt).toContain('mushrooms')
  expect(prompt).toContain('vegetarian')
})

it('deciding takes one embedding of the message at most, and none for an empty memory (asks 38)', async () => {
  const real = await models()
  let embedded = 0
  const counting: Models = Object.assign(Object.create(Object.getPrototypeOf(real) as object) as Models, real, {
    embed: (texts: readonly string[], ...rest: Parameters<Models['embed']> extends [unknown, ...infer R] ? R : never) => {
      embedded += texts.length
      return real.embed(texts, ...rest)
    },
  })
  const { memory, clock } = await open({ models: counting })
  embedded = 0
  await memory.recall('Who is my dentist?')
  expect(embedded).toBe(0)
  await say(memory, clock, 'My dentist is Dr. Amari.')
  embedded = 0
  await memory.recall('Who wrote the Kalevala?')
  expect(embedded).toBeLessThanOrEqual(1)
})

describe('who asks to forget something is not shown it (asks 39)', () => {
  it.each(['Can you forget my phone number?', 'Please forget my phone number.', 'Delete my phone number from your memory.'])(
    '%j',
    async wish => {
      const { memory } = await chat('My phone number is 555 0134.', 'I collect old maps.')
      expect((await memory.recall(wish)).prompt).not.toContain('0134')
    },
  )
})

it('the block is in the messages that come back, before the last user message (asks 40)', async () => {
  const { memory } = await chat('My dentist is Dr. Amari.', 'Thanks!')
  const messages = [
    { role: 'system' as const, content: 'Be brief.' },
    { role: 'user' as const, content: 'Who is my dentist?' },
  ]
  const sent = await memory.augment(messages, { window: 0 })
  expect(sent).toHaveLength(3)
  expect(sent[1]!.role).toBe('system')
  expect(sent[1]!.content).toContain('My dentist is Dr. Amari.')
  expect(sent[2]).toEqual(messages[1])
})
