/** What answers a question may share no word with it, and stand beside what does. */

import { expect, it } from 'vitest'
import { hour, open } from './open.ts'

const talk: readonly [speaker: string, text: string][] = [
  ['Mira', 'Did you see the new bakery on the corner?'],
  ['Jonas', 'Yes, their rye bread is fantastic.'],
  ['Mira', 'Anyway, how did the interview at the observatory go?'],
  ['Jonas', 'Better than expected, May it is!'],
  ['Mira', 'Congratulations, that calls for cake.'],
  ['Jonas', 'Rye bread will do.'],
]

it('the reply to a message that has the words of the question is considered with it, and lifted', async () => {
  const { memory, clock } = await open({ parameters: { candidates: 1, evidenceCandidates: 1 } })
  for (const [i, [speaker, text]] of talk.entries()) {
    clock.now += hour
    await memory.observe({ id: `m${i}`, text, speaker, at: clock.now, conversation: 'chat' })
  }
  const { trace } = await memory.recall("What came of Jonas's interview at the observatory?")
  const reply = trace.candidates.find(c => c.id === 'm3')!
  expect(reply.text).toBe('Jonas: Better than expected, May it is!')
  expect(reply.parts.fused).toBe(0)
  expect(reply.parts.evidence).not.toBeNull()
  expect(reply.parts.nearby).toBeGreaterThan(0)
})

it('a short question that the person put to the assistant before is no memory of them', async () => {
  const { memory, clock } = await open({ parameters: { learnedThreshold: -100 } })
  for (const [i, text] of ['I have two kids.', 'Where does my sister live?'].entries()) {
    clock.now += hour
    await memory.observe({ id: `m${i}`, text, at: clock.now })
  }
  const { trace } = await memory.recall('Does my sister have a house?')
  expect(trace.candidates.map(c => c.text)).toEqual(['I have two kids.'])
})

it('in another conversation it is not', async () => {
  const { memory, clock } = await open({ parameters: { candidates: 1, evidenceCandidates: 1 } })
  for (const [i, [speaker, text]] of talk.entries()) {
    clock.now += hour
    await memory.observe({ id: `m${i}`, text, speaker, at: clock.now, conversation: `chat ${i}` })
  }
  const { trace } = await memory.recall("What came of Jonas's interview at the observatory?")
  expect(trace.candidates).toHaveLength(1)
  expect(trace.candidates.every(c => c.parts.nearby === 0)).toBe(true)
})
