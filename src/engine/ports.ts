/** What the engine needs from outside. It has no browser globals: a host injects these. */

import type { Belief, Evidence, ModelRole, ModelStatus, Role, SilverLabel, Span, TrailPoint } from '../memory.ts'

/** Softmaxed output of the NLI cross-encoder; the three add up to 1. */
export interface Entailment {
  contradiction: number
  entailment: number
  neutral: number
}

/**
 * The loaded models. A role that is not in `has` must not be called. Outputs depend on the text only, not on what else is in the batch,
 * up to the tolerance stated in the manifest. Inputs longer than a model takes are truncated at the end.
 */
export interface Models {
  readonly has: { readonly [R in ModelRole]?: boolean | undefined }
  /** `id@revision/dtype` of each embedder: vectors with different stamps are never compared. */
  readonly vectorStamp: string
  /** Length of an embedding, 0 without an embedder. */
  readonly dimensions: number
  /** L2-normalised vectors; `as` adds the model's query prefix where it has one. `by`: default `embedder`. Cosines of the two's vectors mean nothing. */
  embed(texts: readonly string[], as: 'query' | 'passage', signal?: AbortSignal, by?: 'embedder' | 'embedder-zh'): Promise<Float32Array[]>
  /** For each (premise, hypothesis). */
  entail(pairs: readonly (readonly [premise: string, hypothesis: string])[], signal?: AbortSignal): Promise<Entailment[]>
  /** Logits: does this memory bear on this query? */
  relevance(query: string, memories: readonly string[], signal?: AbortSignal): Promise<number[]>
  /**
   * Summed log p(target | context), nats, for each pair. The context is followed by a line feed; an empty context stands for the bare prior,
   * and then only the tokens of the target after the start token count.
   */
  logProbability(pairs: readonly (readonly [context: string, target: string])[], signal?: AbortSignal): Promise<number[]>
  /** Tokens as the LM counts them, ⌈UTF-8 bytes / 3⌉ without one. */
  countTokens(text: string): number
  /** Greedy continuation of at most `limit` tokens, ending at the end-of-turn token. */
  generate(prompt: string, limit: number, signal?: AbortSignal): Promise<string>
  status(): { models: ModelStatus[]; missing: { role: ModelRole; reason: string }[] }
  dispose(): Promise<void>
}

/** A turn as stored. */
export interface TurnRecord {
  id: string
  /** Position in the order of observation, 0, 1, … over all turns. */
  order: number
  /** Number of user turns up to and including this one: the t of the life cycle. */
  tick: number
  role: Role
  text: string
  at: number
  speaker?: string
  trusted?: false
  conversation?: string
  /** Pieces that are searched and scored by themselves, each short enough for the models. */
  passages: Span[]
}

/** Vectors of a belief (one) or of a turn's passages (one each, one after the other). */
export interface VectorRecord {
  /** `b:` or `t:` and the owner's id. */
  key: string
  stamp: string
  data: Float32Array
}

export interface TrailRecord extends TrailPoint {
  id: string
  belief: string
}

export interface LabelRecord extends SilverLabel {
  id: string
  at: number
  /** What was answered; absent in labels of an export without answers. */
  answer?: string
  /** The signals of the candidate at the time, as the head takes them. */
  features: number[]
}

/** Small named values: `tick`, `order`, the learned head. */
export type Meta = Record<string, unknown>

/** Everything, as read at opening. Arrays in the order of insertion. */
export interface Snapshot {
  turns: TurnRecord[]
  beliefs: Belief[]
  evidence: Evidence[]
  trails: TrailRecord[]
  vectors: VectorRecord[]
  labels: LabelRecord[]
  meta: Meta
  /** Number of commits so far. */
  generation: number
}

/** One atomic step: all of it or none. `put` replaces by id (or key). */
export interface Change {
  /** What goes is to be erased: afterwards the files of the database must not hold it either, as far as the platform allows. */
  erase?: true
  put?: {
    turns?: TurnRecord[]
    beliefs?: Belief[]
    evidence?: Evidence[]
    trails?: TrailRecord[]
    vectors?: VectorRecord[]
    labels?: LabelRecord[]
    meta?: Meta
  }
  remove?: {
    turns?: string[]
    beliefs?: string[]
    evidence?: string[]
    trails?: string[]
    vectors?: string[]
    labels?: string[]
    meta?: string[]
  }
}

/** The database. Two engines may hold it at once: a commit against an outdated generation is refused. */
export interface Store {
  load(): Promise<Snapshot>
  /** Runs when no other engine on this database has its turn, where the platform can tell: between two that write at once, one would starve. */
  turn<T>(work: () => Promise<T>): Promise<T>
  /** The number of commits so far, read from the database itself. */
  generation(): Promise<number>
  /**
   * One transaction. Rejects with `Conflict` and changes nothing when the database's generation is not `expected`; else resolves with the new
   * generation after the data is durable. Other failures: `QuotaExceeded`, `StoreFailed`; nothing is changed then either.
   */
  commit(change: Change, expected: number): Promise<number>
  /** Erases everything of this name; the generation goes on counting. */
  clear(): Promise<number>
  usage(): Promise<Usage>
  /** Whether what is stored is encrypted. */
  readonly encrypted: boolean
  /** Protects the key by another passphrase; encrypts what was not. Rejects with `NotEncrypted` where nothing can be encrypted. */
  changePassphrase(passphrase: string): Promise<void>
  close(): Promise<void>
}

export interface Usage {
  /** Bytes used and available, where the host tells. */
  used: number | null
  quota: number | null
  persisted: boolean | null
  /** What is stored goes with the worker: the browser gives no storage. */
  temporary: boolean
  /** Files of the database may still hold what was erased. */
  erasing: boolean
}
