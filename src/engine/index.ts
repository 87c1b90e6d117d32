/** The engine: `Memory` over a store and models. Writes go one after the other; each is one commit, or nothing. */

import type { Ablation } from '../belief/ablation.ts'
import { isCurrent } from '../belief/lifecycle.ts'
import { CredenceError } from '../errors.ts'
import type {
  Answer,
  AnswerOptions,
  AugmentOptions,
  Belief,
  BeliefChange,
  BeliefFilter,
  ChatMessage,
  Explanation,
  Feedback,
  ForgetTarget,
  Forgotten,
  ImportMode,
  ImportSummary,
  Memory,
  MemoryEvent,
  MemoryOptions,
  Observation,
  PortableMemory,
  Progress,
  Recall,
  RecalledItem,
  RecallOptions,
  SilverLabel,
  Status,
  Turn,
} from '../memory.ts'
import { augmentBy } from '../messages.ts'
import {
  checkAnswerOptions,
  checkBudget,
  checkFeedback,
  checkFilter,
  checkForget,
  checkId,
  checkImportMode,
  checkItems,
  checkListener,
  checkObserveAllOptions,
  checkParameters,
  checkPassphrase,
  checkPinned,
  checkQuery,
  checkRecallOptions,
  checkSignal,
  checkText,
  checkTurn,
  type CheckedRecallOptions,
} from '../options.ts'
import type { Parameters } from '../parameters.ts'
import { topics } from '../retrieval/topic.ts'
import { toMarkdown } from '../store/markdown.ts'
import { mergeImport } from '../store/merge.ts'
import { fromPortable, toPortable } from '../store/portable.ts'
import { loadDates, plain } from '../text/index.ts'
import { Draft } from './draft.ts'
import { changesOf, forgetBelief, forgetTurns } from './forget.ts'
import { learnFrom, relearn } from './learn.ts'
import { observeTurn, type WholeTurn } from './observe.ts'
import type { Change, LabelRecord, Models, Store } from './ports.ts'
import { promptBlock } from './prompt.ts'
import { answerFrom } from './reader.ts'
import { embedPassages, embeds, needLm } from './reads.ts'
import { recallFor, type Controller, type RecallContext } from './recall.ts'
import { isBeliefKey, parseKey, State } from './state.ts'
import { tidyStep } from './tidy.ts'

/** What a host injects. */
export interface EngineHost {
  name: string
  store: Store
  models: Models
  /** Milliseconds since 1970. */
  now(): number
  /** A fresh id for a turn that has none. */
  newId(): string
  onProgress?: ((progress: Progress) => void) | undefined
  /** For `status()`. Default: one thread, not isolated. */
  environment?: { threads: number; crossOriginIsolated: boolean; languages: string[] }
}

export type EngineOptions = Pick<MemoryOptions, 'parameters' | 'granularity' | 'controller' | 'readOnly'> & { ablation?: Ablation }

/** What a worker serves: `augment` is done where the messages are. */
export type ServedMemory = Omit<Memory, 'augment'>

/** Times a write is done again when another tab wrote meanwhile. */
const attempts = 8
/** Texts embedded at once when vectors are missing. */
const batch = 32

/** For those who use the engine itself. */
export async function openEngine(host: EngineHost, options: EngineOptions = {}): Promise<Memory> {
  const engine = await serveEngine(host, { ...options, parameters: checkParameters(options.parameters) })
  return Object.assign(engine, {
    augment: <M extends ChatMessage>(messages: M[], options?: AugmentOptions) =>
      augmentBy((query, recallOptions) => engine.recall(query, recallOptions), messages, options),
  })
}

/** For a worker: the page has checked the parameters, whose table it holds. */
export async function serveEngine(host: EngineHost, options: EngineOptions & { parameters: Parameters }): Promise<ServedMemory> {
  const engine = new Engine(host, options)
  await engine.load()
  return engine
}

