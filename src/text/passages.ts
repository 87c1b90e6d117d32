/** Pieces of a text that are searched and scored by themselves. */

import type { Span } from '../memory.ts'
import { sentences } from './sentences.ts'

/** Size of a passage: words in languages that write spaces, and Chinese, Japanese or Korean characters at a quarter of a word each. */
export const PASSAGE_WORDS = 60

/** No passage is longer than this, whatever it consists of (UTF-16 units). */
const MAX_UNITS = 1000

/**
 * Spans that together cover all of the text but white space: whole sentences, as many as fit into about 60 words (240 characters of Chinese or
 * Japanese). A sentence longer than that is cut between words. A short text is one passage, a blank one none.
 */
export function passages(text: string): Span[] {
  const found: Span[] = []
  let open: [number, number] | null = null
  let size = 0
  const close = () => {
    if (open) found.push(open)
    open = null
    size = 0
  }
  for (const piece of pieces(text)) {
    const weight = words(text.slice(...piece))
    if (weight === 0) {
      if (open) open[1] = piece[1]
      continue
    }
    if (open && (size + weight > PASSAGE_WORDS || piece[1] - open[0] > MAX_UNITS)) close()
    open = [open ? open[0] : piece[0], piece[1]]
    size += weight
  }
  close()
  return found.map(span => trimmed(text, span)).filter(([from, to]) => from < to)
}

/** Sentences, the overlong ones cut. */
function* pieces(text: string): Generator<Span> {
  for (const [start, end] of sentences(text)) {
    let from = start
    while (end - from > MAX_UNITS || words(text.slice(from, end)) > PASSAGE_WORDS) {
      const cut = cutPoint(text, from, end)
      if (cut >= end) break
      yield [from, cut]
      from = cut
    }
    yield [from, end]
  }
}

/** The last gap between words before the passage is full; inside a word (never inside a surrogate pair) when there is none. */
function cutPoint(text: string, from: number, end: number): number {
  const limit = Math.min(end, from + MAX_UNITS)
  let size = 0
  let cut = from
  for (const match of text
    .slice(from, limit)
    .matchAll(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu,
    )) {
    size += CJK.test(match[0]) ? 0.25 : 1
    if (size > PASSAGE_WORDS) break
    if (from + match.index + match[0].length < limit || limit === end) cut = from + match.index + match[0].length
  }
  if (cut > from) return cut
  return /[\uD800-\uDBFF]/.test(text[limit - 1]!) ? limit - 1 : limit
}

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

function words(text: string): number {
  const cjk = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0
  return cjk / 4 + (text.match(/[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu)?.length ?? 0)
}

function trimmed(text: string, [start, end]: Span): Span {
  while (start < end && /\s/.test(text[start]!)) start++
  while (start < end && /\s/.test(text[end - 1]!)) end--
  return [start, end]
}
