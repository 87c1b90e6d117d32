/** `parts`: what each part of the retrieval adds, on the same turns and queries, with the same scoring. */

import type { RecalledItem } from '../../src/memory.ts'
import type { BenchContext, Metrics, Result } from '../result.ts'
import type { Chat } from '../sets.ts'
import { plainCosine, plainWords } from './alone.ts'
import { credence, measure, type Remembering } from './retrieval.ts'

/** Queries of a run without `--limit`: the language model reads nine texts for each. */
const usual = 400

export async function parts(chats: Chat[], context: BenchContext): Promise<Result> {
  const { models, limit = usual } = context
  const rankedBy = (score: (item: RecalledItem) => number) => () => credence(context, score)
  const stages: Record<string, () => Promise<Remembering>> = {
    'words alone (BM25), whole turns': plainWords,
    'meaning alone (cosine), whole turns': () => plainCosine(models),
    'both fused by rank, beliefs and passages': rankedBy(({ parts }) => parts.fused),
    'and read by the evidence model, by it alone': rankedBy(({ parts }) => parts.evidence ?? parts.fused - 100),
    'all signals (controller learned)': () => credence(context),
    'and read by the language model, Sal_q (controller likelihood)': () => credence({ ...context, engine: { controller: 'likelihood' } }),
  }
  let last: Result | undefined
  const byCategory: Record<string, Metrics> = {}
  const names = Object.keys(stages)
  for (const [i, name] of names.entries()) {
    const progress: BenchContext['progress'] = (done, total) => context.progress(i * total + done, names.length * total)
    last = await measure(chats, { ...context, limit, progress }, stages[name]!)
    byCategory[name] = { n: last.n, ...last.metrics }
  }
  return { ...last!, byCategory }
}
