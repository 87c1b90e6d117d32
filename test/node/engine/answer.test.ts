/** What the language model does with what is recalled: the identity of the Bayes factors, the reader, and learning from an answer. */

import { describe, expect, it, vi } from 'vitest'
import { salienceOfAnswer, salienceOfQuery, jointSalience } from '../../../src/evidence/salience.ts'
import { openMemoryStore } from '../../../src/store/memory.ts'
import { bound, hour, models, open, say, start } from './open.ts'

it('log p(a, q | c) − log p(a, q) = Sal_a + Sal_q, with the model itself', async () => {
  const m = await models()
  const [query, memory] = ['Can I eat peanut butter?', 'I am allergic to peanuts.']
  const answers = ['No, because of the allergy.', 'Yes, of course.']
  const log = async (context: string, target: string) => (await m.logProbability([[context, target]]))[0]!

  /** The joint has a line feed between query and answer; what that adds must be the same whatever the answer is. */
  const parts = async (context: string) => {
    const ofQuery = await log(context, query)
    const rows = []
    for (const answer of answers) {
      const ofAnswer = await log(`${context}\n${query}`, answer)
      const joint = await log(context, `${query}\n${answer}`)
      rows.push({ ofAnswer, joint, lineFeed: joint - ofQuery - ofAnswer })
    }
    expect(rows[0]!.lineFeed).toBeCloseTo(rows[1]!.lineFeed, 2)
    expect(rows[0]!.lineFeed).toBeLessThanOrEqual(0.01)
    return { ofQuery, rows, lineFeed: (rows[0]!.lineFeed + rows[1]!.lineFeed) / 2 }
  }
  const [given, alone] = [await parts(memory), await parts('')]
  for (const [i] of answers.entries()) {
    const joint = given.rows[i]!.joint - given.lineFeed - (alone.rows[i]!.joint - alone.lineFeed)
    const salA = salienceOfAnswer(given.rows[i]!.ofAnswer, alone.rows[i]!.ofAnswer)
    expect(jointSalience(salA, salienceOfQuery(given.ofQuery, alone.ofQuery))).toBeCloseTo(joint, 2)
  }
})

