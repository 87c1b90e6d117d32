/** Bringing an export into a memory that may hold some of it already. Doing it twice is doing it once, in every mode. */

import type { Change, LabelRecord, Snapshot, TrailRecord, TurnRecord } from '../engine/ports.ts'
import type { Belief, Evidence, ImportMode, ImportSummary } from '../memory.ts'

/**
 * - `skip` keeps what is here under an id; the evidence and trail of a belief come only with the belief.
 * - `overwrite` replaces it, with its evidence, trail and vectors.
 * - `append` keeps both: what differs under one id comes in under a new one, together with the beliefs it replaced or that replaced it.
 *
 * The user turns of the two are counted side by side: a belief keeps its age in turns. `put.meta.order` is the number of the next turn.
 */
export function mergeImport(current: Snapshot, incoming: Snapshot, mode: ImportMode): { change: Change; summary: ImportSummary } {
  const aligned = separate(current, align(current, incoming))
  const theirs = mode === 'append' ? rename(current, aligned) : aligned
  const replace = mode === 'overwrite'
  const summary: ImportSummary = { turns: 0, beliefs: 0, skipped: 0 }

  const turns: TurnRecord[] = []
  const ourTurns = byId(current.turns)
  /** Turns that stay with other words than those which the incoming evidence quotes, and turns that get other words. */
  const otherWords = new Set<string>()
  const reworded = new Set<string>()
  for (const turn of theirs.turns) {
    const ours = ourTurns.get(turn.id)
    const stays = ours !== undefined && (!replace || same(ours, turn))
    if (ours && ours.text !== turn.text) (stays ? otherWords : reworded).add(turn.id)
    if (stays) summary.skipped++
    else turns.push(ours ? { ...turn, order: ours.order } : turn)
  }
  summary.turns = turns.length

  const beliefs: Belief[] = []
  const ourBeliefs = byId(current.beliefs)
  const theirBeliefs = byId(theirs.beliefs)
  const written = new Set<string>()
  for (const belief of theirs.beliefs) {
    const ours = ourBeliefs.get(belief.id)
    const result = !ours ? belief : replace ? withLinks(belief, ours, theirBeliefs) : withLinks(ours, belief, ourBeliefs)
    const changed = !ours || !same(ours, result)
    if (changed) beliefs.push(result)
    if (changed && (!ours || replace)) written.add(belief.id)
    else summary.skipped++ // at most a link to a belief that comes in was added
  }
  summary.beliefs = written.size

  const evidence = theirs.evidence.filter(item => written.has(item.belief) && !otherWords.has(item.turn))
  const trails = theirs.trails.filter(point => written.has(point.belief))
  const ourLabels = byId(current.labels)
  const labels = theirs.labels.filter(label => {
    const ours = ourLabels.get(label.id)
    return !ours || (replace && !same(ours, label))
  })
  if (turns.length + beliefs.length + labels.length === 0) return { change: {}, summary }

  const overwritten = new Set([...written].filter(id => ourBeliefs.has(id)))
  const meta = {
    tick: tickOf(isEmpty(current) ? incoming : current),
    order: nextOrder({ ...current, turns: [...current.turns, ...turns] }),
  }
  const change: Change = {
    put: { turns, beliefs, evidence, trails, labels, meta },
    remove: {
      evidence: current.evidence.filter(item => reworded.has(item.turn) || overwritten.has(item.belief)).map(item => item.id),
      trails: current.trails.filter(point => overwritten.has(point.belief)).map(point => point.id),
      vectors: [...[...overwritten].map(id => `b:${id}`), ...[...reworded].map(id => `t:${id}`)],
    },
  }
  return { change, summary }
}

/** The number of user turns so far, by every sign of it. */
export function tickOf({ meta, turns, beliefs, trails }: Snapshot): number {
  let tick = typeof meta.tick === 'number' ? meta.tick : 0
  for (const turn of turns) tick = Math.max(tick, turn.tick)
  for (const belief of beliefs) tick = Math.max(tick, belief.lastSupported)
  for (const point of trails) tick = Math.max(tick, point.tick)
  return tick
}

type Identified = { id: string }

