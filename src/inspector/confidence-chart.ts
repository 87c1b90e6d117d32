/** The confidence of a belief over the person's messages, as steps, with the route of each change. The same is told in words beside it. */

import { svg, html, type TemplateResult } from 'lit'
import type { TrailPoint } from '../memory.ts'
import type { Language } from './language.ts'
import { mark } from './marks.ts'
import { causeOf } from './route-of.ts'

const width = 360
const height = 120
const plot = { left: 30, right: 350, top: 10, bottom: 98 }

export function confidenceChart(trail: readonly TrailPoint[], promoteAt: number, language: Language): TemplateResult {
  const first = trail[0]!
  const last = trail.at(-1)!
  const span = Math.max(1, last.tick - first.tick)
  const x = ({ tick }: TrailPoint) => plot.left + ((plot.right - plot.left) * (tick - first.tick)) / span
  const y = (confidence: number) => plot.bottom - (plot.bottom - plot.top) * confidence
  const steps = trail.map((point, i) => `${i === 0 ? 'M' : `H${x(point)} L`}${x(point)} ${y(point.confidence)}`).join(' ')
  const label = language.text('chart', {
    first: language.fixed(first.confidence),
    from: language.number(first.tick),
    last: language.fixed(last.confidence),
    to: language.number(last.tick),
    count: language.number(trail.length),
  })
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label=${label}>
    ${[0, 0.5, 1].map(
      level =>
        svg`<line class="grid" x1=${plot.left} x2=${plot.right} y1=${y(level)} y2=${y(level)}></line>
          <text x=${plot.left - 6} y=${y(level) + 4} text-anchor="end">${language.number(level, level === 0.5 ? 1 : 0)}</text>`,
    )}
    <line class="limit" x1=${plot.left} x2=${plot.right} y1=${y(promoteAt)} y2=${y(promoteAt)}></line>
    <text x=${plot.left} y=${height - 6}>${language.text('message', { n: language.number(first.tick) })}</text>
    ${
      last.tick > first.tick
        ? svg`<text x=${plot.right} y=${height - 6} text-anchor="end">${language.text('message', { n: language.number(last.tick) })}</text>`
        : ''
    }
    <path class="line" d=${steps}></path>
    ${trail.map(point => mark(causeOf(point, promoteAt), x(point), y(point.confidence)))}
  </svg>`
}
