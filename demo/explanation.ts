/** Why something is believed: the words it rests on, and how its confidence went. */

import type { Explanation, TrailPoint } from 'credence'
import { el } from './dom.ts'
import { fixed, time } from './format.ts'

export function explanation({ evidence, trail, supersededBy }: Explanation): HTMLElement {
  return el(
    'div',
    { class: 'why' },
    supersededBy && el('p', {}, 'Replaced by ', el('q', {}, supersededBy.text)),
    el('h3', {}, 'Evidence'),
    evidence.length === 0
      ? el('p', { class: 'muted' }, 'None left.')
      : el(
          'ul',
          { class: 'plain' },
          ...evidence.map(({ stance, strength, quote, role, at }) =>
            el(
              'li',
              {},
              el('q', {}, quote),
              ' ',
              el(
                'span',
                { class: 'muted' },
                `${stance}, strength ${fixed(strength)}, said by ${role === 'user' ? 'you' : `the ${role}`}, ${time(at)}`,
              ),
            ),
          ),
        ),
    el('h3', {}, 'Confidence'),
    trail.length > 1 && curve(trail),
    el(
      'ol',
      { class: 'plain numbers' },
      ...trail.map(({ tick, kind, confidence, replaced }) =>
        el(
          'li',
          {},
          `message ${tick}: ${kind}, ${fixed(confidence)}`,
          replaced !== undefined && ' instead of ',
          replaced && el('q', {}, replaced),
        ),
      ),
    ),
  )
}

/** Confidence over the user's messages, as steps; the same is told in words below it. */
function curve(trail: readonly TrailPoint[]): SVGElement {
  const first = trail[0]?.tick ?? 0
  const width = Math.max(1, (trail.at(-1)?.tick ?? 0) - first)
  const x = (point: TrailPoint) => ((100 * (point.tick - first)) / width).toFixed(1)
  const y = (point: TrailPoint) => (1 + 38 * (1 - point.confidence)).toFixed(1)
  const steps = trail.map((point, i) => (i === 0 ? `M${x(point)} ${y(point)}` : `H${x(point)} V${y(point)}`))
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', steps.join(' '))
  svg.setAttribute('viewBox', '0 0 100 40')
  svg.setAttribute('preserveAspectRatio', 'none')
  svg.setAttribute('class', 'curve')
  svg.setAttribute('aria-hidden', 'true')
  svg.append(path)
  return svg
}
