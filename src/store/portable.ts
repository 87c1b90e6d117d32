/** Memory as a file: everything but the vectors, which are made from the texts again. */

import { CredenceError } from '../errors.ts'
import type { LabelRecord, Snapshot, TrailRecord, TurnRecord } from '../engine/ports.ts'
import type { Belief, Evidence, PortableMemory } from '../memory.ts'
import { tickOf } from './merge.ts'
import { count, fields, list, RECORDS, text, type Problem } from './check.ts'

export { toMarkdown } from './markdown.ts'
export { mergeImport } from './merge.ts'

/** `exportedAt` is an ISO 8601 time. References to what was forgotten are left out, so that what is exported can be imported. */
export function toPortable(snapshot: Snapshot, exportedAt: string): PortableMemory {
  const turns = new Set(snapshot.turns.map(turn => turn.id))
  const beliefs = new Set(snapshot.beliefs.map(belief => belief.id))
  const kept = snapshot.beliefs.map(({ supersedes, supersededBy, ...belief }) => ({
    ...belief,
    supersedes: supersedes.filter(id => beliefs.has(id)),
    // Without the belief that replaced it, it must not come back as current.
    ...(supersededBy !== undefined && (beliefs.has(supersededBy) ? { supersededBy } : { retracted: true })),
  }))
  return {
    format: 'credence',
    version: 1,
    exportedAt,
    turns: snapshot.turns,
    beliefs: kept,
    evidence: snapshot.evidence.filter(item => beliefs.has(item.belief) && turns.has(item.turn)),
    trails: snapshot.trails.filter(point => beliefs.has(point.belief)),
    labels: snapshot.labels,
    tick: tickOf(snapshot),
  }
}

interface Imported {
  turns: TurnRecord[]
  beliefs: Belief[]
  evidence: Evidence[]
  trails: TrailRecord[]
  labels: LabelRecord[]
  tick: number
}

const shape = fields({
  format: text,
  version: count,
  exportedAt: (value, strict) => text(value, strict) ?? (Number.isNaN(Date.parse(value as string)) ? { path: '', wanted: 'a date' } : null),
  turns: list(RECORDS.turns),
  beliefs: list(RECORDS.beliefs),
  evidence: list(RECORDS.evidence),
  trails: list(RECORDS.trails),
  labels: list(RECORDS.labels),
  tick: count,
})

/** Takes data from anywhere. Rejects with `ImportInvalid`, naming the first field that is wrong. */
export function fromPortable(data: unknown): Snapshot {
  let copy: unknown
  try {
    copy = structuredClone(data) // plain data of our own: no accessors, no prototypes
  } catch (cause) {
    throw new CredenceError('ImportInvalid', 'the data to import is not plain data, or nests too deep; pass what export() gave', { cause })
  }
  const { format, version } = (copy ?? {}) as Partial<PortableMemory>
  if (format !== 'credence') {
    throw new CredenceError('ImportInvalid', 'format must be "credence": this is not an export of credence', { data: { path: 'format' } })
  }
  if (version !== 1) {
    throw new CredenceError('ImportInvalid', 'version must be 1: a newer credence made this export; update to import it', {
      data: { path: 'version' },
    })
  }
  const problem = shape(copy, true)
  if (problem) throw invalid(problem)
  const imported = copy as Imported
  const dangling = references(imported)
  if (dangling) throw invalid(dangling)
  const { turns, beliefs, evidence, trails, labels, tick } = imported
  turns.sort((a, b) => a.order - b.order)
  return { turns, beliefs, evidence, trails, vectors: [], labels, meta: { tick }, generation: 0 }
}

function invalid({ path, wanted }: Problem): CredenceError {
  const field = path.replace(/^\./, '') || 'the whole'
  return new CredenceError('ImportInvalid', `the data to import is damaged: ${field} must be ${wanted}; export it again`, {
    data: { path: field },
  })
}

/** What the fields say about each other. */
function references({ turns, beliefs, evidence, trails, labels, tick }: Imported): Problem | null {
  for (const [name, records] of Object.entries({ turns, beliefs, evidence, trails, labels })) {
    const seen = new Set<string>()
    for (const [i, { id }] of records.entries()) {
      if (seen.has(id)) return { path: `${name}[${i}].id`, wanted: 'an id that no record before it has' }
      seen.add(id)
    }
  }
  const texts = new Map(turns.map(turn => [turn.id, turn.text]))
  const known = new Set(beliefs.map(belief => belief.id))
  const notAfter = { wanted: `at most ${tick}, the tick of the whole` }
  const aBelief = { wanted: 'the id of a belief in the same data' }

  for (const [i, turn] of turns.entries()) {
    if (turn.tick > tick) return { path: `turns[${i}].tick`, ...notAfter }
    const outside = turn.passages.findIndex(([, end]) => end > turn.text.length)
    if (outside >= 0) return { path: `turns[${i}].passages[${outside}]`, wanted: 'inside the text' }
  }
  for (const [i, { id, supersedes, supersededBy, lastSupported }] of beliefs.entries()) {
    if (lastSupported > tick) return { path: `beliefs[${i}].lastSupported`, ...notAfter }
    const unknown = supersedes.findIndex(other => other === id || !known.has(other))
    if (unknown >= 0) return { path: `beliefs[${i}].supersedes[${unknown}]`, wanted: 'the id of another belief in the same data' }
    if (supersededBy !== undefined && (supersededBy === id || !known.has(supersededBy))) {
      return { path: `beliefs[${i}].supersededBy`, wanted: 'the id of another belief in the same data' }
    }
  }
  for (const [i, item] of evidence.entries()) {
    if (!known.has(item.belief)) return { path: `evidence[${i}].belief`, ...aBelief }
    const said = texts.get(item.turn)
    if (said === undefined) return { path: `evidence[${i}].turn`, wanted: 'the id of a turn in the same data' }
    if (item.span[1] > said.length) return { path: `evidence[${i}].span`, wanted: 'inside the text of its turn' }
  }
  for (const [i, point] of trails.entries()) {
    if (!known.has(point.belief)) return { path: `trails[${i}].belief`, ...aBelief }
    if (point.tick > tick) return { path: `trails[${i}].tick`, ...notAfter }
  }
  return null
}
