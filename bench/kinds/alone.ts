/** Turns ranked by one thing alone. */

import type { Models } from '../../src/engine/ports.ts'
import { LexicalIndex } from '../../src/retrieval/lexical.ts'
import { cosine } from '../../src/retrieval/semantic.ts'
import { attributed, type Remembering } from './retrieval.ts'

/** A whole turn a vector, all compared. Vector stores for the browser do this and no more. */
export async function plainCosine(models: Pick<Models, 'embed'>): Promise<Remembering> {
  const turns: { id: string; vector: Float32Array }[] = []
  return {
    async put({ text, speaker }, id) {
      const [vector] = await models.embed([attributed(text, speaker)], 'passage')
      turns.push({ id, vector: vector! })
    },
    async ask(query) {
      const [vector] = await models.embed([query], 'query')
      const scored = turns.map(turn => ({ id: turn.id, score: cosine(vector!, turn.vector) }))
      return { ranking: scored.sort((a, b) => b.score - a.score).map(turn => turn.id), given: null }
    },
    close: async () => undefined,
  }
}

/** BM25 of whole turns, by the words as credence takes them. */
export async function plainWords(): Promise<Remembering> {
  const index = new LexicalIndex()
  return {
    put: async ({ text, speaker }, id) => index.add(id, attributed(text, speaker)),
    ask: async query => ({ ranking: index.search(query, Infinity).map(hit => hit.id), given: null }),
    close: async () => undefined,
  }
}
