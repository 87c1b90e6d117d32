/** `peers`: what a page would use instead, on the same turns and queries, with the same scoring, in one run. */

import { readFileSync } from 'node:fs'
import MiniSearch from 'minisearch'
import { at } from '../../scripts/layout.mjs'
import { cosine } from '../../src/retrieval/semantic.ts'
import type { BenchContext, Metrics, Result } from '../result.ts'
import type { Chat } from '../sets.ts'
import { credence, measure, type Remembering } from './retrieval.ts'

const { devDependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { devDependencies: Record<string, string> }

interface Peer {
  name: string
  open(context: BenchContext): Promise<Remembering>
}

const systems: readonly Peer[] = [
  { name: 'credence', open: credence },
  { name: `minisearch ${devDependencies['minisearch']}`, open: miniSearch },
  { name: 'cosine, bge-small-en-v1.5', open: plainCosine },
]

export async function peers(chats: Chat[], context: BenchContext): Promise<Result> {
  const results: Result[] = []
  const byCategory: Record<string, Metrics> = {}
  for (const { name, open } of systems) {
    const progress: BenchContext['progress'] = (done, total) => context.progress(results.length * total + done, systems.length * total)
    const result = await measure(chats, { ...context, progress }, () => open(context))
    results.push(result)
    byCategory[name] = { n: result.n, ...result.metrics }
  }
  const [own] = results as [Result]
  return { n: own.n, metrics: own.metrics, intervals: own.intervals, byCategory, items: own.items! }
}

/** Words, as the library has them when nothing is set. */
async function miniSearch(): Promise<Remembering> {
  const index = new MiniSearch<{ id: string; text: string }>({ fields: ['text'] })
  return {
    put: async ({ text, speaker }, id) => index.add({ id, text: attributed(text, speaker) }),
    ask: async query => ({ ranking: index.search(query).map(hit => hit.id as string), needed: null }),
    close: async () => undefined,
  }
}

/** Vectors of the same embedder that credence uses, a whole turn each, all compared. Vector stores for the browser do this and no more. */
async function plainCosine({ models }: BenchContext): Promise<Remembering> {
  const turns: { id: string; vector: Float32Array }[] = []
  return {
    async put({ text, speaker }, id) {
      const [vector] = await models.embed([attributed(text, speaker)], 'passage')
      turns.push({ id, vector: vector! })
    },
    async ask(query) {
      const [vector] = await models.embed([query], 'query')
      const scored = turns.map(turn => ({ id: turn.id, score: cosine(vector!, turn.vector) }))
      return { ranking: scored.sort((a, b) => b.score - a.score).map(turn => turn.id), needed: null }
    },
    close: async () => undefined,
  }
}

const attributed = (text: string, speaker: string | undefined) => (speaker === undefined ? text : `${speaker}: ${text}`)
