/** What users ask of a memory, rows 21 to 33: nothing from the wrong source, nothing invented. */

import { describe, expect, it } from 'vitest'
import type { Entailment, Models } from '../../../src/engine/ports.ts'
import { models, open, say } from '../engine/open.ts'
import { chat } from './helpers.ts'

describe('every belief is words of the message it came from (asks 21, 22, 23)', () => {
  const messages = [
    'I moved to Tartu in March, and my brother Jan still lives in Ghent. Can you find me a good bakery?',
    'Please always answer in short sentences. I am a violin maker, and I hate early mornings!',
    'My landlord says “the rent goes up”, which worries me. I pay 900 euros.',
    'We got a puppy last week; she is called Nelly and sleeps on my shoes all day long.',
  ]
  it('of what is believed, each is a quotation of its evidence', async () => {
    const { memory } = await chat(...messages)
    const beliefs = await memory.beliefs({ past: true })
    expect(beliefs.length).toBeGreaterThanOrEqual(4)
    for (const belief of beliefs) {
      const { evidence } = await memory.explain(belief.id)
      expect(evidence.map(e => e.quote)).toContain(belief.text)
      expect(messages.some(message => message.includes(belief.text))).toBe(true)
    }
  })

  it('our own examples and headings are none', async () => {
    const { memory } = await chat('I have two cats.')
    const { prompt } = await memory.recall('Do I have pets?')
    const heading = prompt.split('\n')[1]!
    const { current } = await chat(heading, 'What can you remember?')
    expect(await current()).toEqual([])
  })
})

describe('what only the assistant says is never a belief about the person (asks 24, 25, 26)', () => {
  it('its answers, its stories of what the person did, and its guesses', async () => {
    const { memory } = await chat(
      'assistant: I love hiking in the Alps and I live in Zurich.',
      'assistant: You implemented the parser last week and you prefer tabs.',
      'What is the weather like?',
      'assistant: As a nurse, you will know how tiring night shifts are.',
      'Thanks.',
    )
    expect(await memory.beliefs({ past: true })).toEqual([])
  })

  it('and what is found of it says who wrote it', async () => {
    const { memory } = await chat(
      'Which paint should I take for the shed?',
      'assistant: For the shed I recommend the linseed paint by Ottosson.',
    )
    const { prompt, turns } = await memory.recall('Which paint did you recommend for the shed?')
    expect(turns.map(turn => turn.role)).toContain('assistant')
    expect(prompt).toMatch(/the assistant wrote.*Ottosson/)
  })
})

it('what the assistant restates and the person confirms is believed, with both messages as its sources (asks 27)', async () => {
  const { memory, current } = await chat('assistant: If I understand you right, you moved to Denver last year?', 'Yes, exactly.')
  expect(await current()).toHaveLength(1)
  const [belief] = await memory.beliefs()
  expect(belief!.text).toMatch(/moved to Denver/)
  expect((await memory.explain(belief!.id)).evidence.map(e => e.turn)).toEqual(['m0', 'm1'])
})

describe('who is only mentioned or asked about is not the person (asks 28)', () => {
  it.each([
    'Who was Hildegard of Bingen?',
    'Does Anna like opera?',
    'He moved to Oslo last year.',
    'They are vegans.',
    'Is it true that Kepler was born in Weil der Stadt?',
    'Write a letter in which Tom says that he is allergic to cats.',
  ])('%j', async text => {
    const { current } = await chat(text)
    expect(await current()).toEqual([])
  })

  it('each change is told, and can be taken back by the page', async () => {
    const { memory, say, current } = await chat()
    const events: string[] = []
    const stop = memory.subscribe(event => {
      if (event.type === 'observed') for (const change of event.changes) events.push(change.belief)
    })
    await say('I am left-handed.')
    stop()
    expect(events).toHaveLength(1)
    await memory.edit(events[0]!, 'I am right-handed.')
    expect(await current()).toEqual(['I am right-handed.'])
    await memory.retract(events[0]!)
    expect(await current()).toEqual([])
  })
})

