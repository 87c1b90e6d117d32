/** Changes in the making: read through to the state, collected for one commit, thrown away when anything fails. */

import type { Belief, BeliefChange, ChangeKind, Evidence } from '../memory.ts'
import type { Change, TrailRecord, TurnRecord, VectorRecord } from './ports.ts'
import { beliefKey, type State } from './state.ts'

export class Draft {
  readonly turns: TurnRecord[] = []
  readonly vectors: VectorRecord[] = []
  readonly changes: BeliefChange[] = []
  /** New and changed beliefs. */
  readonly beliefs = new Map<string, Belief>()
  /** Vectors of new beliefs, for statements later in the same turn. */
  readonly beliefVectors = new Map<string, Float32Array>()
  readonly #state: State
  readonly #stamp: string
  readonly #gone = new Set<string>()
  readonly #evidence: Evidence[] = []
  readonly #trails: TrailRecord[] = []
  readonly tick: number
  readonly at: number
  readonly #prefix: string

  /** `prefix` begins the ids that the draft gives out; it must not have been used before. */
  constructor(state: State, options: { prefix: string; stamp: string; tick: number; at: number }) {
    this.#state = state
    this.#stamp = options.stamp
    this.#prefix = options.prefix
    this.tick = options.tick
    this.at = options.at
  }

  belief(id: string): Belief {
    return this.beliefs.get(id) ?? this.#state.beliefs.get(id)!
  }

  confidence(belief: Belief): number {
    return this.#state.confidence(belief, this.tick, this.at)
  }

  /** Of these beliefs those that are left, once each, and every new or changed one. */
  among(ids: readonly string[]): Belief[] {
    return [...new Set([...ids, ...this.beliefs.keys()])].filter(id => !this.#gone.has(id)).map(id => this.belief(id))
  }

  vector(id: string): Float32Array | undefined {
    return this.beliefVectors.get(id) ?? this.#state.vector(beliefKey(id))
  }

  newId(): string {
    return `${this.#prefix}.${this.beliefs.size}`
  }

  create(belief: Belief, vector: Float32Array | undefined): void {
    this.beliefs.set(belief.id, belief)
    if (vector) this.setVector(belief.id, vector)
    this.#record(belief, 'created', null)
  }

  /** Moves a belief: `after` is its confidence now, counted from the present turn when `supported`, else from its last support. */
  move(id: string, kind: ChangeKind, after: number, patch: Partial<Belief> = {}, replaced?: string): void {
    const belief = this.belief(id)
    const before = this.confidence(belief)
    const next: Belief = { ...belief, ...patch }
    const supported = next.lastSupported !== belief.lastSupported
    if (supported && next.fades) next.fades = { ...next.fades, from: this.at }
    // What is stored is w_ℓ, the confidence at the last support; a decaying belief's weight of now is that times its decay.
    const decayed = !supported && before > 0 ? before / belief.confidence : 1
    next.confidence = decayed > 0 ? Math.min(1, after / decayed) : after
    this.beliefs.set(id, next)
    this.#record(next, kind, before, replaced)
  }

  /** One belief takes the place of another: weakened to `after`, named as its successor unless the link is not wanted, and kept as history. */
  supersede(older: string, newer: string, after: number, linked = true): void {
    this.move(older, 'weakened', after, linked ? { supersededBy: newer } : {})
    this.patch(newer, { supersedes: [...new Set([...this.belief(newer).supersedes, older])] })
  }

  /** Without a change of confidence. */
  patch(id: string, patch: Partial<Belief>): void {
    this.beliefs.set(id, { ...this.belief(id), ...patch })
  }

  setVector(id: string, vector: Float32Array): void {
    this.beliefVectors.set(id, vector)
    this.vectors.push({ key: beliefKey(id), stamp: this.#stamp, data: vector })
  }

  prune(id: string): void {
    const belief = this.belief(id)
    this.#gone.add(id)
    this.beliefs.delete(id)
    this.changes.push({ belief: id, kind: 'pruned', text: belief.text, before: this.confidence(belief), after: null })
  }

  cite(evidence: Omit<Evidence, 'id' | 'at'>): void {
    this.#evidence.push({ ...evidence, id: `${this.#prefix}.e${this.#evidence.length}`, at: this.at })
  }

  /** The one transaction. */
  toChange(meta: Record<string, unknown>): Change {
    const gone = [...this.#gone]
    return {
      put: {
        turns: this.turns,
        beliefs: [...this.beliefs.values()],
        // What was pruned after this turn had spoken for or against it leaves nothing behind.
        evidence: this.#evidence.filter(e => !this.#gone.has(e.belief)),
        trails: this.#trails.filter(t => !this.#gone.has(t.belief)),
        vectors: this.vectors,
        meta,
      },
      remove: {
        beliefs: gone,
        vectors: gone.map(beliefKey),
        evidence: gone.flatMap(id => (this.#state.evidenceOfBelief.get(id) ?? []).map(e => e.id)),
        trails: gone.flatMap(id => (this.#state.trailOfBelief.get(id) ?? []).map(t => t.id)),
      },
    }
  }

  #record(belief: Belief, kind: ChangeKind, before: number | null, replaced?: string): void {
    const after = this.confidence(belief)
    this.changes.push({ belief: belief.id, kind, text: belief.text, before, after })
    this.#trails.push({
      id: `${this.#prefix}.t${this.#trails.length}`,
      belief: belief.id,
      tick: this.tick,
      at: this.at,
      kind,
      confidence: after,
      ...(replaced !== undefined && { replaced }),
    })
  }
}
