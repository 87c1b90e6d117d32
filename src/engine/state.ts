/** The bank in memory: what the store holds, as maps and indexes. Changes come in by `apply` alone, at opening and after each commit. */

import { confidenceAt, decays, effectiveSize, isCurrent } from '../belief/lifecycle.ts'
import type { Belief, Evidence } from '../memory.ts'
import { LexicalIndex } from '../retrieval/lexical.ts'
import { SemanticIndex } from '../retrieval/semantic.ts'
import type { Change, LabelRecord, Meta, Snapshot, TrailRecord, TurnRecord } from './ports.ts'

/** Key of a belief in the indexes. */
export const beliefKey = (id: string) => `b:${id}`
export const isBeliefKey = (key: string) => key.startsWith('b:')
/** Key of the vectors of a turn's passages in the store. */
export const turnKey = (id: string) => `t:${id}`
/** Key of a passage of a turn in the indexes. */
export const passageKey = (turn: string, passage: number) => `${turnKey(turn)}#${passage}`
/** Key of a turn of several passages as a whole, in the lexical index. */
export const wholeKey = (turn: string) => `w:${turn}`
/** Takes a key apart again; a turn as a whole has no `passage`. */
export function parseKey(key: string): { kind: 'belief'; id: string } | { kind: 'turn'; id: string; passage?: number } {
  if (isBeliefKey(key)) return { kind: 'belief', id: key.slice(2) }
  if (key.startsWith('w:')) return { kind: 'turn', id: key.slice(2) }
  const at = key.lastIndexOf('#')
  return { kind: 'turn', id: key.slice(2, at), passage: Number(key.slice(at + 1)) }
}

export class State {
  readonly turns = new Map<string, TurnRecord>()
  readonly beliefs = new Map<string, Belief>()
  /** Ids of beliefs that time alone can change: those that decay, and those with a last day. Of many thousand they are few. */
  readonly passing = new Set<string>()
  /** Ids of standing instructions, superseded ones too. */
  readonly instructions = new Set<string>()
  readonly evidence = new Map<string, Evidence>()
  readonly evidenceOfBelief = new Map<string, Evidence[]>()
  readonly evidenceOfTurn = new Map<string, Evidence[]>()
  readonly trails = new Map<string, TrailRecord>()
  readonly trailOfBelief = new Map<string, TrailRecord[]>()
  readonly labels = new Map<string, LabelRecord>()
  readonly meta: Meta = {}
  readonly lexical = new LexicalIndex()
  readonly beliefVectors: SemanticIndex
  readonly passageVectors: SemanticIndex
  /** Turns in the order of observation. */
  readonly order: TurnRecord[] = []
  generation: number
  readonly #stamp: string
  readonly #decayRate: number
  readonly #now: () => number

  /** `now`: milliseconds since 1970. */
  constructor(snapshot: Snapshot, stamp: string, dimensions: number, decayRate: number, now: () => number) {
    this.#stamp = stamp
    this.#decayRate = decayRate
    this.#now = now
    this.beliefVectors = new SemanticIndex(dimensions)
    this.passageVectors = new SemanticIndex(dimensions)
    this.generation = snapshot.generation
    this.apply({ put: { ...snapshot } })
  }

  /** t: number of user turns so far. */
  get tick(): number {
    return (this.meta['tick'] as number | undefined) ?? 0
  }

  /** Position that the next turn gets. */
  get nextOrder(): number {
    return (this.meta['order'] as number | undefined) ?? 0
  }