describe('a denial keeps its sign, in the memory and in the prompt (asks 29)', () => {
  it.each([
    ['I hate cilantro.', 'Do I like cilantro?'],
    ["I don't like olives.", 'Do I like olives?'],
    ["I can't stand loud music.", 'Do I like loud music?'],
    ['I never drink alcohol.', 'Do I drink alcohol?'],
    ['I am not a fan of horror films.', 'Do I like horror films?'],
    ['I do not have any children.', 'Do I have children?'],
    ['I would rather not fly.', 'Do I like flying?'],
  ])('%j', async (text, question) => {
    const { memory, current } = await chat(text)
    expect(await current()).toEqual([text])
    const { prompt } = await memory.recall(question)
    expect(prompt).toContain(text)
  })
})

it('every message has an outcome: what was stored, or why not (asks 30)', async () => {
  const { observed } = await chat(
    'I play the oboe.',
    'I play the oboe.',
    'What is the capital of Peru?',
    'Thanks!',
    '',
    '```js\nlet x = 1\n```',
    'assistant: You are welcome.',
  )
  const outcomes = observed.map(o => o.propositions.map(p => (p.route === 'ignored' ? p.reason : p.route)))
  expect(outcomes.every(of => of.length > 0 && of.every(one => one !== undefined))).toBe(true)
  expect(outcomes.slice(0, 5).map(of => of.join())).toEqual(['profile', 'maintain', 'question', 'small-talk', 'empty'])
  expect(outcomes[6]).toEqual(['not-user'])
})

describe('broken output of a model loses nothing (asks 31, 32)', () => {
  it.each<[string, Entailment]>([
    ['no numbers', { contradiction: NaN, entailment: NaN, neutral: NaN }],
    ['too large', { contradiction: 7, entailment: -3, neutral: 0 }],
    ['infinite', { contradiction: Infinity, entailment: -Infinity, neutral: 0 }],
  ])('%s', async (_, answer) => {
    const real = await models()
    const broken: Models = Object.assign(Object.create(Object.getPrototypeOf(real) as object) as Models, real, {
      entail: async (pairs: readonly unknown[]) => pairs.map(() => answer),
    })
    const { memory, clock } = await open({ models: broken })
    await say(memory, clock, 'I live in Ghent.', 'I live in Porto now.', 'I like tea.', 'I really love tea.')
    const beliefs = await memory.beliefs({ past: true })
    expect(beliefs.length).toBeGreaterThanOrEqual(2)
    for (const { confidence } of beliefs) {
      expect(confidence).toBeGreaterThan(0)
      expect(confidence).toBeLessThanOrEqual(1)
    }
    expect((await memory.recall('Where do I live?')).prompt).toContain('Porto')
  })
})

describe('without any model there is a memory (asks 31, 32)', () => {
  it('that stores and finds by words', async () => {
    const real = await models()
    const none: Models = Object.assign(Object.create(Object.getPrototypeOf(real) as object) as Models, real, {
      has: { embedder: false, nli: false, evidence: false, lm: false },
      dimensions: 0,
    })
    const { memory, clock } = await open({ models: none })
    await say(memory, clock, 'I play the oboe.', 'My dentist is Dr. Amari.', 'Thanks!')
    expect((await memory.beliefs()).map(b => b.text).sort()).toEqual(['I play the oboe.', 'My dentist is Dr. Amari.'])
    expect((await memory.recall('Who is my dentist?')).prompt).toContain('Dr. Amari')
  })
})

describe('what is shown says when and how sure, and may be nothing (asks 33)', () => {
  it('a date and a confidence in words', async () => {
    const { memory } = await chat('My dentist is Dr. Amari.')
    expect((await memory.recall('Who is my dentist?')).prompt).toMatch(
      /- \(2026-03-02, (?:perhaps|likely|sure|certain)\) My dentist is Dr\. Amari\./,
    )
  })

  it('an outright question gets the belief that answers it, not what stands near it', async () => {
    const { memory } = await chat(
      'My office is the one in Lviv.',
      'I changed trains in Ostrava.',
      'I drive a blue van.',
      'My sister lives in Porto.',
    )
    const { beliefs } = await memory.recall('In which city is my office?')
    expect(beliefs.map(belief => belief.text)).toEqual(['My office is the one in Lviv.'])
  })

  it.each(['How much do I earn?', 'What is my blood type?', 'When is my birthday?'])(
    'nothing is said of what was never told: %j',
    async question => {
      const { memory } = await chat('My dentist is Dr. Amari.', 'I collect old maps.', 'I am learning Portuguese.', 'I drive a blue van.')
      expect(await memory.recall(question)).toMatchObject({ needed: false, prompt: '', beliefs: [], turns: [] })
    },
  )
})