const byId = <Item extends Identified>(items: readonly Item[]): Map<string, Item> => new Map(items.map(item => [item.id, item]))

/** Fields that count this memory's own turns; they differ for what is otherwise the same. */
const CLOCKS = ['order', 'tick', 'lastSupported']

function same(a: object, b: object): boolean {
  const comparable = (record: object) =>
    JSON.stringify(
      Object.entries(record)
        .filter(([key, value]) => value !== undefined && !CLOCKS.includes(key))
        .sort(([x], [y]) => (x < y ? -1 : 1)),
    )
  return comparable(a) === comparable(b)
}

/** The winner of an id, with the loser's links to beliefs that the winner's side has never heard of: else both ends would be current. */
function withLinks(winner: Belief, loser: Belief, known: { has(id: string): boolean }): Belief {
  const supersedes = [...winner.supersedes, ...loser.supersedes.filter(id => !known.has(id) && !winner.supersedes.includes(id))]
  const successor =
    winner.supersededBy ?? (loser.supersededBy !== undefined && !known.has(loser.supersededBy) ? loser.supersededBy : undefined)
  return { ...winner, supersedes, ...(successor !== undefined && { supersededBy: successor }) }
}

const isEmpty = (snapshot: Snapshot): boolean => snapshot.turns.length + snapshot.beliefs.length === 0

function nextOrder({ meta, turns }: Snapshot): number {
  let next = typeof meta.order === 'number' ? meta.order : 0
  for (const turn of turns) next = Math.max(next, turn.order + 1)
  return next
}

/** Sets the incoming clocks by ours; an empty memory takes them as they are. */
function align(current: Snapshot, incoming: Snapshot): Snapshot {
  if (isEmpty(current)) return incoming
  const shift = tickOf(current) - tickOf(incoming)
  const moved = (tick: number) => Math.max(0, tick + shift)
  const first = nextOrder(current)
  return {
    ...incoming,
    turns: incoming.turns.map((turn, i) => ({ ...turn, order: first + i, tick: moved(turn.tick) })),
    beliefs: incoming.beliefs.map(belief => ({ ...belief, lastSupported: moved(belief.lastSupported) })),
    trails: incoming.trails.map(point => ({ ...point, tick: moved(point.tick) })),
  }
}

/** Gives new ids to records that nothing refers to, where ours of the same id is about something else. */
function separate(current: Snapshot, incoming: Snapshot): Snapshot {
  function apart<Item extends Identified>(ours: readonly Item[], theirs: readonly Item[], about: (item: Item) => string): Item[] {
    const [here, coming] = [byId(ours), byId(theirs)]
    return theirs.map(item => {
      const n = firstFit(n => {
        const other = here.get(numbered(item.id, n))
        return (n === 1 || !coming.has(numbered(item.id, n))) && (!other || about(other) === about(item))
      })
      return { ...item, id: numbered(item.id, n) }
    })
  }
  return {
    ...incoming,
    evidence: apart(current.evidence, incoming.evidence, item => item.belief),
    trails: apart(current.trails, incoming.trails, point => point.belief),
    labels: apart(current.labels, incoming.labels, label => JSON.stringify([label.query, label.text])),
  }
}

