/**
 * The public types. They are the reference: meaning, unit, range, default and errors stand here.
 * The same `Memory` interface is implemented by the page-side client and by the engine in the worker.
 */

import type { Parameters } from './parameters.ts'

export type { Parameters }

/** Who wrote a turn. Only what a `user` wrote can become a belief; `assistant` turns are searchable; `system` and `tool` turns are ignored. */
export type Role = 'user' | 'assistant' | 'system' | 'tool'

/** One message of a chat. Immutable once observed. */
export interface Turn {
  /** Default `'user'`. */
  role?: Role
  /** What was written; at most 1,000,000 UTF-16 units, else `InvalidArgument`. May be empty. */
  text: string
  /** The host's own id of the message; observing the same id again changes nothing. Default: a random one. */
  id?: string
  /** When it was written: a Date, an ISO 8601 string or milliseconds since 1970. Default: now. "Yesterday" in the text is resolved against it. */
  at?: Date | string | number
  /** Name of the person, in chats with more than one. Beliefs of different speakers never contradict each other. */
  speaker?: string
  /**
   * False for words that the person may not have written themselves, such as a shared page or a forwarded letter: what they form stays a hypothesis of
   * low confidence, and they strengthen, promote and correct nothing. Default true.
   */
  trusted?: boolean
  /** The conversation it belongs to. Neighbours are looked for inside one conversation only. */
  conversation?: string
}

/** What the gate did with a proposition: PreCoMem's three mechanisms, or nothing at all. */
export type Route = 'maintain' | 'profile' | 'correct' | 'ignored'

/**
 * What sort of statement it is: a standing instruction to the assistant, a change of what held before or a denial of what was spoken of, a like or
 * dislike, or anything else.
 */
export type StatementLabel = 'instruction' | 'update' | 'preference' | 'statement'

/** Why a proposition was not considered. */
export type IgnoredReason =
  | 'empty'
  | 'not-user' // an assistant, system or tool turn
  | 'question'
  | 'request' // a one-off task for the assistant
  | 'quotation'
  | 'hypothetical'
  | 'other-people'
  | 'pasted' // code or a document
  | 'small-talk'
  | 'not-lasting' // true at best for the moment
  | 'instruction-like' // text that tries to steer the assistant, or imitates roles
  | 'recalled' // came out of our own prompt block
  | 'forget-all' // asks for everything to be erased: nothing was; ask the person, and call `forgetAll`
  | 'read-only'

/** Place of a quotation in a turn's text: UTF-16 offsets, end exclusive. */
export type Span = readonly [start: number, end: number]

export type ChangeKind =
  | 'created'
  | 'reinforced'
  | 'weakened' // by a contradiction
  | 'promoted' // hypothesis → fact
  | 'woken' // a superseded belief is current again
  | 'pruned' // a hypothesis fell below the pruning threshold
  | 'expired' // a dated event is over
  | 'edited'
  | 'pinned'
  | 'unpinned'
  | 'merged' // it said the same as another belief, which has its evidence now
  | 'retracted'
  | 'forgotten'

/** One movement of one belief. */
export interface BeliefChange {
  belief: string
  kind: ChangeKind
  /** Text after the change; empty when forgotten. */
  text: string
  /** Confidence before, or null when the belief is new. */
  before: number | null
  /** Confidence after, or null when the belief is gone. */
  after: number | null
}

/** What became of one self-contained statement of a turn. */
export interface PropositionOutcome {
  text: string
  span: Span
  route: Route
  /** Set when `route` is `ignored`. */
  reason?: IgnoredReason
  /** Set when `route` is not `ignored`. */
  label?: StatementLabel
  /** Retrieval reliability ρ ∈ [0,1]: 1 − normalised entropy of the retrieval scores. */
  reliability: number
  /** Raw surprisal S_raw ∈ [0,1]: λ·d_sem + (1−λ)·d_conf. */
  rawSurprisal: number
  /** Effective surprisal x = ρ·S_raw ∈ [0,1]; the gate compares it with θ_low and θ_high. */
  surprisal: number
  changes: BeliefChange[]
}

