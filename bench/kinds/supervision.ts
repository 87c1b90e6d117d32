/**
 * `supervision`: the ablation table of Memory Retrieval for Changing Preferences. What the learned controller is taught by, and what it is good for,
 * by the answers that the built-in reader chooses. Taught on the even items, measured on the odd ones.
 */

import { features } from '../../src/evidence/head.ts'
import { salienceOfAnswer, salienceOfQuery } from '../../src/evidence/salience.ts'
import type { Recall, RecalledItem } from '../../src/memory.ts'
import { dot, fitChoice } from '../calibrate/choice.ts'
import { summarise, type BenchContext, type Result } from '../result.ts'
import { spread, type PreferenceItem, type PreferenceSet } from '../sets.ts'
import { chatOf, mixed, nothing, only, parts, usual } from './reader.ts'

/** Candidates that the language model reads, and memories chosen at most. */
const read = 8
const most = 5
/** Sal_a and Sal_q from which a candidate counts as evidence, in nats. */
const evident = 1

interface Case {
  item: PreferenceItem
  recall: Recall
  candidates: RecalledItem[]
  salA: number[]
}

export async function supervision(set: PreferenceSet, context: BenchContext): Promise<Result> {
  const { models, progress } = context
  const { items, distractors } = parts(set)
  const asked = spread(items, context.limit ?? usual)
  const log = (pairs: [string, string][]) => models.logProbability(pairs)

  const cases: Case[] = []
  for (const [i, item] of asked.entries()) {
    await using memory = await chatOf(item, distractors, context)
    const recall = await memory.recall(item.question)
    const candidates = [...recall.trace.candidates].sort((a, b) => b.parts.fused - a.parts.fused).slice(0, read)
    const answer = item.mcq.options[item.mcq.correct]!
    const [alone, ...given] = await log([
      [`\n${item.question}`, answer],
      ...candidates.map(({ text }): [string, string] => [`${text}\n${item.question}`, answer]),
    ])
    cases.push({ item, recall, candidates, salA: given.map(value => salienceOfAnswer(value, alone!)) })
    progress(i + 1, 2 * asked.length)
  }

  const taught = cases.filter((_, i) => i % 2 === 0)
  const bayes = headFrom(taught, ({ salA }) => salA.map(value => value > evident))
  // As many labels, by the cosine.
  const labels = taught.flatMap(({ salA }) => salA).filter(value => value > evident).length
  const least =
    taught.flatMap(({ candidates }) => candidates.map(({ parts }) => parts.cosine)).sort((a, b) => b - a)[labels - 1] ?? Infinity
  const embedded = headFrom(taught, ({ candidates }) => candidates.map(({ parts }) => parts.cosine >= least))
  const gold = headFrom(taught, ({ candidates }) => candidates.map(holds))

  const rows: Parameters<typeof summarise>[0][number][] = []
  for (const [n, { item, recall, candidates, salA }] of cases.entries()) {
    if (n % 2 === 0) continue
    const { question } = item
    const { options, right } = mixed(item, n)
    await using memory = await chatOf(item, [], context)
    const byHead = (head: number[]) => chosen(candidates, ({ parts }) => dot(head, features(parts)), 0)
    const [prior, ...given] = await log([['', question], ...candidates.map(({ text }): [string, string] => [text, question])])
    const salQ = new Map(candidates.map((candidate, i) => [candidate, salienceOfQuery(given[i]!, prior!)]))
    const variants: Record<string, RecalledItem[] | string[]> = {
      'whole engine': [...recall.beliefs, ...recall.turns].sort((a, b) => b.score - a.score),
      'head taught by Sal_a': byHead(bayes),
      'head taught by the cosine': byHead(embedded),
      'head taught by the evidence': byHead(gold),
      'without controller, by Sal_q': chosen(candidates, c => salQ.get(c)!, evident),
      'oracle, by Sal_a': chosen(candidates, c => salA[candidates.indexOf(c)]!, evident),
      'dense only': chosen(candidates, ({ parts }) => parts.cosine, -Infinity),
      'full context': [item.preference, ...distractors],
      'no memory': [],
    }
    for (const [variant, focus] of Object.entries(variants)) {
      const texts = focus.map(memory => (typeof memory === 'string' ? memory : memory.text))
      const { choice } = await memory.answer(question, { options, recall: texts.length > 0 ? only(recall, ...texts) : nothing(recall) })
      const found = focus.some(memory => (typeof memory === 'string' ? memory === item.preference : holds(memory)))
      rows.push({ category: variant, values: { accuracy: Number(choice === right), preferenceGiven: Number(found), chosen: focus.length } })
    }
    progress(asked.length + n + 1, 2 * asked.length)
  }
  return { ...summarise(rows), n: cases.length - taught.length }
}

const holds = ({ turns }: RecalledItem) => turns.includes('preference')

/** The best above the threshold. */
function chosen(candidates: readonly RecalledItem[], score: (candidate: RecalledItem) => number, threshold: number): RecalledItem[] {
  const above = candidates.filter(candidate => score(candidate) > threshold)
  return above.sort((a, b) => score(b) - score(a)).slice(0, most)
}

function headFrom(cases: readonly Case[], label: (of: Case) => boolean[]): number[] {
  return fitChoice(
    cases.map(of => ({ features: of.candidates.map(({ parts }) => features(parts)), right: label(of), weight: 1 / cases.length })),
  )
}
