/** The reader (design §4.6): the language model answers from what was recalled, or from the query alone when the gate is shut. */

import type { Answer, Recall } from '../memory.ts'
import type { Models } from './ports.ts'
import { neutralise } from './prompt.ts'
import { compares, entail, reads } from './reads.ts'

export interface Reading {
  query: string
  recall: Recall
  choices: readonly string[] | undefined
  /** Most tokens written. */
  tokens: number
}

/** UTF-16 units of a query that are read: the model takes about a thousand tokens. */
const longest = 1500

export async function answerFrom(models: Models, reading: Reading, signal?: AbortSignal): Promise<Omit<Answer, 'recall'>> {
  const { query, choices, tokens } = reading
  const context = contextOf(reading)
  if (!choices) {
    // To no question there is no answer, however much the model would write.
    const text = query.trim() && (await models.generate(`${context}\n`, tokens, signal))
    return { text: text.trim(), choice: null, probabilities: [] }
  }
  const given = await models.logProbability(
    choices.map(choice => [context, choice] as const),
    signal,
  )
  const agreed = await agreement(models, choices, reading.recall, signal)
  const scores = given.map((sum, i) => sum / Math.max(1, models.countTokens(choices[i]!)) + agreed[i]!)
  const best = scores.indexOf(Math.max(...scores))
  return { text: choices[best]!, choice: best, probabilities: shares(scores) }
}

/** Nats that an option gains when a memory follows from it for sure, and loses when it contradicts one. */
const agreementWeight = 5
/** Memories that the options are compared with, at most: the best. */
const comparedMost = 8
/** Words without which “yes” or a bare name says nothing that could be compared. */
const tellingWords = 3

/**
 * How far each option agrees with what was recalled: Σ over the memories of P(the memory follows from the option) − P(the option contradicts it).
 * A small language model hardly sees what an option means for “I can’t stand crowds”; the cross-encoder does.
 */
async function agreement(models: Models, choices: readonly string[], recall: Recall, signal?: AbortSignal): Promise<number[]> {
  const agreed = choices.map(() => 0)
  if (choices.some(choice => choice.trim().split(/\s+/).length < tellingWords)) return agreed
  const known = ranked(recall)
    .filter(({ past }) => !past)
    .slice(0, comparedMost)
  const asked = choices.flatMap((choice, i) =>
    known
      .filter(({ text }) => reads(models, 'nli', choice) && compares(models, choice, text))
      .map(({ text }) => ({ i, pair: [choice, text] as const })),
  )
  const answers = await entail(
    models,
    asked.map(({ pair }) => pair),
    signal,
  )
  for (const [n, { entailment, contradiction }] of answers.entries()) {
    agreed[asked[n]!.i]! += agreementWeight * (entailment - contradiction)
  }
  return agreed
}

const ranked = ({ beliefs, turns }: Recall) => [...beliefs, ...turns].sort((a, b) => b.score - a.score)

/** In the form of a chat, as the model was trained: notes of what was recalled, then the query. */
function contextOf({ query, recall }: Reading): string {
  const notes = ranked(recall).map(({ text, past }) => `\n- ${neutralise(text)}${past ? ' (no longer true)' : ''}`)
  const system = notes.length === 0 ? '' : `<|im_start|>system\nWhat you know about the user:${notes.join('')}<|im_end|>\n`
  return `${system}<|im_start|>user\n${neutralise(query.slice(0, longest))}<|im_end|>\n<|im_start|>assistant`
}

/** Softmax. */
function shares(scores: readonly number[]): number[] {
  const top = Math.max(...scores)
  const weights = scores.map(score => Math.exp(score - top))
  const sum = weights.reduce((a, b) => a + b)
  return weights.map(weight => weight / sum)
}
