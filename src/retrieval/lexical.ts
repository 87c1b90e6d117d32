/** BM25 over everything that can be recalled, by MiniSearch, and the rarity of words in it. */

import MiniSearch from 'minisearch'
import { bestFirst } from './rank.ts'
import { tokenize } from './tokenize.ts'

export interface LexicalHit {
  id: string
  /** BM25. */
  score: number
  /** Share of the query's terms that were found, each weighed by its rarity; ∈ [0,1]. */
  overlap: number
}

/**
 * Places in texts that one search looks at. In a memory of many thousand texts a word like “work” stands in a tenth of them: the rarer words of a
 * question, which tell more, are looked up first, and a search takes no longer than this.
 */
const mostPlaces = 4_000

export class LexicalIndex {
  /** Of terms joined by spaces, which no term has. */
  #index = new MiniSearch<{ id: string; terms: string }>({ fields: ['terms'], tokenize: split, processTerm: term => term })
  readonly #terms = new Map<string, string>()
  /** In how many texts each term is. */
  #frequency = new Map<string, number>()

  add(id: string, text: string): void {
    this.remove(id)
    const terms = tokenize(text)
    const joined = terms.join(' ')
    this.#index.add({ id, terms: joined })
    this.#terms.set(id, joined)
    for (const term of new Set(terms)) this.#frequency.set(term, (this.#frequency.get(term) ?? 0) + 1)
  }

  remove(id: string): void {
    const terms = this.#terms.get(id)
    if (terms === undefined) return
    // A text that is only discarded goes on counting in the scores of the others, until MiniSearch cleans up; some become negative.
    this.#index.remove({ id, terms })
    this.#terms.delete(id)
    for (const term of new Set(split(terms))) {
      const left = this.#frequency.get(term)! - 1
      if (left > 0) this.#frequency.set(term, left)
      else this.#frequency.delete(term)
    }
  }

  /**
   * The best `limit`, best first; ties in the order of the id. `accept` leaves others out before they are ranked. Without a limit every text that
   * shares a word is found, however many have it.
   */
  search(text: string, limit: number, accept?: (id: string) => boolean): LexicalHit[] {
    const terms = [...new Set(tokenize(text))]
    const looked = Number.isFinite(limit) ? this.#affordable(terms) : terms
    const found = this.#index.search(text, { tokenize: () => looked, ...(accept && { filter: result => accept(result.id as string) }) })
    const all = this.#weight(terms)
    // Best first already: only what ties with the last one may have to be put in order.
    const least = found[Math.min(limit, found.length) - 1]?.score ?? 0
    return found
      .filter(({ score }) => score >= least)
      .map(({ id, score }) => ({ id: id as string, score }))
      .sort(bestFirst)
      .slice(0, limit)
      .map(hit => {
        const there = new Set(split(this.#terms.get(hit.id)!))
        return { ...hit, overlap: this.#weight(terms.filter(term => there.has(term))) / all }
      })
  }

  /** Share of the terms of `text` that `other` has, each weighed by its rarity; ∈ [0,1]. */
  shared(text: string, other: string): number {
    const terms = [...new Set(tokenize(text))]
    const there = new Set(tokenize(other))
    const all = this.#weight(terms)
    return all > 0 ? this.#weight(terms.filter(term => there.has(term))) / all : 0
  }

  /** The rarest terms that together stand in no more than `mostPlaces` texts; the rarest one in any case. */
  #affordable(terms: readonly string[]): string[] {
    const frequency = (term: string) => this.#frequency.get(term) ?? 0
    let places = 0
    const rarest = [...terms].sort((a, b) => frequency(a) - frequency(b))
    const chosen = new Set(rarest.filter((term, i) => (places += frequency(term)) <= mostPlaces || i === 0))
    return terms.filter(term => chosen.has(term))
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

const split = (terms: string) => (terms === '' ? [] : terms.split(' '))
