/** Erasure: what is forgotten leaves no text, vector, label or index entry. Correction is another thing, and keeps history. */

import { CredenceError } from '../errors.ts'
import type { BeliefChange, Forgotten } from '../memory.ts'
import { passages } from '../text/index.ts'
import { labelsOf, relearn } from './learn.ts'
import type { Change, TurnRecord } from './ports.ts'
import { beliefKey, turnKey, type State } from './state.ts'

/** Stands for erased characters, so that the places of other evidence in the turn stay right. */
const blank = '█'

export function forgetBelief(state: State, id: string): { forgotten: Forgotten; change: Change } {
  if (!state.beliefs.has(id))
    throw new CredenceError('NotFound', `no belief has the id "${id}"; beliefs({ past: true }) lists all`, { data: { id } })
  return forgetBeliefs(state, new Set([id]))
}

/** Beliefs, the turns that made nothing else, and their words in the others. `also`: turns that go in any case. */
export function forgetBeliefs(
  state: State,
  ids: ReadonlySet<string>,
  also: ReadonlySet<string> = new Set(),
): { forgotten: Forgotten; change: Change } {
  const evidence = [...ids].flatMap(id => state.evidenceOfBelief.get(id) ?? [])
  const gone = new Set(also)
  const blanked: TurnRecord[] = []
  for (const turnId of new Set(evidence.map(e => e.turn))) {
    const turn = state.turns.get(turnId)
    if (!turn || gone.has(turnId)) continue
    const others = (state.evidenceOfTurn.get(turnId) ?? []).some(e => !ids.has(e.belief) && e.stance === 'supports')
    if (others) {
      const spans = evidence.filter(e => e.turn === turnId && e.stance === 'supports').map(e => e.span)
      blanked.push(blankOut(turn, spans))
    } else gone.add(turnId)
  }
  return erase(state, new Set(ids), gone, blanked)
}

/** Turns, and the beliefs that rest on nothing else; with `since`, what was fed back from then on as well. */
export function forgetTurns(state: State, turns: ReadonlySet<string>, since?: number): { forgotten: Forgotten; change: Change } {
  const beliefs = new Set<string>()
  for (const [id, evidence] of state.evidenceOfBelief) {
    const supports = evidence.filter(e => e.stance === 'supports')
    // The words of a belief come from the turn that first stated it: with that turn they must go too.
    const stated = supports[0]
    if (stated && (turns.has(stated.turn) || supports.every(e => turns.has(e.turn)))) beliefs.add(id)
  }
  return erase(state, beliefs, new Set(turns), [], since)
}

function erase(
  state: State,
  beliefs: Set<string>,
  turns: Set<string>,
  blanked: TurnRecord[],
  since?: number,
): { forgotten: Forgotten; change: Change } {
  const evidence = [...state.evidence.values()].filter(e => beliefs.has(e.belief) || turns.has(e.turn))
  const trails = [...state.trails.values()].filter(t => beliefs.has(t.belief))
  const texts = new Set([...[...beliefs].map(id => state.beliefs.get(id)!.text), ...trails.flatMap(t => t.replaced ?? [])])
  const messages = new Set([...turns].flatMap(id => state.turns.get(id)?.text ?? []))
  const items = new Set([...[...beliefs].map(id => `belief:${id}`), ...[...turns, ...blanked.map(t => t.id)].map(id => `turn:${id}`)])
  const labels = [...state.labels.values()]
  const unlearnt = labelsOf(labels, items, texts, messages, since)
  const head = relearn(labels.filter(label => !unlearnt.includes(label)))

  // What pointed to a forgotten belief: its predecessors must not come back as current, its successors lose the reference.
  const touched = [...state.beliefs.values()].filter(
    b => !beliefs.has(b.id) && ((b.supersededBy !== undefined && beliefs.has(b.supersededBy)) || b.supersedes.some(id => beliefs.has(id))),
  )
  const change: Change = {
    erase: true,
    put: {
      turns: blanked,
      beliefs: touched.map(({ supersededBy, ...b }) => ({
        ...b,
        supersedes: b.supersedes.filter(id => !beliefs.has(id)),
        ...(supersededBy !== undefined && (beliefs.has(supersededBy) ? { retracted: true } : { supersededBy })),
      })),
      ...(unlearnt.length > 0 && head && { meta: { head } }),
    },
    remove: {
      turns: [...turns],
      beliefs: [...beliefs],
      evidence: evidence.map(e => e.id),
      trails: trails.map(t => t.id),
      vectors: [...[...beliefs].map(beliefKey), ...[...turns, ...blanked.map(t => t.id)].map(turnKey)],
      labels: unlearnt.map(label => label.id),
      ...(unlearnt.length > 0 && !head && { meta: ['head'] }),
    },
  }
  return { forgotten: { beliefs: [...beliefs], turns: [...turns] }, change }
}

function blankOut(turn: TurnRecord, spans: readonly (readonly [number, number])[]): TurnRecord {
  let text = turn.text
  for (const [start, end] of spans) text = text.slice(0, start) + blank.repeat(end - start) + text.slice(end)
  return { ...turn, text, passages: passages(text) }
}

/** What listeners are told of it: that beliefs are gone, without their words. */
export function changesOf(forgotten: Forgotten, confidence: (belief: string) => number): BeliefChange[] {
  return forgotten.beliefs.map(id => ({ belief: id, kind: 'forgotten', text: '', before: confidence(id), after: null }))
}
