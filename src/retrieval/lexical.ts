/** BM25 over everything that can be recalled, by MiniSearch, and the rarity of words in it. */

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
  readonly #texts = new Map<string, string>()
  /** Terms of each text, once each, and in how many texts each term is. */
  #terms = new Map<string, Set<string>>()
  #frequency = new Map<string, number>()

  add(id: string, text: string): void {
    this.remove(id)
    this.#index.add({ id, text })
    this.#texts.set(id, text)
    const terms = new Set(tokenize(text))
    this.#terms.set(id, terms)
    for (const term of terms) this.#frequency.set(term, (this.#frequency.get(term) ?? 0) + 1)
  }

  remove(id: string): void {
    const terms = this.#terms.get(id)
    if (!terms) return
    // A text that is only discarded goes on counting in the scores of the others, until MiniSearch cleans up; some become negative.
    this.#index.remove({ id, text: this.#texts.get(id)! })
    this.#texts.delete(id)
    this.#terms.delete(id)
    for (const term of terms) {
      const left = this.#frequency.get(term)! - 1
      if (left > 0) this.#frequency.set(term, left)
      else this.#frequency.delete(term)
    }
  }

  /** The best `limit`, best first; ties in the order of the id. `accept` leaves others out before they are ranked. */
  search(text: string, limit: number, accept?: (id: string) => boolean): LexicalHit[] {
    const terms = [...new Set(tokenize(text))]
    const found = this.#index.search(text, { tokenize: () => terms, ...(accept && { filter: result => accept(result.id as string) }) })
    const all = this.#weight(terms)
    // Best first already: only what ties with the last one may have to be put in order.
    const least = found[Math.min(limit, found.length) - 1]?.score ?? 0
    return found
      .filter(({ score }) => score >= least)
      .map(({ id, score, queryTerms }) => ({ id: id as string, score, overlap: this.#weight(queryTerms) / all }))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
  }

  /** Share of the terms of `text` that `other` has, each weighed by its rarity; ∈ [0,1]. */
  shared(text: string, other: string): number {
    const terms = [...new Set(tokenize(text))]
    const there = new Set(tokenize(other))
    const all = this.#weight(terms)
    return all > 0 ? this.#weight(terms.filter(term => there.has(term))) / all : 0
  }

  #weight(terms: readonly string[]): number {
    let sum = 0
    for (const term of terms) sum += this.#rarity(term)
    return sum
  }

  /** The idf of BM25. A word that stands nowhere counts as one that stands once: that it is unknown says nothing about the others. */
  #rarity(term: string): number {
    const n = Math.max(1, this.#frequency.get(term) ?? 0)
    return Math.log(1 + (Math.max(0, this.#terms.size - n) + 0.5) / (n + 0.5))
  }
}