/** Result of `observe`. */
export interface Observation {
  /** Id of the turn. */
  turn: string
  /** True when this id had been observed before: nothing was changed. */
  repeated: boolean
  /** One entry a proposition, in the order of the text. Empty for a repeated turn. */
  propositions: PropositionOutcome[]
  /** Every change of the turn, those of the life cycle included. */
  changes: BeliefChange[]
}

/** One piece of evidence for or against a belief, with its place. */
export interface Evidence {
  id: string
  belief: string
  /** Id of the turn it stands in. */
  turn: string
  span: Span
  stance: 'supports' | 'contradicts'
  /**
   * η of a support, ζ of a contradiction, or the initial confidence w₀ of the statement that made the belief; ∈ [0,1]. 0: the assistant's words for
   * it, which count for nothing.
   */
  strength: number
  /** Milliseconds since 1970: when the turn was written. */
  at: number
}

/** One point of a belief's confidence over time. */
export interface TrailPoint {
  /** Number of the user turn t (1, 2, …). 0 for a change made by hand before any turn. */
  tick: number
  /** Milliseconds since 1970. */
  at: number
  kind: ChangeKind
  /** Confidence after the change. */
  confidence: number
  /** The text it replaced, when `kind` is `edited`. */
  replaced?: string
}

/** Something believed about the person. */
export interface Belief {
  id: string
  /** The person's own words, made self-contained, in their language. */
  text: string
  /** A hypothesis becomes a fact at τ_promote, once and one way. */
  kind: 'fact' | 'hypothesis'
  /** `explicit`: said. `latent`: inferred. */
  origin: 'explicit' | 'latent'
  /** w ∈ (0,1]. */
  confidence: number
  /** The nearest of a fixed list of life topics, such as `food` or `work`; null when none is near. */
  topic: string | null
  /** The speaker it is about, in chats with more than one. */
  speaker?: string
  /** Milliseconds since 1970. */
  createdAt: number
  /** ℓ: number of the user turn that last supported it. */
  lastSupported: number
  /** An explicit statement does not decay for want of support. */
  protected: boolean
  /** Milliseconds since 1970 after which a dated event is over. */
  expiresAt?: number
  /** Set for what passes by itself (a mood, an illness, a journey): w halves with every `halfLife` milliseconds after `from`, when it was last said. */
  fades?: { from: number; halfLife: number }
  /** Set for a standing instruction to the assistant ("answer in short sentences"). */
  instruction?: true
  /** A pinned belief never loses confidence by itself. */
  pinned: boolean
  /** Ids of the beliefs it replaced. */
  supersedes: string[]
  /** Id of the belief that replaced it; a superseded belief is never recalled, but for questions about the past. */
  supersededBy?: string
  /** Set when the person withdrew it; kept as history only. */
  retracted?: boolean
}

export interface BeliefFilter {
  /** Words to look for, by the same lexical index that recall uses. */
  text?: string
  kind?: 'fact' | 'hypothesis'
  topic?: string
  speaker?: string
  /** Superseded and retracted ones too. Default false. */
  past?: boolean
  /** Least confidence. Default 0. */
  minConfidence?: number
}

/** Why something is believed. */
export interface Explanation {
  belief: Belief
  /** Oldest first, each with the words it rests on. */
  evidence: (Evidence & { quote: string; role: Role })[]
  trail: TrailPoint[]
  /** What it replaced and what replaced it. */
  supersedes: Belief[]
  supersededBy: Belief | null
}

export interface RecallOptions {
  /** Tokens that `prompt` may use at most, counted as the LM's tokenizer does, or as ⌈UTF-8 bytes / 3⌉ without it. Integer ≥ 0. Default 400. */
  budget?: number
  /** When the question is asked. Default: now. */
  at?: Date | string | number
  /** Most memories chosen, k. Integer 1 … 50. Default: `parameters.k` (5). */
  limit?: number
  /**
   * Messages that the host's model sees anyway, each known by its id or its text: what was said in them is not recalled, nor what is far weaker evidence
   * than that. Default: none.
   */
  seen?: readonly Pick<Turn, 'id' | 'text'>[]
  signal?: AbortSignal
}

