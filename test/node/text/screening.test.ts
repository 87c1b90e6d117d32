/** Screening with the real embedder, on messages that are in no training data. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Models } from '../../../src/engine/ports.ts'
import { openNodeModels } from '../../../src/models/node.ts'
import { propositions, screen, screenByRule, type Screening } from '../../../src/text/index.ts'

let models: Models
beforeAll(async () => {
  models = await openNodeModels({ modelsDir: 'models', roles: ['embedder'] })
})
afterAll(() => models.dispose())

async function screened(message: string): Promise<(Screening & { text: string })[]> {
  const units = propositions(message)
  const vectors = await models.embed(
    units.map(p => p.text),
    'passage',
  )
  return units.map((p, i) => ({ text: p.text, ...(screenByRule(p, { message }) ?? screen(p, { message, embedding: vectors[i] })) }))
}
const kept = async (message: string) => (await screened(message)).filter(s => s.keep).map(s => s.text)

describe('what a person says about themselves is kept', () => {
  it.each([
    'I drink my coffee black.',
    "I'm a midwife and I work nights.",
    'My daughter is allergic to walnuts.',
    'We adopted a three-legged cat called Biscuit.',
    'I moved from Bergen to Tromsø in August.',
    'I gave up smoking two months ago.',
    'My bike got stolen so I take the bus now.',
    'I have never liked olives.',
    'My budget for the kitchen is 9,000 euros.',
    'I turned 41 in May.',
    'I use Vim for everything.',
    "I'm learning Basque.",
    'My landlord is called Mr Iversen.',
    'I am scared of dogs.',
    'I run twenty kilometres every Sunday.',
  ])('%j', async message => {
    expect(await kept(message)).not.toEqual([])
  })
})

describe('polarity (ask 29): whatever is kept are the words themselves', () => {
  it.each([
    'I hate cilantro.',
    "I don't like cilantro.",
    "I can't stand cilantro.",
    'I never eat cilantro.',
    "I'm not a fan of cilantro.",
    'Cilantro is not for me, I avoid it.',
    'I used to love cilantro but not any more.',
  ])('%j', async message => {
    expect(await kept(message)).toEqual([message])
  })
})

it('keeps facts about the world that a person states', async () => {
  for (const message of [
    'The head office of Norbolt is in Aarhus.',
    'Lena Brandt is the director of the museum.',
    'Our fiscal year starts in April.',
  ]) {
    expect(await kept(message)).toEqual([message])
  }
})

it('takes a single act for a hint', async () => {
  for (const message of ['Had a mint tea today and it felt good.', 'Another flat white, please.']) {
    const [only] = await screened(message)
    expect(only).toMatchObject({ keep: true, origin: 'latent' })
  }
})

it('keeps the statement of a message that also asks', async () => {
  expect(await kept("I'm coeliac, what bread can I bake? Thanks!")).toEqual(["I'm coeliac"])
  expect(await kept('What should I pack, considering I always travel with a pushchair?')).toEqual(['I always travel with a pushchair'])
})

it('stores nothing from chit-chat and one-off requests (ask 16)', async () => {
  const chat = [
    'Hi there!',
    'How are you today?',
    'That is so cool, thanks for telling me!',
    'Haha, good one.',
    'Wow, what a great picture!',
    'Sounds like a plan, see you later!',
    'You did a great job.',
    'Could you say that again?',
    'Write me a limerick about a goose.',
    'what is the boiling point of ethanol',
    'translate the second paragraph into Dutch',
    'Make the tone a bit warmer.',
    'Give me ten names for a bakery',
    'explain quicksort step by step',
    'continue',
    'Why does my code throw a null pointer exception?',
    'Ok, next question.',
    'Congratulations, that must feel amazing!',
    'I totally agree with you.',
    "That's hilarious!",
    'Compare Rust and Go in a table',
    'Fix the grammar: he go to school yesterday',
    'Imagine you are a pirate.',
    'If I were a bird I would fly south.',
    'Is Lagos bigger than Cairo?',
    'Does Anna Petrova speak Greek?',
  ]
  const stored = []
  for (const message of chat) stored.push(...(await kept(message)))
  expect(stored).toEqual([])
})
