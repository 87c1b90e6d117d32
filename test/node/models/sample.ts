/** The questions that the parity test puts to the models in Node and in the browser. */

import type { Models } from '../../../src/engine/ports.ts'

const said = [
  'I moved to Denver last week.',
  'My favourite drink is green tea with honey.',
  'We adopted a grey cat called Biscuit.',
  'I gave up meat two years ago.',
  'On Thursdays I play the cello in a small orchestra.',
  'My brother is a pilot and hardly ever at home.',
  'I am allergic to peanuts and to most kinds of shellfish.',
  'The doctor told me to walk for half an hour every day.',
  'I no longer work at the bank; since May I bake bread.',
  'Our daughter starts school in September.',
]
const asked = ['Where do I live?', 'What should I cook tonight?']
const claims = ['I live in Boston and eat everything.', 'I take long walks.']

export interface Answers {
  vectors: number[][]
  entailments: number[][]
  logits: number[]
  /** Per token. */
  logProbabilities: number[]
}

/** Twenty of each kind. */
export async function answersOf(models: Models): Promise<Answers> {
  const logits: number[] = []
  for (const question of asked) logits.push(...(await models.relevance(question, said)))
  const pairs = said.flatMap(text => asked.map(question => [text, question] as const))
  const sums = await models.logProbability(pairs)
  return {
    vectors: [...(await models.embed(said, 'passage')), ...(await models.embed(said, 'query'))].map(vector => [...vector]),
    entailments: (await models.entail(said.flatMap(text => claims.map(claim => [text, claim] as const)))).map(Object.values),
    logits,
    logProbabilities: sums.map((sum, k) => sum / models.countTokens(pairs[k]![1])),
  }
}