/** The parts a candidate's score is made of. */
export interface ScoreParts {
  /** BM25 rank and dense rank fused, scaled to [0,1] over the candidates. */
  fused: number
  /** Cosine with the query; 0 without an embedder. */
  cosine: number
  /** Share of the query's words that the memory has, each weighed by its rarity; ∈ [0,1]. */
  overlap: number
  /** True for a belief, a turn that supports a current one, a long turn, and any turn of a chat between people; false for a passing remark. */
  held: boolean
  /** Log-odds that a message like the query is answered better by knowing the person; the same for all candidates of a query. */
  need: number
  /**
   * Logit of the evidence cross-encoder, or null when it did not score this one. Of what took the place of an earlier belief that the query is
   * nearer to: the logit of that one less 1.
   */
  evidence: number | null
  /** Sal_q = log p(q | c) − log p(q), nats, or null when the LM did not score this one. */
  salience: number | null
  /** κ·log w. 0 for turns. */
  confidence: number
  /**
   * What the messages beside a short one in its conversation add to its score. Below 0 in a chat between people, where all are drawn together again
   * under the best.
   */
  nearby: number
  /** What lifts a later word on the same number or date to an earlier one, ≥ 0. */
  newest: number
  /** What lifts a standing instruction to the best of the rest, when it is for such a message, ≥ 0. */
  standing: number
  /**
   * What a Chinese question's being asked by itself, or a second time with the words of its best memory, adds. Below 0 for what only the second
   * asking found: its other parts are of that.
   */
  again: number
}

/** One memory considered for a query. */
export interface RecalledItem {
  kind: 'belief' | 'turn'
  id: string
  /** Who wrote it; always `user` for a belief. */
  role: Role
  /** What is shown of it: a belief's text, or the passage of a turn, without a value that it says to be over. */
  text: string
  /** Calibrated evidence: the log-odds that this memory bears on the query, + κ·log w. It is chosen when greater than τ. */
  score: number
  parts: ScoreParts
  /** Turns it rests on; a turn's own id for a turn. */
  turns: string[]
  /** Milliseconds since 1970: when it was last said. */
  at: number
  /** w of a belief; null for a turn. */
  confidence: number | null
  /** True for superseded values, which are given only to questions about the past. */
  past: boolean
}

/** Everything that led to a decision, for the inspector and the bench. */
export interface RecallTrace {
  /** `llm`: the host's own model chose, see `credence/llm`. */
  controller: 'likelihood' | 'learned' | 'lexical' | 'llm'
  /** τ. */
  threshold: number
  /** Every candidate, best first, chosen or not. */
  candidates: RecalledItem[]
  /** Milliseconds spent in each part. */
  timings: { search: number; evidence: number; salience: number; total: number }
}

/** Result of `recall`. */
export interface Recall {
  /** g_τ: whether any memory bears on the query at all. */
  needed: boolean
  /** `none`: answer from the query alone. `current`: use what holds now. `past`: the query asks about what used to hold. */
  strategy: 'none' | 'current' | 'past'
  /** Chosen beliefs, best first. */
  beliefs: RecalledItem[]
  /** Chosen turns, best first. */
  turns: RecalledItem[]
  /** A delimited block for the model's prompt, labelled as data, within `budget` tokens; `''` when nothing is needed. */
  prompt: string
  trace: RecallTrace
}

/** A part of a message that has several. Parts of the type `text` are read; all others stay as they are. */
export interface ContentPart {
  type: string
  text?: string
}

/** A message as chat APIs know it. It may have more fields, such as a tool's call: they stay as they are. */
export interface ChatMessage {
  role: Role | 'developer' | 'function'
  /** Text, or parts as for messages with images; null or missing where a message only calls a tool. */
  content?: string | readonly ContentPart[] | null
  id?: string
}

/** The message that `augment` adds. */
export interface PromptMessage {
  role: 'system'
  content: string
}

export interface AugmentOptions extends Omit<RecallOptions, 'seen'> {
  /** How many of the last messages the host sends to its model anyway; what was said in them is not repeated. Integer ≥ 0. Default: all of `messages`. */
  window?: number
  /**
   * Where the model expects the block. `message`: a system message of its own before the last user message. `system`: at the end of the first
   * message when that is a system message, else as the first one; for models that take a system message only there. `user`: at the head of the last user
   * message, for models that take no system message. Default `message`.
   */
  place?: 'message' | 'system' | 'user'
}

