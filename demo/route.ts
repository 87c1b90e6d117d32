/** The route of the last message: what the gate did with each proposition, and why. */

import { parameterTable, type BeliefChange, type Observation, type PropositionOutcome } from 'credence'
import { byId, chip, el, withLength } from './dom.ts'
import { fixed } from './format.ts'

const low = parameterTable.gateLow.default
const high = parameterTable.gateHigh.default

const view = byId('route-view', HTMLDivElement)

const meanings = {
  maintain: 'expected: what it supports grows',
  profile: 'new or surprising: kept as a hypothesis',
  correct: 'contradicts: a new fact replaces what was held',
  ignored: 'not a lasting statement about you',
}

export const routeChip = ({ route, reason }: PropositionOutcome) =>
  chip(route === 'ignored' ? `ignored: ${reason}` : route.toUpperCase(), route)

export function showRoute(observation: Observation): void {
  const { propositions, changes, repeated } = observation
  const within = new Set(propositions.flatMap(one => one.changes))
  const others = changes.filter(change => !within.has(change) && !propositions.some(one => one.changes.some(own => same(own, change))))
  view.replaceChildren(
    repeated
      ? el('p', {}, 'This message was observed before: nothing changed.')
      : el('ol', { class: 'plain' }, ...propositions.map(proposition)),
    others.length > 0 ? el('h3', {}, 'Life cycle') : '',
    others.length > 0 ? changeList(others) : '',
  )
}

export const clearRoute = () => view.replaceChildren()

function proposition(one: PropositionOutcome): HTMLElement {
  return el(
    'li',
    { class: 'entry' },
    el('p', {}, routeChip(one), ' ', el('q', {}, one.text)),
    el('p', { class: 'muted' }, meanings[one.route]),
    one.route !== 'ignored' && gauge(one),
    one.changes.length > 0 && changeList(one.changes),
  )
}

/** x on its way from MAINTAIN over PROFILE to CORRECT. */
function gauge({ surprisal, reliability, rawSurprisal }: PropositionOutcome): HTMLElement {
  const scale = el('div', { class: 'gauge', 'aria-hidden': 'true' }, el('span'))
  withLength(scale, 'low', low)
  withLength(scale, 'high', high)
  withLength(scale, 'x', surprisal)
  const numbers = `x ${fixed(surprisal)} = ρ ${fixed(reliability)} × S ${fixed(rawSurprisal)}; MAINTAIN to ${fixed(low)}, CORRECT from ${fixed(high)}`
  return el('div', {}, scale, el('p', { class: 'numbers' }, numbers))
}

function changeList(changes: readonly BeliefChange[]): HTMLElement {
  return el(
    'ul',
    { class: 'plain changes' },
    ...changes.map(({ kind, text, before, after }) =>
      el('li', {}, el('strong', {}, kind), ` ${level(before)} → ${level(after)} `, text && el('q', {}, text)),
    ),
  )
}

const level = (confidence: number | null) => (confidence === null ? 'none' : fixed(confidence))

const same = (a: BeliefChange, b: BeliefChange) => a.belief === b.belief && a.kind === b.kind && a.after === b.after
