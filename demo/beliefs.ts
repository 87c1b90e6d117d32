/** The list of beliefs: what holds now, strongest first, each with what it replaced; then what holds no longer. */

import type { Belief, BeliefChange, Memory } from 'credence'
import { BeliefRow } from './belief-row.ts'
import { arrange, byId } from './dom.ts'
import { count } from './format.ts'
import { sayError } from './notice.ts'

const page = 100

export interface BeliefList {
  refresh(): Promise<void>
  /** Marks what the last message moved. */
  mark(changes: readonly BeliefChange[]): void
}

export function beliefList(memory: Memory): BeliefList {
  const search = byId('beliefs-search', HTMLInputElement)
  const list = byId('beliefs-list', HTMLUListElement)
  const counter = byId('beliefs-count', HTMLSpanElement)
  const empty = byId('beliefs-empty', HTMLParagraphElement)
  const more = byId('beliefs-more', HTMLButtonElement)
  const past = byId('past', HTMLElement)
  const pastList = byId('past-list', HTMLUListElement)
  const rows = new Map<string, BeliefRow>()
  let moved = new Map<string, BeliefChange>()
  let shown = page
  let turn = 0

  async function refresh(): Promise<void> {
    const text = search.value.trim()
    const mine = ++turn
    const all = await memory.beliefs({ past: true })
    const found = text === '' ? all : await memory.beliefs({ past: true, text })
    if (mine !== turn) return // a later refresh has begun
    const byOldId = new Map(all.map(belief => [belief.id, belief]))
    const current = found.filter(holds)
    if (text === '') current.sort((a, b) => b.confidence - a.confidence || b.createdAt - a.createdAt)
    const visible = current.slice(0, shown)
    const nested = new Set<string>()
    arrange(
      list,
      visible.map(belief => row(belief, replacedBy(belief, byOldId, nested))),
    )
    const loose = found.filter(belief => !holds(belief) && !nested.has(belief.id) && !heldElsewhere(belief, byOldId)).slice(0, shown)
    arrange(
      pastList,
      loose.map(belief => row(belief, [])),
    )
    for (const [id, { element }] of rows) if (!element.isConnected) rows.delete(id)
    past.hidden = loose.length === 0
    empty.hidden = found.length > 0
    empty.textContent = text === '' ? 'Nothing yet. Tell something lasting about yourself.' : 'Nothing found.'
    more.hidden = current.length <= shown
    counter.textContent = all.length > 0 ? `${count(all.filter(holds).length, 'belief')}` : ''
  }

  /** What a belief replaced, directly or through others. */
  function replacedBy(belief: Belief, all: Map<string, Belief>, nested: Set<string>): HTMLElement[] {
    const found: HTMLElement[] = []
    const open = [...belief.supersedes]
    for (let id = open.shift(); id !== undefined; id = open.shift()) {
      const old = all.get(id)
      if (!old || holds(old) || nested.has(id)) continue
      nested.add(id)
      found.push(row(old, []))
      open.push(...old.supersedes)
    }
    return found
  }

  function row(belief: Belief, replaced: HTMLElement[]): HTMLElement {
    let row = rows.get(belief.id)
    if (!row) rows.set(belief.id, (row = new BeliefRow(memory, belief.id)))
    row.update(belief, replaced, moved.get(belief.id))
    return row.element
  }

  const later = () => void refresh().catch(error => sayError('The beliefs could not be listed', error))
  search.addEventListener('input', later)
  more.addEventListener('click', () => {
    shown += page
    later()
  })
  search.disabled = false
  return {
    refresh,
    mark(changes) {
      moved = new Map(changes.map(change => [change.belief, change]))
    },
  }
}

const holds = (belief: Belief) => belief.supersededBy === undefined && !belief.retracted

/** It stands under the belief that holds in its place, although that one is not on this page of the list. */
function heldElsewhere(belief: Belief, all: Map<string, Belief>): boolean {
  const seen = new Set<string>()
  let at: Belief | undefined = belief
  while (at && !seen.has(at.id)) {
    seen.add(at.id)
    if (holds(at)) return true
    at = at.retracted || at.supersededBy === undefined ? undefined : all.get(at.supersededBy)
  }
  return false
}
