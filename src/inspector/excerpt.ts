/** A message cut down to the words that matter, which are marked. */

import type { Span } from '../memory.ts'

export interface Piece {
  text: string
  marked: boolean
}

/** Characters shown around marked words. */
const around = 160

/** The text in pieces, in its order; of a long text what is far from every span is left out, with "…" in its place. */
export function excerpt(text: string, spans: readonly Span[]): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const [start, end] of joined(spans, text.length)) {
    if (start > from) pieces.push({ text: between(text, from, start, pieces.length === 0), marked: false })
    pieces.push({ text: text.slice(start, end), marked: true })
    from = end
  }
  if (from < text.length) {
    const rest = text.slice(from)
    const kept = pieces.length === 0 ? 2 * around : around
    pieces.push({ text: rest.length > kept ? `${head(rest, kept)}…` : rest, marked: false })
  }
  return pieces
}

function between(text: string, from: number, to: number, first: boolean): string {
  const gap = text.slice(from, to)
  if (first) return gap.length > around ? `…${tail(gap, around)}` : gap
  return gap.length > 2 * around ? `${head(gap, around)}…${tail(gap, around)}` : gap
}

/** In order, without overlap, inside the text. */
function joined(spans: readonly Span[], length: number): [number, number][] {
  const result: [number, number][] = []
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    const to = Math.min(end, length)
    if (last && start <= last[1]) last[1] = Math.max(last[1], to)
    else if (start < to) result.push([start, to])
  }
  return result
}

/** Neither takes half a surrogate pair. */
const head = (text: string, n: number) => text.slice(0, lowSurrogate(text, n) ? n - 1 : n)
const tail = (text: string, n: number) => text.slice(lowSurrogate(text, text.length - n) ? text.length - n + 1 : text.length - n)
const lowSurrogate = (text: string, i: number) => (text.charCodeAt(i) & 0xfc00) === 0xdc00