/** Gives new ids to what differs from ours under the same id. They follow from the data alone, so that the same import finds them again. */
function rename(current: Snapshot, incoming: Snapshot): Snapshot {
  const turnNumber = new Map<string, number>()
  const beliefNumber = new Map<string, number>()
  const newTurnId = (id: string) => numbered(id, turnNumber.get(id) ?? 1)

  const asTurn = (turn: TurnRecord, n: number): TurnRecord => ({ ...turn, id: numbered(turn.id, n) })
  const asBelief = (belief: Belief, n: number): Belief => ({
    ...belief,
    id: numbered(belief.id, n),
    supersedes: belief.supersedes.map(id => numbered(id, n)),
    ...(belief.supersededBy !== undefined && { supersededBy: numbered(belief.supersededBy, n) }),
  })
  const asEvidence = (item: Evidence, n: number): Evidence => ({
    ...item,
    id: numbered(item.id, n),
    belief: numbered(item.belief, n),
    turn: newTurnId(item.turn),
  })
  const asTrail = (point: TrailRecord, n: number): TrailRecord => ({
    ...point,
    id: numbered(point.id, n),
    belief: numbered(point.belief, n),
  })
  const asLabel = (label: LabelRecord, n: number): LabelRecord => {
    const [kind, id] = [label.item.split(':', 1)[0]!, label.item.slice(label.item.indexOf(':') + 1)]
    const item =
      kind === 'belief' ? `belief:${numbered(id, beliefNumber.get(id) ?? 1)}` : kind === 'turn' ? `turn:${newTurnId(id)}` : label.item
    return { ...label, id: numbered(label.id, n), item }
  }

  const fitsTurn = fitter(current.turns, incoming.turns, asTurn)
  for (const turn of incoming.turns)
    turnNumber.set(
      turn.id,
      firstFit(n => fitsTurn(turn, n)),
    )

  const fitsBelief = fitter(current.beliefs, incoming.beliefs, asBelief)
  const fitsEvidence = fitter(current.evidence, incoming.evidence, asEvidence)
  const fitsTrail = fitter(current.trails, incoming.trails, asTrail)
  const evidence = groupByBelief(incoming.evidence)
  const trails = groupByBelief(incoming.trails)
  for (const family of families(incoming.beliefs)) {
    const n = firstFit(n =>
      family.every(
        belief =>
          fitsBelief(belief, n) &&
          (evidence.get(belief.id) ?? []).every(item => fitsEvidence(item, n)) &&
          (trails.get(belief.id) ?? []).every(point => fitsTrail(point, n)),
      ),
    )
    for (const belief of family) beliefNumber.set(belief.id, n)
  }

  const fitsLabel = fitter(current.labels, incoming.labels, asLabel)
  return {
    ...incoming,
    turns: incoming.turns.map(turn => asTurn(turn, turnNumber.get(turn.id)!)),
    beliefs: incoming.beliefs.map(belief => asBelief(belief, beliefNumber.get(belief.id)!)),
    evidence: incoming.evidence.map(item => asEvidence(item, beliefNumber.get(item.belief)!)),
    trails: incoming.trails.map(point => asTrail(point, beliefNumber.get(point.belief)!)),
    labels: incoming.labels.map(label =>
      asLabel(
        label,
        firstFit(n => fitsLabel(label, n)),
      ),
    ),
  }
}

const numbered = (id: string, n: number): string => (n === 1 ? id : `${id}~${n}`)

function firstFit(fits: (n: number) => boolean): number {
  let n = 1
  while (!fits(n)) n++
  return n
}

/** Whether a record may come in under a number: nothing else has the id that it gets, neither here nor among the incoming. */
function fitter<Item extends Identified>(ours: readonly Item[], theirs: readonly Item[], as: (item: Item, n: number) => Item) {
  const [here, coming] = [byId(ours), byId(theirs)]
  return (item: Item, n: number): boolean => {
    const result = as(item, n)
    const other = here.get(result.id)
    return (n === 1 || !coming.has(result.id)) && (!other || same(other, result))
  }
}

/** Beliefs that are linked by supersession, directly or through others, in one group. */
function families(beliefs: readonly Belief[]): Belief[][] {
  const known = byId(beliefs)
  const links = new Map<string, string[]>(beliefs.map(belief => [belief.id, []]))
  for (const { id, supersedes, supersededBy } of beliefs) {
    for (const other of supersededBy === undefined ? supersedes : [...supersedes, supersededBy]) {
      links.get(id)!.push(other)
      links.get(other)!.push(id)
    }
  }
  const seen = new Set<string>()
  const groups: Belief[][] = []
  for (const { id } of beliefs) {
    const group: Belief[] = []
    const open = [id]
    while (open.length > 0) {
      const next = open.pop()!
      if (seen.has(next)) continue
      seen.add(next)
      group.push(known.get(next)!)
      open.push(...links.get(next)!)
    }
    if (group.length > 0) groups.push(group)
  }
  return groups
}

function groupByBelief<Item extends { belief: string }>(items: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(item.belief)
    if (group) group.push(item)
    else groups.set(item.belief, [item])
  }
  return groups
}
