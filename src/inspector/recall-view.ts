/** The last recall: needed or not, each candidate's score against the threshold, what it is made of, and what was chosen. */

import { html, nothing, type TemplateResult } from 'lit'
import type { RecalledItem, RecallEvent } from '../memory.ts'
import { quote } from './context.ts'
import type { Language } from './language.ts'
import { lengths } from './lengths.ts'

export function recallView(event: RecallEvent | null, language: Language): TemplateResult {
  if (!event) return html`<p class="muted">${language.text('noRecall')}</p>`
  const { needed, strategy, beliefs, turns, prompt, trace } = event.recall
  const chosen = new Set([...beliefs, ...turns].map(key))
  const others = trace.candidates.filter(item => !chosen.has(key(item)))
  const scale = scaleOf([trace.threshold, ...trace.candidates.map(({ score }) => score)])
  const list = (items: readonly RecalledItem[], isChosen: boolean) =>
    html`<ol class="plain entries">
      ${items.map(item => candidate(item, isChosen, trace.threshold, scale, language))}
    </ol>`
  const ms = (value: number) => language.milliseconds(value)
  return html`<p class="source" dir="auto">${event.query}</p>
    <p>
      <span class="chip ${needed ? 'maintain' : ''}">${language.text(needed ? 'needed' : 'notNeeded')}</span>
      ${language.text(`strategy.${strategy}`)}
    </p>
    <p class="numbers">
      ${language.text('controller', {
        name: trace.controller,
        tau: language.fixed(trace.threshold),
        count: language.number(trace.candidates.length),
        chosen: language.number(chosen.size),
      })}
    </p>
    <p class="numbers">
      ${language.text('timings', {
        search: ms(trace.timings.search),
        evidence: ms(trace.timings.evidence),
        salience: ms(trace.timings.salience),
        total: ms(trace.timings.total),
      })}
    </p>
    ${list(
      trace.candidates.filter(item => chosen.has(key(item))),
      true,
    )}
    ${
      others.length > 0
        ? html`<details>
            <summary>${language.text('notChosen', { count: language.number(others.length) })}</summary>
            ${list(others, false)}
          </details>`
        : nothing
    }
    ${
      prompt === ''
        ? nothing
        : html`<details>
            <summary>${language.text('block')}</summary>
            <pre tabindex="0" dir="auto">${prompt}</pre>
          </details>`
    }`
}

const key = ({ kind, id }: RecalledItem) => `${kind}:${id}`

/** Where a score lies between the least and the greatest, as a percentage. */
function scaleOf(scores: readonly number[]): (score: number) => string {
  const least = Math.min(...scores)
  const width = Math.max(...scores) - least || 1
  return score => `${(100 * (score - least)) / width}%`
}

function candidate(
  item: RecalledItem,
  chosen: boolean,
  threshold: number,
  scale: (score: number) => string,
  language: Language,
): TemplateResult {
  const { kind, text, at, role, confidence, past, score, parts } = item
  const about = [
    chosen && language.text('chosen'),
    kind === 'turn' ? `${language.text('turn')} (${language.name('role', role)})` : language.text('belief'),
    past && language.text('past'),
    confidence !== null && language.text('confidence', { value: language.fixed(confidence) }),
    language.date(at),
  ]
  const made = [
    language.text('fromRank', { value: language.fixed(parts.fused) }),
    parts.evidence !== null && language.text('fromEvidence', { value: language.fixed(parts.evidence) }),
    parts.salience !== null && language.text('fromSalience', { value: language.fixed(parts.salience) }),
    parts.confidence !== 0 && language.text('fromConfidence', { value: language.fixed(parts.confidence) }),
  ]
  return html`<li class="entry ${chosen ? 'chosen' : ''}">
    <p>${quote(text)} <span class="muted">${about.filter(Boolean).join(', ')}</span></p>
    <div class="scale" aria-hidden="true" ${lengths({ '--score': scale(score), '--tau': scale(threshold) })}><span></span><i></i></div>
    <p class="numbers"><strong>${language.text('score', { value: language.fixed(score) })}</strong>: ${made.filter(Boolean).join(', ')}</p>
  </li>`
}