class Engine implements ServedMemory {
  readonly #host: EngineHost
  readonly #models: Models
  readonly #parameters: Parameters
  readonly #granularity: 'proposition' | 'turn'
  readonly #wanted: 'auto' | 'likelihood' | 'learned'
  readonly #readOnly: boolean
  readonly #ablation: Ablation | undefined
  readonly #listeners = new Set<(event: MemoryEvent, call?: AbortSignal) => void>()
  #state!: State
  #anchors: readonly Float32Array[] = []
  #writes: Promise<unknown> = Promise.resolve()
  #closed = false
  #full = false

  constructor(host: EngineHost, options: EngineOptions & { parameters: Parameters }) {
    this.#host = host
    this.#models = host.models
    this.#parameters = { ...options.parameters }
    this.#granularity = options.granularity ?? 'proposition'
    this.#readOnly = options.readOnly ?? false
    this.#ablation = options.ablation
    if (this.#ablation === 'withoutConfidence') this.#parameters.confidenceWeight = 0
    this.#wanted = options.controller ?? 'auto'
  }

  async load(): Promise<void> {
    for (const language of ['de', 'es', 'zh'] as const) await loadDates(language)
    await this.#reload()
    if (this.#models.has.embedder) {
      this.#anchors = await this.#models.embed(
        topics.map(([, sentence]) => sentence),
        'passage',
      )
    }
    if (embeds(this.#models)) {
      const few = this.#state.missingVectors().length <= batch
      const embedding = this.#embedMissing()
      // With many, as after a change of model, the memory is in use meanwhile, by words; what fails is done after the next opening.
      if (few) await embedding
      else embedding.catch(() => {})
    }
  }

  async observe(turn: Turn, options?: { signal?: AbortSignal }): Promise<Observation> {
    const { signal } = checkSignal(options, 'observe')
    const checked = checkTurn(turn)
    const whole: WholeTurn = { ...checked, id: checked.id ?? this.#host.newId(), at: checked.at ?? this.#host.now() }
    if (this.#readOnly) return { turn: whole.id, repeated: false, propositions: [readOnlyOutcome], changes: [] }
    return this.#write(async state => {
      if (state.turns.has(whole.id)) return { result: { turn: whole.id, repeated: true, propositions: [], changes: [] } }
      const context = {
        state,
        models: this.#models,
        parameters: whole.trusted === false ? cautious(this.#parameters) : this.#parameters,
        granularity: this.#granularity,
        anchors: this.#anchors,
        without: this.#ablation,
        signal,
      }
      const { observation, change, erased } = await observeTurn(context, whole)
      const { propositions, changes } = observation
      return { result: observation, change, event: { type: erased ? 'forgotten' : 'observed', turn: whole.id, propositions, changes } }
    }, signal)
  }

  async *observeAll(
    turns: Iterable<Turn> | AsyncIterable<Turn>,
    options?: { signal?: AbortSignal; onProgress?: (p: Progress) => void; total?: number },
  ): AsyncGenerator<Observation> {
    const { signal, onProgress, total } = checkObserveAllOptions(options)
    let done = 0
    for await (const turn of turns) {
      const observation = await this.observe(turn, signal ? { signal } : {})
      done++
      onProgress?.({ stage: 'import', item: observation.turn, done, total: total ?? done })
      yield observation
    }
  }

  async recall(query: string, options?: RecallOptions): Promise<Recall> {
    checkQuery(query)
    return this.#recall(query, checkRecallOptions(options))
  }

  async answer(query: string, options?: AnswerOptions): Promise<Answer> {
    checkQuery(query)
    const { options: choices, tokens, recall: made, ...recallOptions } = checkAnswerOptions(options)
    this.#refuseClosed()
    needLm(this.#models, 'answer')
    const recall = made ?? (await this.#recall(query, recallOptions))
    return { ...(await answerFrom(this.#models, { query, recall, choices, tokens }, recallOptions.signal)), recall }
  }

  async promptFor(items: readonly RecalledItem[], budget?: number): Promise<string> {
    this.#refuseClosed()
    return promptBlock(checkItems(items), checkBudget(budget), text => this.#models.countTokens(text))
  }

  async feedback(feedback: Feedback): Promise<SilverLabel[]> {
    checkFeedback(feedback)
    return this.#write(async state => {
      const at = this.#host.now()
      const { labels, change } = await learnFrom(this.#recallContext(state, feedback.signal), feedback, at, this.#actId())
      return { result: labels, change }
    }, feedback.signal)
  }

  async resetLearning(): Promise<void> {
    await this.#write(async state => ({
      result: undefined,
      change: { erase: true, remove: { labels: [...state.labels.keys()], meta: ['head'] } },
    }))
  }

  async beliefs(filter?: BeliefFilter): Promise<Belief[]> {
    const { text, kind, topic, speaker, past = false, minConfidence = 0 } = checkFilter(filter)
    await this.#refresh()
    const state = this.#state
    const at = this.#host.now()
    const found =
      text === undefined ? [...state.beliefs.keys()] : state.lexical.search(text, Infinity, isBeliefKey).map(hit => parseKey(hit.id).id)
    const views = found
      .map(id => state.view(state.beliefs.get(id)!))
      .filter(b => (past || isCurrent(b, at)) && b.confidence >= minConfidence)
      .filter(b => (kind ?? b.kind) === b.kind && (topic ?? b.topic) === b.topic && (speaker ?? b.speaker) === b.speaker)
    return text === undefined
      ? views.sort((a, b) => b.confidence - a.confidence || b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
      : views
  }

  async belief(id: string): Promise<Belief> {
    checkId(id)
    await this.#refresh()
    return this.#state.view(this.#find(id))
  }

  async history(id: string): Promise<Belief[]> {
    await this.belief(id)
    const found = new Map<string, Belief>()
    const open = [id]
    while (open.length > 0) {
      const belief = this.#state.beliefs.get(open.pop()!)
      if (!belief || found.has(belief.id)) continue
      found.set(belief.id, this.#state.view(belief))
      open.push(...belief.supersedes, ...(belief.supersededBy === undefined ? [] : [belief.supersededBy]))
    }
    return [...found.values()].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  }

  async explain(id: string): Promise<Explanation> {
    const belief = await this.belief(id)
    const state = this.#state
    const view = (other: string) => {
      const found = state.beliefs.get(other)
      return found ? [state.view(found)] : []
    }
    return {
      belief,
      evidence: (state.evidenceOfBelief.get(id) ?? []).flatMap(e => {
        const turn = state.turns.get(e.turn)
        return turn ? [{ ...e, quote: turn.text.slice(...e.span), role: turn.role }] : []
      }),
      trail: (state.trailOfBelief.get(id) ?? []).map(({ tick, at, kind, confidence, replaced }) => ({
        tick,
        at,
        kind,
        confidence,
        ...(replaced !== undefined && { replaced }),
      })),
      supersedes: belief.supersedes.flatMap(view),
      supersededBy: belief.supersededBy === undefined ? null : (view(belief.supersededBy)[0] ?? null),
    }
  }

  async turn(id: string) {
    checkId(id)
    await this.#refresh()
    const turn = this.#state.turns.get(id)
    if (!turn) throw new CredenceError('NotFound', `no turn has the id "${id}"`, { data: { id } })
    const { role, text, at, speaker, trusted, conversation } = turn
    return {
      id,
      role,
      text,
      at,
      ...(trusted === false && { trusted }),
      ...(speaker !== undefined && { speaker }),
      ...(conversation !== undefined && { conversation }),
    }
  }

  async edit(id: string, given: string): Promise<Belief> {
    const text = checkText(plain(checkText(given)))
    return this.#curate(id, async draft => {
      const belief = draft.belief(id)
      const { retracted: _retracted, ...rest } = belief
      draft.beliefs.set(id, rest)
      const confidence = Math.max(draft.confidence(belief), this.#parameters.promoteAt)
      draft.move(id, 'edited', confidence, { text, kind: 'fact', origin: 'explicit', lastSupported: draft.tick }, belief.text)
      const [vector] = embeds(this.#models) ? await embedPassages(this.#models, [text]) : []
      if (vector) draft.setVector(id, vector)
    })
  }

  async pin(id: string, pinned?: boolean): Promise<Belief> {
    const on = checkPinned(pinned)
    return this.#curate(id, async draft => {
      draft.move(id, on ? 'pinned' : 'unpinned', draft.confidence(draft.belief(id)), { pinned: on, lastSupported: draft.tick })
    })
  }

  async retract(id: string): Promise<Belief> {
    return this.#curate(id, async draft => draft.move(id, 'retracted', draft.confidence(draft.belief(id)), { retracted: true }))
  }

  async forget(target: string | ForgetTarget): Promise<Forgotten> {
    const checked = checkForget(target)
    return this.#write(
      async state => {
        const { forgotten, change } =
          typeof checked === 'string' ? forgetBelief(state, checked) : forgetTurns(state, turnsOf(state, checked), checked.since)
        const changes = changesOf(forgotten, id => state.confidence(state.beliefs.get(id)!))
        return { result: forgotten, change, event: { type: 'forgotten', changes } }
      },
      undefined,
      true,
    ).then(async forgotten => {
      await this.#embedMissing()
      return forgotten
    })
  }

  async forgetAll(): Promise<void> {
    this.#refuseReadOnly(true)
    await this.#enqueue(async () => {
      await this.#host.store.clear()
      this.#full = false
      await this.#reload()
      this.#tell({ type: 'forgotten', changes: [] })
    })
  }

  async tidy(options?: { signal?: AbortSignal }): Promise<BeliefChange[]> {
    const { signal } = checkSignal(options, 'tidy')
    const all: BeliefChange[] = []
    for (let left = 1; left > 0;) {
      left = await this.#write(async state => {
        const context = { state, models: this.#models, parameters: this.#parameters, signal }
        const step = await tidyStep(context, this.#host.now(), this.#actId())
        if (!step) return { result: 0 }
        const { changes } = step.draft
        all.push(...changes)
        return { result: step.left, change: step.change, ...(changes.length > 0 && { event: { type: 'changed' as const, changes } }) }
      }, signal)
    }
    return all
  }

  async export(): Promise<PortableMemory> {
    this.#refuseClosed()
    await this.#writes
    return toPortable(await this.#host.store.load(), new Date(this.#host.now()).toISOString())
  }

  async import(data: PortableMemory, mode?: ImportMode, options?: { signal?: AbortSignal }): Promise<ImportSummary> {
    const how = checkImportMode(mode)
    const { signal } = checkSignal(options, 'import')
    const incoming = fromPortable(data)
    return this.#write(async () => {
      const current = await this.#host.store.load()
      const { change, summary } = mergeImport(current, incoming, how)
      const head = relearn(labelsAfter(current.labels, change))
      const learnt = head ? { ...change, put: { ...change.put, meta: { ...change.put?.meta, head } } } : change
      return { result: summary, change: learnt, event: { type: 'imported', changes: [] } }
    }, signal).then(async summary => {
      await this.#embedMissing()
      return summary
    })
  }

