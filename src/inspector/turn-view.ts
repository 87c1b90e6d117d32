/** What became of the last message: the gate's decision on each statement, and what it moved. */

import { html, nothing, type TemplateResult } from 'lit'
import type { BeliefChange, PropositionOutcome } from '../memory.ts'
import { quote, type Context } from './context.ts'
import type { Language } from './language.ts'
import { lengths } from './lengths.ts'
import type { SeenTurn } from './watch.ts'

export function turnView(turn: SeenTurn | null, context: Context): TemplateResult {
  const { language } = context
  if (!turn) return html`<p class="muted">${language.text('noTurn')}</p>`
  const within = turn.propositions.flatMap(({ changes }) => changes)
  const others = turn.changes.filter(change => !within.some(own => same(own, change)))
  return html`<p class="source" dir="auto">${turn.text}</p>
    ${
      turn.propositions.length === 0
        ? html`<p class="muted">${language.text('nothingStated')}</p>`
        : html`<ol class="plain entries">
            ${turn.propositions.map(one => proposition(one, context))}
          </ol>`
    }
    ${
      others.length > 0
        ? html`<h4>${language.text('otherChanges')}</h4>
            ${changes(others, context)}`
        : nothing
    }`
}

function proposition(one: PropositionOutcome, context: Context): TemplateResult {
  const { language } = context
  return html`<li class="entry" data-route=${one.route}>
    <p>${routeChip(one, language)} ${one.text === '' ? nothing : quote(one.text)}</p>
    <p class="muted">${one.label ? `${language.name('label', one.label)}; ` : nothing}${language.name('route', one.route)}</p>
    ${one.route === 'ignored' ? nothing : gauge(one, context)} ${one.changes.length > 0 ? changes(one.changes, context) : nothing}
  </li>`
}

const routeChip = ({ route, reason }: PropositionOutcome, language: Language) =>
  html`<span class="chip ${route}">
    ${route === 'ignored' ? `${language.text('ignored')}: ${language.name('reason', reason ?? '')}` : route.toUpperCase()}
  </span>`

/** x on its way from MAINTAIN over PROFILE to CORRECT. */
function gauge({ surprisal, reliability, rawSurprisal }: PropositionOutcome, { language, seen }: Context): TemplateResult | typeof nothing {
  if (!seen.status) return nothing
  const { gateLow, gateHigh } = seen.status.parameters
  const places = { '--low': `${100 * gateLow}%`, '--high': `${100 * gateHigh}%`, '--x': `${100 * surprisal}%` }
  const values = {
    x: language.fixed(surprisal),
    rho: language.fixed(reliability),
    raw: language.fixed(rawSurprisal),
    low: language.fixed(gateLow),
    high: language.fixed(gateHigh),
  }
  return html`<div class="gauge" aria-hidden="true" ${lengths(places)}><span></span></div>
    <p class="numbers" title=${language.text('rho')}>${language.text('gate', values)}</p>`
}

function changes(all: readonly BeliefChange[], context: Context): TemplateResult {
  return html`<ul class="plain changes">
    ${all.map(change => html`<li>${moved(change, context)}</li>`)}
  </ul>`
}

/** What was only just formed can be refused at once. */
function moved({ belief, kind, text, before, after }: BeliefChange, context: Context): TemplateResult {
  const { language } = context
  const levels = [before, after ?? language.text('gone')].filter(level => level !== null)
  return html`<strong>${language.name('change', kind)}</strong>
    <span class="numbers">${levels.map(level => (typeof level === 'number' ? language.fixed(level) : level)).join(' → ')}</span>
    ${text === '' ? nothing : quote(text)}
    ${
      kind === 'created'
        ? html`<button type="button" class="small" data-do="wrong" @click=${() => refuse(belief, context)}>
            ${language.text('wrong')}
          </button>`
        : nothing
    }`
}

function refuse(belief: string, { memory, attempt, say, language }: Context): void {
  void attempt(async () => {
    await memory.retract(belief)
    say(language.text('retractedNow'))
  })
}

const same = (a: BeliefChange, b: BeliefChange) => a.belief === b.belief && a.kind === b.kind && a.after === b.after
