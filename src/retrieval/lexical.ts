/** BM25 over everything that can be recalled, by MiniSearch. */

import MiniSearch from 'minisearch'
import { tokenize } from './tokenize.ts'

export interface LexicalHit {
  id: string
  /** BM25. */
  score: number
  /** Share of the query's terms that were found, each weighed by its rarity; ∈ [0,1]. */
  overlap: number
}

export class LexicalIndex {
  #index = new MiniSearch<{ id: string; text: string }>({ fields: ['text'], tokenize, processTerm: term => term })

  add(id: string, text: string): void {
    this.remove(id)
    this.#index.add({ id, text })
  }

  remove(id: string): void {
    if (this.#index.has(id)) this.#index.discard(id)
  }

  /** The best `limit`, best first; ties in the order of the id. `accept` leaves others out before they are ranked. */
  search(text: string, limit: number, accept?: (id: string) => boolean): LexicalHit[] {
    const terms = [...new Set(tokenize(text))]
    const found = this.#index.search(text, { tokenize: () => terms, ...(accept && { filter: result => accept(result.id as string) }) })
    const rarity = this.#rarity(terms, found)
    let all = 0
    for (const idf of rarity.values()) all += idf
    // Best first already: only what ties with the last one may have to be put in order.
    const least = found[Math.min(limit, found.length) - 1]?.score ?? 0
    const kept = found.filter(({ score }) => score >= least)
    return kept
      .map(({ id, score, queryTerms }) => ({ id: id as string, score, overlap: sumOf(queryTerms, rarity) / all }))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
  }

  /** The idf of BM25 for each term of the query, from the documents that have it. */
  #rarity(terms: readonly string[], found: readonly { queryTerms: string[] }[]): Map<string, number> {
    const documents = new Map<string, number>(terms.map(term => [term, 0]))
    for (const { queryTerms } of found) for (const term of queryTerms) documents.set(term, documents.get(term)! + 1)
    const total = this.#index.documentCount
    for (const [term, n] of documents) {
      // A word that stands nowhere counts as one that stands once: that it is unknown says nothing about the others.
      const some = Math.max(1, n)
      documents.set(term, Math.log(1 + (Math.max(0, total - some) + 0.5) / (some + 0.5)))
    }
    return documents
  }
}

function sumOf(terms: Iterable<string>, weights: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const term of terms) sum += weights.get(term) ?? 0
  return sum
}
