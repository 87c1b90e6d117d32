/** Curves as SVG files: plain lines, each named at its end, readable on a light and on a dark page. */

import type { Curve } from './result.ts'

const [width, height] = [720, 360]
const box = { left: 64, right: 536, top: 40, bottom: 310 }
/** Told apart by people who see colours differently (Okabe and Ito). */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#999999', '#000000', '#7a5195', '#8c564b']

export function lineChart({ title, x, y, lines }: Curve): string {
  const points = lines.flatMap(line => line.points)
  const xs = ticks(Math.min(0, ...points.map(point => point[0])), Math.max(0, ...points.map(point => point[0])))
  const ys = ticks(Math.min(0, ...points.map(point => point[1])), Math.max(0, ...points.map(point => point[1])))
  const across = scale(xs, box.left, box.right)
  const up = scale(ys, box.bottom, box.top)
  const grid = [
    ...ys.map(
      value =>
        `<path class="grid" d="M${box.left} ${up(value)}H${box.right}"/><text x="${box.left - 6}" y="${up(value) + 4}" text-anchor="end">${short(value)}</text>`,
    ),
    ...xs.map(value => `<text x="${across(value)}" y="${box.bottom + 16}" text-anchor="middle">${short(value)}</text>`),
  ]
  const drawn = lines.map(({ points }, i) => {
    const path = points.map(([a, b], n) => `${n === 0 ? 'M' : 'L'}${across(a)} ${up(b)}`).join('')
    return `<path fill="none" stroke="${colours[i % colours.length]}" stroke-width="2" d="${path}"/>`
  })
  const names = apart(lines.map(({ points }) => up(points.at(-1)?.[1] ?? 0))).map(
    (at, i) =>
      `<text x="${box.right + 8}" y="${at + 4}" fill="${colours[i % colours.length]}" font-weight="600">${escape(lines[i]!.name)}</text>`,
  )
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(title)}">`,
    '<style>text{font:12px system-ui,sans-serif}.grid{stroke:#ddd;fill:none}</style>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${box.left}" y="22" font-size="14" font-weight="600">${escape(title)}</text>`,
    ...grid,
    ...drawn,
    ...names,
    `<text x="${(box.left + box.right) / 2}" y="${height - 12}" text-anchor="middle">${escape(x)}</text>`,
    `<text transform="translate(16 ${(box.top + box.bottom) / 2}) rotate(-90)" text-anchor="middle">${escape(y)}</text>`,
    '</svg>',
  ].join('\n')}\n`
}

/** Round numbers that take in the range. */
function ticks(from: number, to: number): number[] {
  const raw = (to - from || 1) / 5
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = [1, 2, 5, 10].map(n => n * power).find(n => n >= raw)!
  const start = Math.floor(from / step)
  return Array.from({ length: Math.ceil(to / step - 1e-9) - start + 1 || 1 }, (_, i) => (start + i) * step)
}

function scale(values: readonly number[], from: number, to: number): (value: number) => number {
  const [low, high] = [values[0]!, values.at(-1)!]
  return value => Math.round((from + ((value - low) / (high - low || 1)) * (to - from)) * 10) / 10
}

/** Heights moved so that no two names lie on each other. */
function apart(heights: readonly number[]): number[] {
  const moved = [...heights]
  const order = heights.map((_, i) => i).sort((a, b) => heights[a]! - heights[b]!)
  order.forEach((i, n) => {
    if (n > 0) moved[i] = Math.max(moved[i]!, moved[order[n - 1]!]! + 15)
  })
  return moved
}

const short = (value: number) =>
  Math.abs(value) >= 1000 ? `${Number((value / 1000).toPrecision(3))}k` : String(Number(value.toPrecision(3)))

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
