/** A memory of made-up statements, as a file to import. */

import type { Belief, Evidence, PortableMemory } from '../../src/memory.ts'
import type { TrailRecord, TurnRecord } from '../../src/engine/ports.ts'
import { statement } from './statements.ts'

const start = Date.UTC(2026, 0, 1)

/** `size` turns, each with the belief it made. */
export function bank(size: number) {
  const numbers = Array.from({ length: size }, (_, i) => i)
  const at = (i: number) => start + i * 60_000
  const turns = numbers.map((i): TurnRecord => {
    const text = statement(i)
    return { id: `t${i}`, order: i, tick: i + 1, role: 'user', text, at: at(i), passages: [[0, text.length]] }
  })
  const beliefs = numbers.map((i): Belief => ({
    id: `b${i}`,
    text: statement(i),
    kind: 'fact',
    origin: 'explicit',
    confidence: 0.85,
    topic: null,
    createdAt: at(i),
    lastSupported: i + 1,
    protected: false,
    pinned: false,
    supersedes: [],
  }))
  const evidence = numbers.map((i): Evidence => ({
    id: `e${i}`,
    belief: `b${i}`,
    turn: `t${i}`,
    span: [0, statement(i).length],
    stance: 'supports',
    strength: 0.85,
    at: at(i),
  }))
  const trails = numbers.map((i): TrailRecord => ({
    id: `p${i}`,
    belief: `b${i}`,
    tick: i + 1,
    at: at(i),
    kind: 'created',
    confidence: 0.85,
  }))
  return { turns, beliefs, evidence, trails, labels: [], tick: size }
}

export const portable = (size: number): PortableMemory => ({
  format: 'credence',
  version: 1,
  exportedAt: new Date(start).toISOString(),
  ...bank(size),
})