  /** Index of a turn in `order`. */
  positionOf(turn: TurnRecord): number {
    let [low, high] = [0, this.order.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.order[middle]!.order < turn.order) low = middle + 1
      else high = middle
    }
    return low
  }

  confidence(belief: Belief, tick = this.tick, at = this.#now()): number {
    return confidenceAt(belief, tick, this.#decayRate, at)
  }

  /** The belief as the public sees it: with its confidence of now. */
  view(belief: Belief): Belief {
    return { ...belief, confidence: this.confidence(belief) }
  }

  /** The vector under a key of the indexes. */
  vector(key: string): Float32Array | undefined {
    return (isBeliefKey(key) ? this.beliefVectors : this.passageVectors).get(key)
  }

  /** Everything that has no vector of the embedder at hand: after a change of model, or an import. */
  missingVectors(): { key: string; texts: string[] }[] {
    const keys = [...[...this.beliefs.keys()].map(beliefKey), ...[...this.turns.keys()].map(turnKey)]
    return keys.flatMap(key => {
      const texts = this.missingVector(key)
      return texts ? [{ key, texts }] : []
    })
  }

  /** The texts whose vectors are missing under a key; undefined when they are there, or nothing has them any more. */
  missingVector(key: string): string[] | undefined {
    const id = key.slice(2)
    if (isBeliefKey(key)) {
      const belief = this.beliefs.get(id)
      return belief && !this.vector(key) ? [belief.text] : undefined
    }
    const turn = this.turns.get(id)
    return turn && turn.passages.length > 0 && !this.vector(passageKey(id, 0)) ? passageTexts(turn) : undefined
  }

  apply({ put = {}, remove = {} }: Change): void {
    for (const id of remove.turns ?? []) this.#removeTurn(id)
    for (const id of remove.beliefs ?? []) {
      this.beliefs.delete(id)
      this.passing.delete(id)
      this.instructions.delete(id)
      this.lexical.remove(beliefKey(id))
      this.beliefVectors.remove(beliefKey(id))
    }
    for (const id of remove.evidence ?? []) this.#removeEvidence(id)
    for (const id of remove.trails ?? []) {
      const point = this.trails.get(id)
      this.trails.delete(id)
      if (point) drop(this.trailOfBelief, point.belief, point)
    }
    for (const id of remove.labels ?? []) this.labels.delete(id)
    for (const key of remove.meta ?? []) delete this.meta[key]

    // A store gives them back in the order of their ids: each would have to be put between others.
    for (const turn of [...(put.turns ?? [])].sort((a, b) => a.order - b.order)) {
      this.#removeTurn(turn.id)
      this.turns.set(turn.id, turn)
      insertByOrder(this.order, turn)
      passageTexts(turn).forEach((text, i) => this.lexical.add(passageKey(turn.id, i), text))
      if (turn.passages.length > 1) this.lexical.add(wholeKey(turn.id), attributed(turn.text, turn.speaker))
    }
    for (const belief of put.beliefs ?? []) {
      const before = this.beliefs.get(belief.id)
      this.beliefs.set(belief.id, belief)
      if (decays(belief) || belief.expiresAt !== undefined) this.passing.add(belief.id)
      else this.passing.delete(belief.id)
      if (belief.instruction) this.instructions.add(belief.id)
      if (before?.text !== belief.text) {
        this.lexical.add(beliefKey(belief.id), attributed(belief.text, belief.speaker))
        if (before) this.beliefVectors.remove(beliefKey(belief.id))
      }
    }
    for (const evidence of put.evidence ?? []) {
      this.#removeEvidence(evidence.id)
      this.evidence.set(evidence.id, evidence)
      push(this.evidenceOfBelief, evidence.belief, evidence)
      push(this.evidenceOfTurn, evidence.turn, evidence)
    }
    for (const point of put.trails ?? []) {
      this.trails.set(point.id, point)
      push(this.trailOfBelief, point.belief, point)
    }
    for (const { key, stamp, data } of put.vectors ?? []) {
      if (stamp !== this.#stamp) continue
      if (isBeliefKey(key)) this.beliefVectors.set(key, data)
      else
        for (let i = 0, n = this.passageVectors.dimensions; (i + 1) * n <= data.length; i++)
          this.passageVectors.set(`${key}#${i}`, data.subarray(i * n, (i + 1) * n))
    }
    for (const label of put.labels ?? []) this.labels.set(label.id, label)
    Object.assign(this.meta, put.meta)
  }

  /** Current and past beliefs, the stance counted. */
  counts(at: number): { current: number; superseded: number; hypotheses: number; effective: number } {
    const all = [...this.beliefs.values()]
    const current = all.filter(b => isCurrent(b, at))
    return {
      current: current.length,
      superseded: all.length - current.length,
      hypotheses: current.filter(b => b.kind === 'hypothesis').length,
      effective: effectiveSize(all.map(b => this.confidence(b))),
    }
  }

  #removeTurn(id: string): void {
    const turn = this.turns.get(id)
    if (!turn) return
    this.turns.delete(id)
    this.order.splice(this.positionOf(turn), 1)
    this.lexical.remove(wholeKey(id))
    turn.passages.forEach((_, i) => {
      this.lexical.remove(passageKey(id, i))
      this.passageVectors.remove(passageKey(id, i))
    })
  }

  #removeEvidence(id: string): void {
    const evidence = this.evidence.get(id)
    if (!evidence) return
    this.evidence.delete(id)
    drop(this.evidenceOfBelief, evidence.belief, evidence)
    drop(this.evidenceOfTurn, evidence.turn, evidence)
  }
}

/** In chats of several people a text is searched and scored with the name of the one who said it. */
export function attributed(text: string, speaker: string | undefined): string {
  return speaker === undefined ? text : `${speaker}: ${text}`
}

export function passageTexts(turn: TurnRecord): string[] {
  return turn.passages.map(([start, end]) => attributed(turn.text.slice(start, end), turn.speaker))
}

function insertByOrder(turns: TurnRecord[], turn: TurnRecord): void {
  let at = turns.length
  while (at > 0 && turns[at - 1]!.order > turn.order) at--
  turns.splice(at, 0, turn)
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

function drop<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (!list) return
  const rest = list.filter(v => v !== value)
  if (rest.length > 0) map.set(key, rest)
  else map.delete(key)
}
