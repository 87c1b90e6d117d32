/** Sentence boundaries: Unicode's rules as the platform has them, with their known faults repaired. */

import type { Span } from '../memory.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** Words that end in a full stop without ending a sentence. */
const ABBREVIATION =
  /(?:^|[\s("'“])(?:mr|mrs|ms|dr|prof|sr|jr|st|vs|etc|no|nr|approx|dept|est|fig|inc|ltd|co|mt|ave|e\.g|i\.e|a\.m|p\.m|z\.b|d\.h|u\.a|bzw|ca|usw|hr|fr|sra|srta|dra|ud|uds|p\.ej|[a-z]|(?:[a-z]\.)+[a-z])\.\s*$/i
/** A list mark that stands alone: “1.”, “a)”, “-”, “•”. */
const LIST_MARK = /^\s*(?:[-*•–·]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s*$/i
/** A sentence that runs on in a chat without a space: “I moved.I love it”. */
const NO_SPACE = /[\p{Ll}]{3}[.!?](?=(?:I|My|We|You|The|It|He|She|They|But|And|So)\b)/u

/**
 * Sentences of `text` between `start` and `end`, in order, lazily. White space and list marks at their edges may be included.
 */
export function* sentences(text: string, start = 0, end = text.length): Generator<Span> {
  let open: [number, number] | null = null
  for (const [from, to] of segments(text, start, end)) {
    if (open && joins(text.slice(Math.max(open[0], from - 40), from), text.slice(from, to), open[1] - open[0])) open[1] = to
    else {
      if (open) yield* unglued(text, open)
      open = [from, to]
    }
  }
  if (open) yield* unglued(text, open)
}

/** The segmenter's time grows with the square of its input in V8, so it gets windows; the last sentence of each is looked at again in the next. */
const WINDOW = 4000

function* segments(text: string, start: number, end: number): Generator<Span> {
  for (;;) {
    // Blank stretches are passed over at once.
    while (start < end && /\s/.test(text[start]!)) start++
    if (start === end) return
    let stop = Math.min(end, start + WINDOW)
    if (stop < end && /[\uD800-\uDBFF]/.test(text[stop - 1]!)) stop--
    const found: Span[] = []
    for (const { segment, index } of segmenter.segment(text.slice(start, stop))) found.push([start + index, start + index + segment.length])
    if (stop < end && found.length > 1) found.pop()
    start = found.at(-1)![1]
    for (const span of found) if (/\S/.test(text.slice(...span))) yield span
  }
}

/** Whether the boundary between `before` (its last 40 units) and `after` is a false one. */
function joins(before: string, after: string, length: number): boolean {
  if (!/[\p{L}\p{N}]/u.test(after)) return true // closing quotes, emoji
  if (length <= 8 && LIST_MARK.test(before)) return true
  if (/\n\s*\n\s*$/.test(before)) return false
  const lower = /^\s*\p{Ll}/u.test(after)
  // A hard line break within a sentence: a long line, no closing mark, and the next goes on in lower case.
  if (/[\n\r]\s*$/.test(before)) return lower && length > 50 && !/[.!?…:;。！？"”)]\s*$/.test(before)
  if (/(?:\.\.\.|…)\s*$/.test(before)) return lower
  return ABBREVIATION.test(before)
}

function* unglued(text: string, [start, end]: [number, number]): Generator<Span> {
  for (;;) {
    const match = NO_SPACE.exec(text.slice(start, Math.min(end, start + 2000)))
    if (!match) break
    const cut = start + match.index + match[0].length
    yield [start, cut]
    start = cut
  }
  yield [start, end]
}
