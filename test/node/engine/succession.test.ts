/** What took the place of a belief answers the questions that the belief answered. */

import { describe, expect, it } from 'vitest'
import { open, say } from './open.ts'

describe('a question in the words of what does not hold any more', () => {
  it.each([
    ['Mara is my landlady.', 'Since May I pay the rent to Mr Kohl instead of Mara.', 'Who is my landlady?', 'Mr Kohl'],
    [
      'My commute is an hour on the train.',
      'I sold my rail pass, I cycle along the river now.',
      'How do I commute?',
      'cycle along the river',
    ],
  ])('%s %s', async (before, change, question, now) => {
    const { memory, clock } = await open()
    await say(memory, clock, before, change)
    const { needed, beliefs, prompt, trace } = await memory.recall(question)
    expect(needed).toBe(true)
    expect(beliefs[0]!.text).toContain(now)
    expect(prompt).toContain(now)
    expect(prompt).not.toContain(before)
    // Once, though it was found by its own words and by those of what it replaced.
    expect(trace.candidates.filter(c => c.id === beliefs[0]!.id)).toHaveLength(1)
    // Asked for the past, both are told, each as what it is.
    const past = await memory.recall(question.replace(/^Who is/, 'Who was').replace(/^How do I (.*)\?$/, 'How did I $1 before?'))
    expect(past.beliefs.find(b => b.text === before)).toMatchObject({ past: true })
  })

  it('leads over two changes, and nowhere when the last was withdrawn', async () => {
    const { memory, clock } = await open()
    await say(memory, clock, 'Mara is my landlady.', 'Since May I pay the rent to Mr Kohl instead of Mara.')
    await say(memory, clock, 'From now on the rent goes to the Delta bank instead of Mr Kohl.')
    const last = (await memory.beliefs()).find(b => b.text.includes('Delta'))!
    const recall = await memory.recall('Who is my landlady?')
    expect(recall.beliefs.map(b => b.id)).toEqual([last.id])
    await memory.forget(last.id)
    const { prompt } = await memory.recall('Who is my landlady?')
    expect(prompt).not.toMatch(/Delta|Kohl|Mara/)
  })
})