  async toMarkdown(): Promise<string> {
    return toMarkdown(await this.beliefs())
  }

  subscribe(listener: (event: MemoryEvent) => void): () => void {
    this.#refuseClosed()
    checkListener(listener)
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async status(): Promise<Status> {
    await this.#refresh()
    const { store } = this.#host
    const { effective, ...beliefs } = this.#state.counts(this.#host.now())
    return {
      name: this.#host.name,
      ...this.#models.status(),
      controller: chooseController(this.#wanted, this.#models),
      turns: this.#state.turns.size,
      beliefs,
      effectiveBeliefs: effective,
      parameters: this.#parameters,
      storage: { evicted: this.#state.generation === 0, ...(await store.usage()) },
      quarantined: (this.#state.meta['quarantined'] as number | undefined) ?? 0,
      encrypted: store.encrypted,
      readOnly: this.#readOnly ? 'opened with readOnly: true' : this.#full ? 'no room is left for the database' : null,
      leader: true,
      ...(this.#host.environment ?? { threads: 1, crossOriginIsolated: false, languages: [] }),
    }
  }

  async changePassphrase(passphrase: string): Promise<void> {
    checkPassphrase(passphrase)
    this.#refuseReadOnly()
    await this.#enqueue(() => this.#host.store.changePassphrase(passphrase))
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#writes
    this.#listeners.clear()
    await this.#host.store.close()
    await this.#models.dispose()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #recall(query: string, options: CheckedRecallOptions): Promise<Recall> {
    await this.#refresh()
    options.signal?.throwIfAborted()
    const recall = await recallFor(this.#recallContext(this.#state, options.signal), {
      query,
      at: options.at ?? this.#host.now(),
      budget: options.budget,
      limit: options.limit ?? this.#parameters.k,
      exclude: turnsAmong(this.#state, options.seen ?? []),
    })
    this.#tell({ type: 'recalled', query, recall, changes: [] }, options.signal)
    return recall
  }

  #recallContext(state: State, signal: AbortSignal | undefined): RecallContext {
    return {
      state,
      models: this.#models,
      parameters: this.#parameters,
      controller: chooseController(this.#wanted, this.#models),
      clock: () => performance.now(),
      signal,
    }
  }

  /** A change made by hand: one belief, one trail point, no turn. */
  async #curate(id: string, act: (draft: Draft) => Promise<void>): Promise<Belief> {
    checkId(id)
    return this.#write(async state => {
      this.#find(id)
      const draft = new Draft(state, {
        prefix: this.#actId(),
        stamp: this.#models.vectorStamp,
        tick: state.tick,
        at: this.#host.now(),
      })
      await act(draft)
      return {
        result: state.view(draft.belief(id)),
        change: draft.toChange({}),
        event: { type: 'changed', changes: draft.changes },
      }
    })
  }

  /** Ids of what an act writes begin so. Not counted, because an import may bring in the acts of another memory. */
  #actId(): string {
    return `act-${this.#host.newId()}`
  }

  #find(id: string): Belief {
    const belief = this.#state.beliefs.get(id)
    if (!belief) throw new CredenceError('NotFound', `no belief has the id "${id}"; beliefs({ past: true }) lists all`, { data: { id } })
    return belief
  }