export interface AnswerOptions extends RecallOptions {
  /**
   * Answers to choose from, 2 … 20, none empty: the likeliest is chosen. Options of three words or more are compared with what was recalled too: what
   * contradicts it counts for less. Default: none, and a short answer is written.
   */
  options?: readonly string[]
  /** Most tokens written. Integer 1 … 256. Default 48. Of no effect with `options`. */
  tokens?: number
  /** An earlier recall for the same query, to be read instead of a new one. */
  recall?: Recall
}

/** Result of `answer`. */
export interface Answer {
  /** The option that was chosen, or what the model wrote. */
  text: string
  /** Index of the chosen option; null when none were given. */
  choice: number | null
  /** Probability of each option, adding up to 1; empty when none were given, or when a model chose that does not tell. */
  probabilities: number[]
  /** What it rests on. With `needed: false` the query alone was read. */
  recall: Recall
}

/** Progress of a download, a load or an import. */
export interface Progress {
  stage: 'download' | 'load' | 'self-test' | 'index' | 'import'
  /** File, model or turn id in work. */
  item: string
  /** `cache` when the bytes did not come over the network. */
  source?: 'network' | 'cache'
  /** Bytes or turns. */
  done: number
  total: number
}

export type Device = 'webgpu' | 'wasm' | 'cpu'
/** `embedder-zh` turns Chinese texts into vectors; `embedder` all others. */
export type ModelRole = 'embedder' | 'embedder-zh' | 'nli' | 'evidence' | 'lm'

/** A model from a hub instead of the files under `assets`. */
export interface HubModel {
  /** Such as `Xenova/bge-small-en-v1.5`. */
  hub: string
  /** Commit hash of the hub repository, 40 hex digits. */
  revision: string
  /** File of the ONNX graph inside the repository. Default `onnx/model_quantized.onnx`. */
  file?: string
  /** How token vectors become one (embedders only). Default `cls`. */
  pooling?: 'cls' | 'mean'
  /** Text put before a query (embedders only). Default none. */
  queryPrefix?: string
}

export interface ModelStatus {
  role: ModelRole
  id: string
  revision: string
  dtype: string
  languages: string[]
  device: Device
  /** Outputs agreed with the reference on this device. */
  selfTest: 'passed' | 'failed' | 'none'
  /** Milliseconds of the self-test's inputs, per candidate device. */
  timings: Partial<Record<Device, number>>
  loadMs: number
  /** Devices that were tried and not used, with the reason. */
  refused: { device: Device; reason: string }[]
}

export interface Status {
  name: string
  models: ModelStatus[]
  /** Roles that could not be loaded, with the reason; memory works without them, less well. */
  missing: { role: ModelRole; reason: string }[]
  /** What it was opened for: without Chinese among them, `embedder-zh` is left out. */
  languages: string[]
  controller: 'likelihood' | 'learned' | 'lexical'
  turns: number
  beliefs: { current: number; superseded: number; hypotheses: number }
  /** N_eff = Σ w over all beliefs. */
  effectiveBeliefs: number
  /** All parameters as they are in force. */
  parameters: Parameters
  storage: {
    /** Bytes of this origin, where the browser tells. */
    used: number | null
    quota: number | null
    /** False when the browser may throw the data away for want of room. */
    persisted: boolean | null
    /** The browser gives no storage, as in some private windows: everything is gone when the last tab is closed. */
    temporary: boolean
    /** What was forgotten is gone from the database, but may still be in files of the browser; they are being cleaned, or will be after the next opening. */
    erasing: boolean
    /** This browser has had a memory of this name, and has lost it: it found the database empty when it was opened. */
    evicted: boolean
  }
  /** Damaged records, which were left out and left where they are. */
  quarantined: number
  encrypted: boolean
  /** Why nothing can be written, or null. */
  readOnly: string | null
  /** Whether the worker that does the work for all tabs of this origin runs in this one. */
  leader: boolean
  threads: number
  crossOriginIsolated: boolean
}

export interface ForgetTarget {
  /** Everything that came from this turn, its text included. */
  turn?: string
  /** Everything said at or after this time. */
  since?: Date | string | number
}

