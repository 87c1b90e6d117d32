/** The recall panel: needed or not, what was chosen, and how each candidate's score came about. */

import type { Recall, RecalledItem, RecallTrace } from 'credence'
import { byId, chip, el } from './dom.ts'
import { count, date, fixed, ms } from './format.ts'

const view = byId('recall-view', HTMLDivElement)

const strategies = { none: 'answer from the message alone', current: 'use what holds now', past: 'use what used to hold' }

export function showRecall({ needed, strategy, beliefs, turns, prompt, trace }: Recall): void {
  const chosen = new Set([...beliefs, ...turns].map(key))
  const others = trace.candidates.filter(item => !chosen.has(key(item)))
  view.replaceChildren(
    el('p', {}, chip(needed ? 'memory needed' : 'not needed', needed ? 'maintain' : 'ignored'), ` ${strategies[strategy]}`),
    el(
      'p',
      { class: 'numbers' },
      `${trace.controller} controller, threshold τ ${fixed(trace.threshold)}, ${count(trace.candidates.length, 'candidate')}`,
    ),
    el('p', { class: 'numbers' }, timings(trace)),
    items(
      trace.candidates.filter(item => chosen.has(key(item))),
      true,
    ),
    fold(others.length > 0, `Not chosen: ${others.length}`, () => items(others, false)),
    fold(prompt !== '', 'Block for the model’s prompt', () => el('pre', { tabindex: 0 }, prompt)),
  )
}

export const clearRecall = () => view.replaceChildren()

const key = ({ kind, id }: RecalledItem) => `${kind}:${id}`

const timings = ({ timings: { search, evidence, salience, total } }: RecallTrace) =>
  `search ${ms(search)}, evidence ${ms(evidence)}, salience ${ms(salience)}, in all ${ms(total)}`

const items = (all: readonly RecalledItem[], chosen: boolean) => el('ol', { class: 'plain' }, ...all.map(item => candidate(item, chosen)))

function candidate(item: RecalledItem, chosen: boolean): HTMLElement {
  const { kind, text, at, confidence, past, score } = item
  const about = [kind === 'turn' ? 'message' : kind, past && 'past', confidence !== null && `w ${fixed(confidence)}`, date(at)]
  return el(
    'li',
    { class: chosen ? 'entry chosen' : 'entry' },
    el('p', {}, el('q', {}, text), ' ', el('span', { class: 'muted' }, about.filter(Boolean).join(', '))),
    el('p', { class: 'numbers' }, el('strong', {}, `score ${fixed(score)}`), ` from ${parts(item)}`),
  )
}

function parts({ parts: { fused, evidence, salience, confidence } }: RecalledItem): string {
  const known = [
    `rank ${fixed(fused)}`,
    evidence !== null && `evidence ${fixed(evidence)}`,
    salience !== null && `Sal_q ${fixed(salience)}`,
    `κ·log w ${fixed(confidence)}`,
  ]
  return known.filter(Boolean).join(', ')
}

const fold = (shown: boolean, title: string, content: () => HTMLElement) =>
  shown ? el('details', {}, el('summary', {}, title), content()) : ''