  /** One write: worked out on the newest state, committed, then applied; again from the start when another engine wrote meanwhile. */
  #write<T>(
    work: (state: State) => Promise<{ result: T; change?: Change; event?: MemoryEvent }>,
    signal?: AbortSignal,
    frees = false,
  ): Promise<T> {
    this.#refuseReadOnly(frees)
    return this.#enqueue(async () => {
      for (let attempt = 1; ; attempt++) {
        signal?.throwIfAborted()
        await this.#refresh()
        const { result, change, event } = await work(this.#state)
        signal?.throwIfAborted()
        try {
          if (change) await this.#commit(change)
          if (frees) this.#full = false
        } catch (error) {
          if (error instanceof CredenceError && error.code === 'QuotaExceeded') this.#stopWriting()
          if (!(error instanceof CredenceError && error.code === 'Conflict') || attempt >= attempts) throw error
          await this.#reload()
          continue
        }
        if (event) this.#tell(event)
        return result
      }
    })
  }

  async #commit(change: Change): Promise<void> {
    this.#state.generation = await this.#host.store.commit(change, this.#state.generation)
    this.#state.apply(change)
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    this.#refuseClosed()
    const next = this.#writes.then(() => this.#host.store.turn(work))
    this.#writes = next.catch(() => undefined)
    return next
  }

  /** Takes in what other engines wrote. */
  async #refresh(): Promise<void> {
    this.#refuseClosed()
    if ((await this.#host.store.generation()) !== this.#state.generation) await this.#reload()
  }

  async #reload(): Promise<void> {
    const { vectorStamp, dimensions } = this.#models
    this.#state = new State(await this.#host.store.load(), vectorStamp, dimensions, this.#parameters.decayRate, () => this.#host.now())
  }

  /** Vectors of another model, or none after an import: made again from the text, a batch at a time, so that it goes on where it stopped. */
  async #embedMissing(): Promise<void> {
    if (!embeds(this.#models)) return
    const missing = this.#state.missingVectors()
    for (let i = 0; i < missing.length; i += batch) {
      const part = missing.slice(i, i + batch)
      const vectors = await embedPassages(
        this.#models,
        part.flatMap(({ texts }) => texts),
      )
      let from = 0
      const made = part.map(({ key, texts }) => {
        const data = new Float32Array(texts.length * this.#models.dimensions)
        vectors.slice(from, (from += texts.length)).forEach((vector, n) => data.set(vector, n * this.#models.dimensions))
        return { key, texts, data }
      })
      await this.#enqueue(() => this.#keepVectors(made))
      this.#host.onProgress?.({ stage: 'index', item: 'vectors', done: Math.min(i + batch, missing.length), total: missing.length })
    }
  }

  /** What was forgotten or edited while it was embedded must not come back by its vector. */
  async #keepVectors(made: readonly { key: string; texts: string[]; data: Float32Array }[]): Promise<void> {
    const stamp = this.#models.vectorStamp
    for (let attempt = 1; ; attempt++) {
      const missing = ({ key, texts }: { key: string; texts: string[] }) => this.#state.missingVector(key)?.join('\n') === texts.join('\n')
      const vectors = made.filter(missing).map(({ key, data }) => ({ key, stamp, data }))
      try {
        if (this.#readOnly || this.#full) this.#state.apply({ put: { vectors } })
        else if (vectors.length > 0) await this.#commit({ put: { vectors } })
        return
      } catch (error) {
        const code = error instanceof CredenceError && attempt < attempts ? error.code : null
        if (code === 'QuotaExceeded') this.#stopWriting()
        else if (code === 'Conflict') await this.#reload()
        else throw error
      }
    }
  }

  /** `call` is the signal of the call that led to it, by which a host that serves several finds the one that asked. */
  #tell(event: MemoryEvent, call?: AbortSignal): void {
    for (const listener of this.#listeners) listener(event, call)
  }

  #refuseClosed(): void {
    if (this.#closed) throw new CredenceError('Closed', 'the memory was closed; open it again with openMemory')
  }

  /** Told once; what is tried after that is refused without asking the database. */
  #stopWriting(): void {
    if (this.#full) return
    this.#full = true
    this.#tell({ type: 'read-only', changes: [] })
  }

  #refuseReadOnly(frees = false): void {
    if (this.#full && !frees) {
      const message = 'no room is left for the database; free some on the device and open the memory again, or forget something'
      throw new CredenceError('QuotaExceeded', message)
    }
    if (this.#readOnly) throw new CredenceError('ReadOnly', 'the memory was opened with readOnly: true; open it without to change it')
  }
}

/** For words that may be somebody else's: a hypothesis at most, which nothing is promoted, strengthened or corrected by. */
const cautious = (p: Parameters): Parameters => ({ ...p, gateHigh: 1, promoteAt: 1, maintainRate: 0, explicitHigh: p.explicitLow })

const readOnlyOutcome = {
  text: '',
  span: [0, 0] as const,
  route: 'ignored' as const,
  reason: 'read-only' as const,
  reliability: 0,
  rawSurprisal: 0,
  surprisal: 0,
  changes: [],
}

/**
 * Asked anew each time, because the LM may come in later than the rest. It decides only where it is asked to: the evidence model and the head find
 * more than the built-in one, and sooner (`npm run bench -- parts`). Without the evidence model, words alone decide.
 */
function chooseController(wanted: 'auto' | 'likelihood' | 'learned', models: Models): Controller {
  if (models.has.lm && wanted === 'likelihood') return 'likelihood'
  return models.has.evidence ? 'learned' : 'lexical'
}

/** Ids of the turns that a host's model sees. */
function turnsAmong(state: State, seen: NonNullable<RecallOptions['seen']>): Set<string> {
  const ids = new Set(seen.map(({ id }) => id))
  const texts = new Set(seen.map(({ text }) => text))
  return new Set(state.order.filter(turn => ids.has(turn.id) || texts.has(turn.text)).map(turn => turn.id))
}

function turnsOf(state: State, { turn, since }: { turn?: string; since?: number }): Set<string> {
  if (turn !== undefined) {
    if (!state.turns.has(turn)) throw new CredenceError('NotFound', `no turn has the id "${turn}"`, { data: { id: turn } })
    return new Set([turn])
  }
  return new Set(state.order.filter(t => t.at >= since!).map(t => t.id))
}

function labelsAfter(labels: readonly LabelRecord[], { put, remove }: Change): LabelRecord[] {
  const gone = new Set([...(remove?.labels ?? []), ...(put?.labels ?? []).map(label => label.id)])
  return [...labels.filter(label => !gone.has(label.id)), ...(put?.labels ?? [])]
}