/** What was erased. */
export interface Forgotten {
  beliefs: string[]
  turns: string[]
}

export type ImportMode = 'skip' | 'overwrite' | 'append'

/** `export()`'s result; `import` takes it back exactly. */
export interface PortableMemory {
  format: 'credence'
  version: 1
  exportedAt: string
  turns: unknown[]
  beliefs: unknown[]
  evidence: unknown[]
  trails: unknown[]
  labels: unknown[]
  tick: number
}

export interface ImportSummary {
  turns: number
  beliefs: number
  skipped: number
}

/** What `subscribe` tells. */
export type MemoryEvent = CommitEvent | RecallEvent

/** One committed turn or act, told in every tab. */
export interface CommitEvent {
  /**
   * `forgotten`: something was erased, by a call or by a turn that asks for it (“Forget that I …”). `read-only`: there is no room left, so nothing is
   * written until something is forgotten or the memory is opened anew.
   */
  type: 'observed' | 'changed' | 'forgotten' | 'imported' | 'read-only'
  /** The turn, when there is one. */
  turn?: string
  /** What became of each statement of the turn, when there is one. */
  propositions?: PropositionOutcome[]
  changes: BeliefChange[]
}

/** One `recall`, `augment` or `answer`, told only where it was asked: what a person asks does not go to other tabs. */
export interface RecallEvent {
  type: 'recalled'
  query: string
  recall: Recall
  /** Recalling writes no turn and changes nothing: never set, and always empty. */
  turn?: undefined
  changes: BeliefChange[]
}

/** A silver label made by `feedback`. */
export interface SilverLabel {
  query: string
  /** Kind and id of the memory, as in RecalledItem. */
  item: string
  text: string
  /** Sal_a = log p(a | q, c) − log p(a | q), nats. */
  salienceAnswer: number
  used: boolean
}

export interface Feedback {
  /** The query of an earlier `recall`. */
  query: string
  /** The answer that was given and accepted. */
  answer: string
  /** Ids of the memories that the answer used, when the host knows. */
  used?: string[]
  signal?: AbortSignal
}