describe('answer', () => {
  const options = ['A steak with pepper sauce.', 'A stew of lentils and vegetables.', 'Ham and eggs.']
  const query = 'What should I have for dinner?'

  it('chooses by what is known, and says how sure it is and what it rests on', async () => {
    const { memory, clock } = await open()
    await say(memory, clock, 'I am a strict vegetarian and never eat meat.', 'I collect old maps.')
    const { text, choice, probabilities, recall } = await memory.answer(query, { options })
    expect([text, choice]).toEqual([options[1], 1])
    expect(probabilities).toHaveLength(3)
    expect(probabilities.reduce((a, b) => a + b)).toBeCloseTo(1, 10)
    expect(Math.max(...probabilities)).toBe(probabilities[1])
    expect(recall.prompt).toContain('vegetarian')
    const shuffled = await memory.answer(query, { options: [options[1]!, options[2]!, options[0]!], recall })
    expect(shuffled).toMatchObject({ text: options[1], choice: 0, recall })
    expect(shuffled.probabilities[0]).toBeCloseTo(probabilities[1]!, 3)
  })

  it.each([
    [
      'I never fly, I only travel by train.',
      'How should I get to Vienna?',
      ['Book a cheap flight from Munich.', 'Take the night train with a couchette.', 'Rent a car at the airport.'],
    ],
    [
      'I work out at home and hate gyms.',
      'How can I get stronger?',
      ['Sign up at a gym with a trainer.', 'Do a workout at home with your own weight.', 'Join a class at a fitness studio.'],
    ],
  ])('chooses what agrees with what is known, where the language model alone does not see it: %s', async (known, question, choices) => {
    const { memory, clock } = await open()
    await say(memory, clock, known)
    const { choice, probabilities, recall } = await memory.answer(question, { options: choices })
    expect(choice).toBe(1)
    const m = await models()
    const { memory: alone } = await open({ models: { ...bound(m), has: { ...m.has, nli: false } } })
    expect((await alone.answer(question, { options: choices, recall })).probabilities[1]).toBeLessThan(probabilities[1]!)
    // A bare “yes” or “no” says nothing that could be compared: then the language model alone decides.
    const asking = vi.spyOn(m, 'entail')
    await memory.answer(question, { options: ['Yes', 'No'], recall })
    expect(asking).not.toHaveBeenCalled()
    asking.mockRestore()
  })

  it('reads the query alone when the gate is shut', async () => {
    const { memory, clock } = await open()
    const question = 'What is the capital of France?'
    const empty = await memory.answer(question, { tokens: 10 })
    expect(empty).toMatchObject({ choice: null, probabilities: [], recall: { needed: false } })
    expect(empty.text).toContain('Paris')
    await say(memory, clock, 'I collect old maps.')
    expect(await memory.answer(question, { tokens: 10 })).toMatchObject({ text: empty.text, recall: { needed: false } })
  })

  it('writes from what is known', async () => {
    const { memory, clock } = await open()
    await say(memory, clock, 'My dentist is Dr. Amari.')
    const { text, recall } = await memory.answer('Who is my dentist?', { tokens: 16 })
    expect(recall.needed).toBe(true)
    expect(text).toContain('Amari')
  })

  it('to no question is none, at once; among options the likeliest is chosen all the same', async () => {
    const { memory, clock } = await open()
    await say(memory, clock, 'I am a strict vegetarian and never eat meat.')
    const m = await models()
    const writing = vi.spyOn(m, 'generate')
    for (const blank of ['', ' \n\t']) {
      expect((await memory.recall(blank)).needed).toBe(false)
      expect(await memory.answer(blank)).toMatchObject({ text: '', choice: null, probabilities: [], recall: { needed: false } })
    }
    expect(writing).not.toHaveBeenCalled()
    writing.mockRestore()
    const recall = await memory.recall(query)
    expect((await memory.answer('', { options, recall })).choice).toBe(1)
  })

  it('changes nothing, works on a memory that is only read, ends when its caller does, and is refused by name without the model', async () => {
    const store = openMemoryStore()
    const writer = await open({ store })
    await say(writer.memory, writer.clock, 'I am a strict vegetarian and never eat meat.')
    const before = JSON.stringify(await store.load())
    const { memory } = await open({ store, readOnly: true })
    expect((await memory.answer(query, { options })).choice).toBe(1)
    await expect(memory.answer(query, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
    expect(JSON.stringify(await store.load())).toBe(before)

    const m = await models()
    const without = {
      ...m,
      has: { ...m.has, lm: false },
      status: () => ({ models: [], missing: [{ role: 'lm' as const, reason: 'loading' }] }),
    }
    const { memory: small } = await open({ models: without })
    await expect(small.answer(query)).rejects.toMatchObject({ code: 'ModelMissing', data: { role: 'lm' }, message: /loading/ })
    await expect(small.feedback({ query, answer: 'x' })).rejects.toMatchObject({ code: 'ModelMissing' })
  })
})

describe('learning', () => {
  const told = ['I am allergic to peanuts.', 'I drive an old Volvo.', 'I play the cello.']
  const query = 'What should be left out of the cake?'

  it('is taken back by resetLearning, to the last bit', async () => {
    const { memory, clock, store } = await open()
    await say(memory, clock, ...told)
    const before = await memory.recall(query)
    const untouched = JSON.stringify(await store.load())
    await memory.feedback({ query, answer: 'Peanuts, because of the allergy.' })
    expect((await memory.recall(query)).trace.candidates.map(c => c.score)).not.toEqual(before.trace.candidates.map(c => c.score))
    await memory.resetLearning()
    expect((await memory.recall(query)).trace.candidates.map(c => c.score)).toEqual(before.trace.candidates.map(c => c.score))
    const { generation: _1, ...after } = await store.load()
    const { generation: _2, ...original } = JSON.parse(untouched) as typeof after & { generation: number }
    expect(JSON.parse(JSON.stringify(after))).toEqual(original)
    const { memory: reader } = await open({ store, readOnly: true })
    await expect(reader.resetLearning()).rejects.toMatchObject({ code: 'ReadOnly' })
  })

  it('from much of the same keeps the gate shut for what needs no memory', async () => {
    const { memory, clock } = await open()
    await say(memory, clock, ...told)
    for (let i = 0; i < 3; i++) {
      await memory.feedback({ query, answer: 'Peanuts, because of the allergy.' })
      await memory.feedback({ query: 'Which car do I drive?', answer: 'An old Volvo.' })
    }
    for (const needless of ['What is 7 times 8?', 'Who wrote the Kalevala?']) expect((await memory.recall(needless)).needed).toBe(false)
    expect((await memory.recall('Which car do I drive?')).needed).toBe(true)
  })

  it('forgets with what is forgotten: every label of a feedback that held it, its query and its answer', async () => {
    const { memory, store } = await open()
    const feed = async () => {
      await memory.feedback({ query: 'Which number can I be reached at?', answer: 'At 555 0134.' })
      await memory.feedback({ query: 'What do I collect?', answer: 'Old maps.' })
    }
    await memory.observe({ id: 'n', text: 'My phone number is 555 0134.', at: start })
    await memory.observe({ id: 'm', text: 'I collect old maps.', at: start + hour })
    await feed()
    const said = async () => JSON.stringify({ ...(await store.load()), vectors: [] })
    const queries = async () => [...new Set((await store.load()).labels.map(label => label.query))]
    expect(await queries()).toHaveLength(2)
    await memory.forget({ turn: 'n' })
    expect(await said()).not.toContain('0134')
    // Both feedbacks had the number among their candidates.
    expect(await queries()).toEqual([])

    await feed()
    await memory.observe({ id: 'q', text: 'What do I collect?', at: start + 2 * hour })
    await memory.forget({ turn: 'q' })
    expect(await queries()).toEqual(['Which number can I be reached at?'])
    await memory.forget({ since: start + hour })
    expect(await queries()).toEqual([])
    expect((await store.load()).meta['head']).toBeUndefined()
  })
})
