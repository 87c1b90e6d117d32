/** N_eff as a line over the messages, and the changes by route as stacked columns under it. */

import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit'
import type { Language } from './language.ts'
import { markIcon } from './marks.ts'
import type { Interval } from './over-time.ts'
import type { Cause } from './route-of.ts'

const width = 480
const height = 150
const plot = { left: 40, right: 474, top: 10, bottom: 128 }
const shown: readonly Cause[] = ['maintain', 'profile', 'correct', 'hand']

export const total = (intervals: readonly Interval[], cause: Cause) => intervals.reduce((sum, { changes }) => sum + changes[cause], 0)

export function effectiveChart(intervals: readonly Interval[], language: Language): TemplateResult {
  const most = Math.max(1, ...intervals.map(({ effective }) => effective))
  const points = intervals.map(({ effective }, i) => `${middle(i, intervals.length)} ${y(effective, most)}`)
  const label = language.text('effectiveChart', {
    ...range(intervals, language),
    last: language.number(intervals.at(-1)!.effective, 1),
    most: language.number(Math.max(...intervals.map(({ effective }) => effective)), 1),
  })
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label=${label}>
    ${axes(intervals, most, language)}
    <path class="line" d=${`M${points.join(' L')}`}></path>
    ${points.length === 1 ? svg`<circle class="point" r="4" cx=${middle(0, 1)} cy=${y(intervals[0]!.effective, most)}></circle>` : ''}
  </svg>`
}

export function routesChart(intervals: readonly Interval[], language: Language): TemplateResult {
  const most = Math.max(1, ...intervals.map(({ changes }) => shown.reduce((sum, cause) => sum + changes[cause], 0)))
  const counts = Object.fromEntries(shown.map(cause => [cause, language.number(total(intervals, cause))]))
  return html`<svg
      class="chart"
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label=${language.text('routesChart', { ...range(intervals, language), ...counts })}
    >
      ${axes(intervals, most, language)} ${intervals.map((interval, i) => column(interval, i, intervals.length, most))}
    </svg>
    <ul class="plain legend" aria-hidden="true">
      ${shown.map(cause => html`<li>${markIcon(cause)} ${cause === 'hand' ? language.text('byHand') : cause.toUpperCase()} ${counts[cause]}</li>`)}
    </ul>`
}

const slot = (count: number) => (plot.right - plot.left) / count
const middle = (i: number, count: number) => plot.left + slot(count) * (i + 0.5)
const y = (value: number, most: number) => plot.bottom - ((plot.bottom - plot.top) * value) / most

function column({ changes }: Interval, i: number, count: number, most: number): SVGTemplateResult[] {
  let below = 0
  return shown.flatMap(cause => {
    const from = below
    below += changes[cause]
    if (changes[cause] === 0) return []
    const box = {
      x: middle(i, count) - slot(count) * 0.4,
      y: y(below, most),
      width: slot(count) * 0.8,
      height: y(from, most) - y(below, most),
    }
    return svg`<rect class="column ${cause}" x=${box.x} y=${box.y} width=${box.width} height=${box.height}></rect>`
  })
}

function axes(intervals: readonly Interval[], most: number, language: Language): SVGTemplateResult {
  const { from, to } = range(intervals, language)
  return svg`${[0, most / 2, most].map(
    level =>
      svg`<line class="grid" x1=${plot.left} x2=${plot.right} y1=${y(level, most)} y2=${y(level, most)}></line>
        <text x=${plot.left - 6} y=${y(level, most) + 4} text-anchor="end">${language.number(level, most < 10 && level % 1 !== 0 ? 1 : 0)}</text>`,
  )}
    <text x=${plot.left} y=${height - 6}>${language.text('message', { n: from })}</text>
    <text x=${plot.right} y=${height - 6} text-anchor="end">${language.text('message', { n: to })}</text>`
}

function range(intervals: readonly Interval[], language: Language): { from: string; to: string } {
  return { from: language.number(1), to: language.number(intervals.at(-1)!.tick) }
}
