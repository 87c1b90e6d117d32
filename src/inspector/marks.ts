/** The sign of each route, the same in charts and lists: a shape, so that colour is not all there is. */

import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit'
import type { Cause } from './route-of.ts'

const shapes: { readonly [C in Cause]: string } = {
  maintain: 'M0-4A4 4 0 1 1 0 4A4 4 0 1 1 0-4Z',
  profile: 'M0-5L5 0L0 5L-5 0Z',
  correct: 'M-4-4H4V4H-4Z',
  lifecycle: 'M0-4.5L4.5 4H-4.5Z',
  hand: 'M-4-4L4 4M4-4L-4 4',
}

export const mark = (cause: Cause, x: number, y: number): SVGTemplateResult =>
  svg`<path class="mark ${cause}" d=${shapes[cause]} transform="translate(${x} ${y})"></path>`

export const markIcon = (cause: Cause): TemplateResult =>
  html`<svg class="mark-icon" viewBox="-6 -6 12 12" aria-hidden="true">${mark(cause, 0, 0)}</svg>`
