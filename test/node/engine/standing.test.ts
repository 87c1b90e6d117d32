/** What is to be done when something comes up shares few words with it. */

import { describe, expect, it } from 'vitest'
import { open, say } from './open.ts'

const said = [
  'I have a budget for the garden of 300 euros.',
  'Always point out cheaper plants when I ask about the garden budget.',
  'I live in Ghent.',
  'My sister plays the oboe.',
  'Always give weights in grams when I ask for a recipe.',
  'My dentist is on Mondays.',
  'I have two cats.',
]

describe('a standing instruction for some questions', () => {
  it('is a belief of its own beside what it resembles', async () => {
    const { memory, clock } = await open()
    const observed = await say(memory, clock, ...said)
    expect(observed[1]!.propositions[0]).toMatchObject({ label: 'instruction', route: 'profile' })
    const instructions = (await memory.beliefs()).filter(b => b.instruction).map(b => b.text)
    expect(instructions.sort()).toEqual([said[4], said[1]])
  })

  it('is recalled for them, with what answers them, and not for others', async () => {
    const { memory, clock } = await open()
    await say(memory, clock, ...said)
    const recalled = async (query: string) => (await memory.recall(query)).beliefs.map(b => b.text)
    expect(await recalled('How do I bake a walnut cake?')).toEqual([said[4]])
    expect(await recalled('What is my garden budget?')).toEqual([said[0], said[1]])
    for (const other of ['Write a haiku about rain.', 'What is 3 + 4?', 'Hello!']) expect(await recalled(other)).toEqual([])
  })

  it.each(['If I ask about travel, mention train options first.', "If I'm asking about films, name the director."])(
    'is no supposition: %s',
    async text => {
      const { memory, clock } = await open()
      const [observed] = await say(memory, clock, text)
      expect(observed!.propositions).toMatchObject([{ label: 'instruction', route: 'profile' }])
    },
  )

  it('is read by the evidence model wherever the search puts it', async () => {
    const { memory, clock } = await open({ parameters: { candidates: 1, evidenceCandidates: 1, expandedHits: 0 } })
    await say(memory, clock, ...said)
    const { trace } = await memory.recall('What is my garden budget?')
    expect(trace.candidates.map(c => c.text).sort()).toEqual([said[4], said[1], said[0]].sort())
    expect(trace.candidates.every(c => c.parts.evidence !== null)).toBe(true)
  })
})

describe('of two answers with a number or a date', () => {
  it('the later comes first, and stands alone where the earlier is no belief', async () => {
    const { memory, clock } = await open()
    await say(
      memory,
      clock,
      'My reading list has 40 titles, which ones should I start with?',
      'My reading list has now grown to 55 titles, can you help me sort it?',
      'The choir concert is on 3 May, what should I wear to it?',
      'I just found out the choir concert got postponed to 17 May, so can you help me find a babysitter?',
    )
    for (const [query, late, early] of [
      ['How many titles are on my reading list?', '55', '40'],
      ['When is the choir concert?', '17 May', '3 May'],
    ] as const) {
      const texts = (await memory.recall(query)).trace.candidates.map(c => c.text)
      const first = (value: string) => texts.findIndex(text => new RegExp(`\\b${value}\\b`).test(text))
      expect(first(late)).toBe(0)
      expect(first(early)).toBeGreaterThan(0)
    }
  })
})

it('what was said word for word the same stands once in the block', async () => {
  const { memory, clock } = await open({ parameters: { learnedThreshold: -100, margin: 1000, evidenceFloor: -100, remarkLead: 0 } })
  await say(memory, clock, 'Rehearsal went on for ages today.', 'Rehearsal went on for ages today.', 'Rehearsal went on for ages today.')
  const { turns, beliefs, trace } = await memory.recall('How long was the rehearsal?')
  expect(trace.candidates.length).toBeGreaterThan(0)
  expect([...beliefs, ...turns]).toHaveLength(1)
})
