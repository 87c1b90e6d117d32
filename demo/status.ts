/** What runs where: `status()` as tables. */

import type { Memory, ModelStatus, Status } from 'credence'
import { byId, chip, el, type Child } from './dom.ts'
import { count, fixed, mb, ms } from './format.ts'

const factsView = byId('status-facts', HTMLDivElement)
const modelsView = byId('status-models', HTMLDivElement)
let shownModels = ''

export async function showStatus(memory: Memory): Promise<Status> {
  const status = await memory.status()
  factsView.replaceChildren(table(facts(status)))
  // Left alone while nothing changed, so that what is open stays open.
  const models = JSON.stringify([status.models, status.missing])
  if (models !== shownModels) modelsView.replaceChildren(...status.models.map(model), ...missing(status))
  shownModels = models
  return status
}

function facts(status: Status): [string, Child][] {
  const { name, controller, turns, beliefs, effectiveBeliefs, storage, readOnly, threads, crossOriginIsolated } = status
  return [
    ['Memory', name],
    ['Controller', controller],
    ['Messages', turns.toLocaleString('en')],
    ['Beliefs', `${beliefs.current} held, ${beliefs.hypotheses} of them hypotheses; ${beliefs.superseded} replaced`],
    ['Sum of confidence', fixed(effectiveBeliefs)],
    [
      'Storage',
      storage.used === null ? 'unknown' : `${mb(storage.used)} of ${storage.quota === null ? 'an unknown quota' : mb(storage.quota)}`,
    ],
    ['Persisted', storage.persisted === null ? 'unknown' : storage.persisted ? 'yes' : 'no: the browser may clear it when space is short'],
    ['Writable', readOnly === null ? 'yes' : `no: ${readOnly}`],
    ['Threads', `${threads}${crossOriginIsolated ? ', cross-origin isolated' : '; not cross-origin isolated'}`],
  ]
}

function model({ role, id, revision, dtype, languages, device, selfTest, timings, loadMs, refused }: ModelStatus): HTMLElement {
  const tried = Object.entries(timings).map(([name, value]) => `${name} ${ms(value)}`)
  return el(
    'details',
    {},
    el('summary', {}, `${role}: ${device}, `, chip(`self-test ${selfTest}`, selfTest === 'passed' ? 'maintain' : 'correct')),
    table([
      ['Model', id],
      ['Revision', revision.slice(0, 12)],
      ['Numbers', dtype],
      ['Languages', languages.join(', ')],
      ['Self-test took', tried.join(', ') || 'not timed'],
      ['Loaded in', ms(loadMs)],
      ...refused.map(({ device, reason }): [string, Child] => [`Not on ${device}`, reason]),
    ]),
  )
}

const missing = ({ missing }: Status) =>
  missing.length === 0
    ? []
    : [
        el('p', {}, `${count(missing.length, 'model')} not there (yet); memory works without, less well:`),
        table(missing.map(({ role, reason }) => [role, reason])),
      ]

const table = (rows: [string, Child][]) =>
  el('table', {}, el('tbody', {}, ...rows.map(([name, value]) => el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, value)))))
