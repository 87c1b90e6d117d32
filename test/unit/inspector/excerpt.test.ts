import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excerpt } from '../../../src/inspector/excerpt.ts'

const shown = (text: string, spans: [number, number][]) =>
  excerpt(text, spans)
    .map(({ text, marked }) => (marked ? `[${text}]` : text))
    .join('')

describe('the words a belief rests on are marked in their message', () => {
  it('marks each span, joins those that touch, and keeps what is around', () => {
    expect(shown('I live in Oslo, and I ski.', [[0, 14]])).toBe('[I live in Oslo], and I ski.')
    expect(
      shown('I live in Oslo, and I ski.', [
        [20, 25],
        [0, 14],
      ]),
    ).toBe('[I live in Oslo], and [I ski].')
    expect(
      shown('abcdef', [
        [1, 3],
        [2, 5],
        [5, 6],
      ]),
    ).toBe('a[bcdef]')
    expect(shown('none', [])).toBe('none')
    expect(shown('short', [[3, 99]])).toBe('sho[rt]')
  })

  it('leaves out what is far away, and never half a character', () => {
    const far = '😀'.repeat(200)
    const cut = shown(`${far}I ski.${far}`, [[400, 406]])
    expect(cut).toBe(`…${'😀'.repeat(80)}[I ski.]${'😀'.repeat(80)}…`)
    const pieces = excerpt(`a${far}I ski.${far}`, [[401, 407]])
    expect(pieces.every(({ text }) => text.isWellFormed())).toBe(true)
  })

  it('marks exactly the characters inside the spans', () => {
    const span = fc.tuple(fc.nat(60), fc.nat(60)).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)])
    fc.assert(
      fc.property(fc.string({ maxLength: 50 }), fc.array(span, { maxLength: 5 }), (text, spans) => {
        const pieces = excerpt(text, spans)
        expect(pieces.map(piece => piece.text).join('')).toBe(text)
        const marked = pieces.flatMap(piece => Array.from({ length: piece.text.length }, () => piece.marked))
        expect(marked).toEqual(Array.from({ length: text.length }, (_, i) => spans.some(([start, end]) => start <= i && i < end)))
      }),
    )
  })
})
