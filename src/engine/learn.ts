/** Learning from an answer (design §4.7): silver labels by Sal_a, and a refit of the head. */

import { defaultHead, features } from '../evidence/head.ts'
import { feedbackOf, wasEvidence } from '../evidence/labels.ts'
import { refit } from '../evidence/learn.ts'
import { salienceOfAnswer } from '../evidence/salience.ts'
import type { Feedback, SilverLabel } from '../memory.ts'
import { asksAboutPast } from '../text/index.ts'
import { nameOf } from './candidates.ts'
import type { Change, LabelRecord } from './ports.ts'
import { needLm } from './reads.ts'
import { questionFor, recallCandidates, type RecallContext } from './recall.ts'

/** Labels kept for the refit: the last ones. */
const kept = 500
/** UTF-16 units of an answer that are kept with its labels. */
const keptOfAnswer = 4000

export async function learnFrom(
  context: RecallContext,
  { query, answer, used }: Feedback,
  at: number,
  id: string,
): Promise<{ labels: SilverLabel[]; change: Change }> {
  const { state, models, parameters: p, signal } = context
  needLm(models, 'feedback')
  const question = await questionFor(context, { query, at, exclude: new Set() }, asksAboutPast(query))
  const candidates = (await recallCandidates(context, question)).slice(0, p.salienceCandidates)
  if (candidates.length === 0) return { labels: [], change: {} }

  const [alone, ...given] = await models.logProbability(
    // As in log p(q), where the empty context leaves its line feed: only then do Sal_a and Sal_q add up.
    [[`\n${query}`, answer], ...candidates.map(c => [`${c.text}\n${query}`, answer] as const)],
    signal,
  )
  const records: LabelRecord[] = candidates.map((c, i) => ({
    id: `${id}.${i}`,
    at,
    query,
    answer: answer.slice(0, keptOfAnswer),
    item: nameOf(c),
    text: c.text,
    salienceAnswer: salienceOfAnswer(given[i]!, alone!),
    used: used?.includes(c.id) ?? false,
    features: features(c),
  }))
  const all = [...state.labels.values(), ...records]
  const outdated = all.slice(0, Math.max(0, all.length - kept)).map(label => label.id)
  const head = refit(defaultHead, all.slice(-kept).map(toSample))
  return { labels: records.map(toLabel), change: { put: { labels: records, meta: { head } }, remove: { labels: outdated } } }
}

/**
 * Labels that hold something of what is erased: a label of it, or a query or an answer with its words. Those of one feedback go together, as all of
 * them hold its query and its answer. `words` are texts of beliefs and quotations; `messages` whole turns; `since` erases what was fed back later too.
 */
export function labelsOf(
  labels: readonly LabelRecord[],
  items: ReadonlySet<string>,
  words: ReadonlySet<string>,
  messages: ReadonlySet<string>,
  since = Infinity,
): LabelRecord[] {
  const holds = (text: string | undefined) => text !== undefined && (messages.has(text) || [...words].some(word => text.includes(word)))
  const gone = new Set(
    labels
      .filter(({ item, text, query, answer, at }) => at >= since || items.has(item) || [text, query, answer].some(holds))
      .map(feedbackOf),
  )
  return labels.filter(label => gone.has(feedbackOf(label)))
}

/** The head that the labels that are left make: what was forgotten is unlearnt. */
export function relearn(labels: readonly LabelRecord[]): number[] | undefined {
  return labels.length > 0 ? refit(defaultHead, labels.map(toSample)) : undefined
}

function toSample(label: LabelRecord) {
  return { features: label.features, target: wasEvidence(label) ? 1 : 0 }
}

function toLabel({ query, item, text, salienceAnswer, used }: LabelRecord): SilverLabel {
  return { query, item, text, salienceAnswer, used }
}