/** A memory of one person (or one `name`). Every method rejects with `CredenceError`; with an `AbortError` when its signal fires. */
export interface Memory {
  observe(turn: Turn, options?: { signal?: AbortSignal }): Promise<Observation>
  /** Observes turns in their order; yields as each is committed. Stopping the loop stops the import; starting again with the same ids resumes it. */
  observeAll(
    turns: Iterable<Turn> | AsyncIterable<Turn>,
    options?: { signal?: AbortSignal; onProgress?: (p: Progress) => void; total?: number },
  ): AsyncIterable<Observation>
  /** What is remembered that bears on the query; nothing does (`needed: false`) on one of white space alone. */
  recall(query: string, options?: RecallOptions): Promise<Recall>
  /** The messages with the prompt block put in at `place`; the same array when no memory is needed. Recalls for the text of the last user message. */
  augment<M extends ChatMessage>(messages: M[], options?: AugmentOptions): Promise<(M | PromptMessage)[]>
  /**
   * Answers from memory by the built-in language model, or from the query alone when no memory is needed. A small model: poor at prose, better at
   * choosing among `options`. A query of white space alone has the answer `''`; with `options` the likeliest by what is given is chosen. Rejects with
   * `ModelMissing` without the `lm` model. Writes nothing.
   */
  answer(query: string, options?: AnswerOptions): Promise<Answer>
  /** The prompt block for memories that the host chose itself among the candidates of a recall, within `budget` tokens (default 400). */
  promptFor(items: readonly RecalledItem[], budget?: number): Promise<string>
  /**
   * Labels the candidates of a query by Sal_a and refits the on-device controller on the last 500 labels. Reads `salienceCandidates` + 1 texts with
   * the `lm` model, without which it rejects with `ModelMissing`.
   */
  feedback(feedback: Feedback): Promise<SilverLabel[]>
  /** Erases all labels of `feedback` and what was learnt from them: the controller is as it was delivered. */
  resetLearning(): Promise<void>
  beliefs(filter?: BeliefFilter): Promise<Belief[]>
  /** Rejects with `NotFound`. */
  belief(id: string): Promise<Belief>
  /** The belief and all that it replaced or that replaced it, oldest first. */
  history(id: string): Promise<Belief[]>
  explain(id: string): Promise<Explanation>
  /** The turn as it was observed. Rejects with `NotFound`. */
  turn(
    id: string,
  ): Promise<Required<Pick<Turn, 'id' | 'role' | 'text'>> & { at: number; speaker?: string; trusted?: false; conversation?: string }>
  /** Replaces the text; the old text stays in the trail. Confidence becomes at least τ_promote. */
  edit(id: string, text: string): Promise<Belief>
  pin(id: string, pinned?: boolean): Promise<Belief>
  /** The person no longer holds it: kept as history, never recalled. */
  retract(id: string): Promise<Belief>
  /**
   * Erases: beliefs, their evidence, the text of the turns they rest on, vectors, index entries, labels. The files of the browser are cleaned in the
   * background; `status().storage.erasing` tells when it is done.
   */
  forget(target: string | ForgetTarget): Promise<Forgotten>
  forgetAll(): Promise<void>
  /**
   * Bank hygiene: beliefs that say the same become one, with the evidence of both, and of two that cannot both hold the one said last does; looks at
   * the beliefs that were supported since it last did. Nothing is erased. The worker does it by itself when it has been idle for half a minute.
   * Resolves with the changes; an abort keeps what was done until then.
   */
  tidy(options?: { signal?: AbortSignal }): Promise<BeliefChange[]>
  export(): Promise<PortableMemory>
  /** All of it or, where it is aborted or fails, nothing. `mode` says what becomes of records that are here already. Default `'skip'`. */
  import(data: PortableMemory, mode?: ImportMode, options?: { signal?: AbortSignal }): Promise<ImportSummary>
  /** Current beliefs as a Markdown list by topic. */
  toMarkdown(): Promise<string>
  /** Calls `listener` after each commit, in every tab, and after each recall made here. Returns the function that ends it. */
  subscribe(listener: (event: MemoryEvent) => void): () => void
  status(): Promise<Status>
  /**
   * Protects an encrypted memory by another passphrase, at once and whatever its size; encrypts a memory that was not. 1 … 1,000 characters. A lost
   * passphrase cannot be replaced. Other tabs that have the memory open go on with it.
   */
  changePassphrase(passphrase: string): Promise<void>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface MemoryOptions {
  /** Namespace: memories of different names never mix. 1 … 100 characters. Default `'default'`. */
  name?: string
  /** Base URL of the models and runtime files. Default: beside the script. */
  assets?: string | URL
  /** Replaces models by role, or leaves one out with `false`. */
  models?: Partial<Record<ModelRole, HubModel | false>>
  /**
   * The languages that the person reads, as BCP 47 tags; `InvalidArgument` for anything else. The model that finds Chinese texts by their meaning (26 MB)
   * is loaded when one of them is Chinese and `models` has no `embedder`. Default: the browser's, `navigator.languages`.
   */
  languages?: readonly string[]
  /** Allows requests to a model hub for `models`. Default false: nothing is fetched from anywhere but `assets`. */
  allowDownload?: boolean
  /** Default `'auto'`: per model, whichever passes its self-test and is fastest. */
  device?: 'auto' | 'webgpu' | 'wasm'
  /** Unit of observation. Default `'proposition'`; `'turn'` is the paper's. */
  granularity?: 'proposition' | 'turn'
  /** Who decides about recall. Default `'auto'`: `learned`, which is measured to find more than `likelihood` by the built-in LM. */
  controller?: 'auto' | 'likelihood' | 'learned'
  /** Overrides of the table in `parameters`; out of range rejects with `InvalidArgument`. */
  parameters?: Partial<Parameters>
  /**
   * Encrypts everything that is stored. 1 … 1,000 characters; a lost one is final. Rejects with `WrongPassphrase`; with `NotEncrypted` where there is a
   * memory without encryption (`changePassphrase` encrypts it). An encrypted memory rejects with `PassphraseNeeded` without it. Default: no encryption.
   */
  passphrase?: string
  /** Recall only; nothing is written. Default false. */
  readOnly?: boolean
  onProgress?: (progress: Progress) => void
  signal?: AbortSignal
}
