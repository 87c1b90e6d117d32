/** Why something is believed: the messages with the words it rests on, how its confidence moved, and what was believed before and after. */

import { html, nothing, type TemplateResult } from 'lit'
import type { Belief, Explanation, TrailPoint } from '../memory.ts'
import { confidenceChart } from './confidence-chart.ts'
import { quote } from './context.ts'
import { excerpt } from './excerpt.ts'
import type { Language } from './language.ts'
import { markIcon } from './marks.ts'
import { causeOf } from './route-of.ts'

export interface Why extends Explanation {
  /** Texts of the messages that the evidence stands in, by id. */
  texts: ReadonlyMap<string, string>
  /** What it replaced and what replaced it, at any distance, oldest first; itself among them. */
  chain: readonly Belief[]
}

export function explanation(why: Why, promoteAt: number, language: Language): TemplateResult {
  return html`<div class="why">
    <h3>${language.text('why')}</h3>
    ${sources(why, language)}
    <h3>${language.text('trail')}</h3>
    <figure>
      ${why.trail.length > 0 ? confidenceChart(why.trail, promoteAt, language) : nothing}
      <figcaption class="numbers">${language.text('promoteLine', { value: language.fixed(promoteAt) })}</figcaption>
    </figure>
    <ol class="plain numbers trail">
      ${why.trail.map(point => html`<li>${change(point, promoteAt, language)}</li>`)}
    </ol>
    ${why.chain.length > 1 ? chain(why, language) : nothing}
  </div>`
}

/** Each message once, oldest first, with all its words that speak for or against. */
function sources({ evidence, texts }: Why, language: Language): TemplateResult {
  if (evidence.length === 0) return html`<p class="muted">${language.text('noEvidence')}</p>`
  const byTurn = Map.groupBy(evidence, ({ turn }) => turn)
  return html`<ul class="plain sources">
    ${[...byTurn].map(([turn, cited]) => {
      const { role, at } = cited[0]!
      return html`<li>
        <p class="source" dir="auto">${words(cited, texts.get(turn))}</p>
        <p class="numbers">${language.name('role', role)}, ${language.time(at)}: ${cited.map(one => stance(one, language)).join('; ')}</p>
      </li>`
    })}
  </ul>`
}

/** The message with the words marked; the words alone while the message is not at hand. */
function words(cited: Explanation['evidence'], text: string | undefined): readonly (string | TemplateResult)[] {
  const spans = cited.map(({ span }) => span)
  const pieces = text === undefined ? cited.map(one => ({ text: one.quote, marked: true })) : excerpt(text, spans)
  return pieces.map(piece => (piece.marked ? html`<mark>${piece.text}</mark>` : piece.text))
}

const stance = ({ stance, strength }: Explanation['evidence'][number], language: Language) =>
  `${language.text(stance)}, ${language.text('strength', { value: language.fixed(strength) })}`

function change(point: TrailPoint, promoteAt: number, language: Language): TemplateResult {
  const cause = causeOf(point, promoteAt)
  const route = cause === 'hand' ? language.text('byHand') : cause === 'lifecycle' ? language.text('lifecycle') : cause.toUpperCase()
  const { tick, at, kind, confidence, replaced } = point
  return html`${markIcon(cause)} <strong>${language.fixed(confidence)}</strong> ${language.name('change', kind)}, ${route},
    ${language.text('message', { n: language.number(tick) })},
    ${language.date(at)}${replaced === undefined ? nothing : html`, ${language.text('insteadOf')} ${quote(replaced)}`}`
}

function chain({ belief, chain }: Why, language: Language): TemplateResult {
  return html`<h3>${language.text('history')}</h3>
    <ol class="plain chain">
      ${chain.map(
        one =>
          html`<li class=${one.id === belief.id ? 'this' : ''}>
            ${quote(one.text)}
            <span class="numbers">
              ${language.fixed(one.confidence)},
              ${language.text('since', { date: language.date(one.createdAt) })}${one.id === belief.id ? `, ${language.text('thisOne')}` : ''}
            </span>
          </li>`,
      )}
    </ol>`
}
