/** What runs where: `status()` as tables. */

import { html, nothing, type TemplateResult } from 'lit'
import type { ModelStatus, Status } from '../memory.ts'
import type { Language } from './language.ts'

type Row = readonly [name: string, value: string]

export function statusView(status: Status, language: Language): TemplateResult {
  return html`${table(facts(status, language))}
    <h4>${language.text('models')}</h4>
    ${status.models.map(one => model(one, language))}
    ${
      status.missing.length > 0
        ? html`<p>${language.text('missing')}</p>
            ${table(status.missing.map(({ role, reason }) => [role, reason]))}`
        : nothing
    }`
}

function facts(status: Status, language: Language): Row[] {
  const {
    name,
    controller,
    turns,
    beliefs,
    effectiveBeliefs,
    storage,
    encrypted,
    leader,
    readOnly,
    quarantined,
    threads,
    crossOriginIsolated,
  } = status
  const { current, hypotheses, superseded } = beliefs
  const bytes = (value: number | null) => (value === null ? language.text('unknown') : language.bytes(value))
  return [
    [language.text('status.name'), name],
    [language.text('status.controller'), controller],
    [language.text('status.turns'), language.number(turns)],
    [
      language.text('status.beliefs'),
      language.text('status.counts', {
        current: language.number(current),
        hypotheses: language.number(hypotheses),
        superseded: language.number(superseded),
      }),
    ],
    [language.text('status.effective'), language.fixed(effectiveBeliefs)],
    [language.text('status.storage'), language.text('usedOf', { used: bytes(storage.used), quota: bytes(storage.quota) })],
    [language.text('status.persisted'), language.yesNo(storage.persisted)],
    // What is only told when it is so.
    ...(['temporary', 'evicted', 'erasing'] as const)
      .filter(name => storage[name])
      .map((name): Row => [language.text(`status.${name}`), language.yesNo(true)]),
    ...(quarantined > 0 ? [[language.text('status.quarantined'), language.number(quarantined)] as const] : []),
    [language.text('status.encrypted'), language.yesNo(encrypted)],
    [language.text('status.leader'), language.yesNo(leader)],
    [language.text('status.writable'), readOnly === null ? language.yesNo(true) : `${language.yesNo(false)}: ${readOnly}`],
    [language.text('status.threads'), language.number(threads)],
    [language.text('status.isolated'), language.yesNo(crossOriginIsolated)],
  ]
}

function model(status: ModelStatus, language: Language): TemplateResult {
  const { role, id, revision, dtype, languages, device, selfTest, timings, loadMs, refused } = status
  const timed = Object.entries(timings).map(([name, value]) => `${name} ${language.milliseconds(value)}`)
  return html`<details>
    <summary>
      ${role}: ${device}, ${language.text('model.selfTest')}
      <span class="chip ${selfTest === 'passed' ? 'maintain' : 'correct'}">${language.name('test', selfTest)}</span>
    </summary>
    ${table([
      [language.text('model.id'), id],
      [language.text('model.revision'), revision.slice(0, 12)],
      [language.text('model.dtype'), dtype],
      [language.text('model.languages'), languages.join(', ')],
      [language.text('model.timings'), timed.join(', ') || language.text('unknown')],
      [language.text('model.loadMs'), language.milliseconds(loadMs)],
      ...refused.map(one => [language.text('model.refused', { device: one.device }), one.reason] as const),
    ])}
  </details>`
}

const table = (rows: readonly Row[]) =>
  html`<table class="facts">
    <tbody>
      ${rows.map(
        ([name, value]) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td>${value}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
