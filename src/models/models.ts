/** Puts the roles together. The same for every host. */

import type { Models } from '../engine/ports.ts'
import { abortError, CredenceError } from '../errors.ts'
import type { ModelRole, ModelStatus, Progress } from '../memory.ts'
import { place, stampOf, steady, type Backend, type Placement } from './device.ts'
import { createEmbedder } from './embedder.ts'
import { createEvidenceModel } from './evidence.ts'
import type { Head } from './head.ts'
import { createLm } from './lm.ts'
import { roles, type ModelSpec } from './manifest.ts'
import { createNli } from './nli.ts'
import type { Parts, Session } from './session.ts'
import { createTokenizer, type TextTokenizer } from './tokenizer.ts'

/** Where a model comes from. */
export interface Source {
  spec: ModelSpec
  tokenizer(): Promise<TextTokenizer>
  parts(): Promise<Parts>
}

/** The largest first; to find memories by their meaning is what is missed most. */
const leastNeeded = ['lm', 'nli', 'evidence', 'embedder-zh', 'embedder'] as const satisfies readonly ModelRole[]

interface Loaded<H> {
  spec: ModelSpec
  head: H
  graph: Session
}

export async function assemble(
  sources: Partial<Record<ModelRole, Source | Error>>,
  backend: Backend,
  options: {
    onProgress?: ((progress: Progress) => void) | undefined
    /** Ends the loading, of what is loaded behind as well. */
    signal?: AbortSignal | undefined
    /** The language model, the largest by far, is loaded after this resolves: `has.lm` turns true later. */
    lmBehind?: boolean
    /** Called when every role is loaded or missing. */
    onSettled?: (missing: readonly { role: ModelRole; reason: string }[]) => Promise<void>
    /** Called by `dispose`. */
    onDispose?: () => void
  },
): Promise<Models> {
  const { onProgress, signal } = options
  const status: Partial<Record<ModelRole, ModelStatus>> = {}
  const missing: { role: ModelRole; reason: string }[] = []
  const sessions = new Map<ModelRole, Session>()
  const wanted = roles.filter(role => sources[role] !== undefined)
  const started = new Map<ModelRole, Promise<[TextTokenizer, Parts]>>()

  /** Files of the next role come while the session of this one is built. */
  function fetchFiles(role: ModelRole | undefined): Promise<[TextTokenizer, Parts]> | undefined {
    const source = role && sources[role]
    if (!role || !source || source instanceof Error) return undefined
    let files = started.get(role)
    if (!files) {
      files = Promise.all([source.tokenizer(), source.parts()])
      files.catch(() => undefined)
      started.set(role, files)
    }
    return files
  }

  async function load<H extends Head>(
    role: ModelRole,
    create: (spec: ModelSpec, tokenizer: TextTokenizer) => H,
  ): Promise<Loaded<H> | undefined> {
    const source = sources[role]
    if (!source) return undefined
    const next = wanted[wanted.indexOf(role) + 1]
    try {
      if (source instanceof Error) throw source
      const { spec } = source
      const [tokenizer, parts] = (await fetchFiles(role))!
      started.delete(role)
      void fetchFiles(next)
      const began = performance.now()
      const head = create(spec, tokenizer)
      onProgress?.({ stage: 'load', item: spec.id, done: 0, total: 1 })
      // The weights are let go after the first use; a lost device reads them from the cache again.
      let first: Parts | undefined = parts
      const model = {
        role,
        spec,
        head,
        async parts() {
          const kept = first
          first = undefined
          return kept ?? source.parts()
        },
      }
      const placement = await place(model, backend, options).finally(() =>
        onProgress?.({ stage: 'load', item: spec.id, done: 1, total: 1 }),
      )
      const loadMs = performance.now() - began
      const tell = (now: Placement) => (status[role] = statusOf(role, spec, now, loadMs))
      tell(placement)
      const graph = steady(model, backend, placement, tell)
      sessions.set(role, graph)
      return { spec, head, graph }
    } catch (cause) {
      if (signal?.aborted) throw abortError(signal)
      missing.push({ role, reason: reasonOf(cause) })
      void fetchFiles(next)
      return undefined
    }
  }

  const release = async () => {
    for (const role of [...sessions.keys()]) await drop(role)
  }

  /** Ends a model, and lets its memory go. */
  async function drop(role: ModelRole): Promise<void> {
    const session = sessions.get(role)
    sessions.delete(role)
    delete loaded[role]
    delete status[role]
    await session?.release().catch(() => undefined)
  }

  const loaded: {
    embedder?: Loaded<ReturnType<typeof createEmbedder>> | undefined
    'embedder-zh'?: Loaded<ReturnType<typeof createEmbedder>> | undefined
    nli?: Loaded<ReturnType<typeof createNli>> | undefined
    evidence?: Loaded<ReturnType<typeof createEvidenceModel>> | undefined
    lm?: Loaded<ReturnType<typeof createLm>> | undefined
  } = {}
  let counter: TextTokenizer | undefined
  let loadingLm = true
  const last = async () => {
    try {
      loaded.lm = await load('lm', createLm)
    } finally {
      loadingLm = false
    }
    await options.onSettled?.(missing)
  }
  let behind: Promise<void> | undefined
  try {
    loaded.embedder = await load('embedder', createEmbedder)
    loaded['embedder-zh'] = await load('embedder-zh', createEmbedder)
    await refuseOtherWidth()
    loaded.nli = await load('nli', createNli)
    loaded.evidence = await load('evidence', createEvidenceModel)
    // Tokens are counted alike before and after the model is there.
    if (sources.lm && !(sources.lm instanceof Error)) counter = await sources.lm.tokenizer().catch(() => undefined)
    if (signal?.aborted) throw abortError(signal)
    // Nobody waits for what is loaded behind, and only `dispose` ends it.
    if (options.lmBehind && counter) behind = last().catch(() => undefined)
    else await last()
  } catch (cause) {
    await release()
    throw cause
  }

  /** Vectors of both are kept in one index. */
  async function refuseOtherWidth(): Promise<void> {
    const [wide, other] = [loaded.embedder?.spec.dimensions, loaded['embedder-zh']?.spec.dimensions]
    if (wide === undefined || other === undefined || wide === other) return
    missing.push({
      role: 'embedder-zh',
      reason: `ModelFailed: it has ${other} numbers a vector, the embedder ${wide}`,
    })
    await drop('embedder-zh')
  }

  const embedders = () => [loaded.embedder, loaded['embedder-zh']].flatMap(model => model?.spec ?? [])

  let closed = false
  const outOfMemory = new Map<ModelRole, CredenceError>()

  function need<R extends ModelRole>(role: R): NonNullable<(typeof loaded)[R]> {
    if (closed) throw new CredenceError('Closed', 'the models were disposed of; open the memory again')
    const model = loaded[role]
    if (!model && outOfMemory.has(role)) throw outOfMemory.get(role)
    if (!model) throw new CredenceError('ModelMissing', `there is no ${role} model; see missing in status()`, { data: { role } })
    return model
  }

  /** Where memory does not suffice, models are let go one after the other until it does, those that can best be done without first. */
  async function using<R extends ModelRole, T>(role: R, act: (model: NonNullable<(typeof loaded)[R]>) => Promise<T>): Promise<T> {
    for (;;) {
      const model = need(role)
      try {
        return await act(model)
      } catch (cause) {
        if (!(cause instanceof CredenceError && cause.code === 'OutOfMemory')) throw cause
        // Another call may have met the same, and made room already.
        if (loaded[role] !== model) throw cause
        const next = leastNeeded.find(other => loaded[other] !== undefined)!
        outOfMemory.set(next, cause)
        missing.push({ role: next, reason: reasonOf(cause) })
        await drop(next)
        if (next === role) throw cause
      }
    }
  }

  return {
    has: {
      get embedder() {
        return loaded.embedder !== undefined
      },
      get 'embedder-zh'() {
        return loaded['embedder-zh'] && true
      },
      get nli() {
        return loaded.nli !== undefined
      },
      get evidence() {
        return loaded.evidence !== undefined
      },
      get lm() {
        return loaded.lm !== undefined
      },
    },
    // As long as both are there: what is embedded after one was let go is embedded again at the next opening.
    get vectorStamp() {
      return embedders().map(stampOf).join('+')
    },
    dimensions: embedders()[0]?.dimensions ?? 0,
    embed: (texts, as, signal, by = 'embedder') => using(by, ({ head, graph }) => head.embed(graph, texts, as, signal)),
    entail: (pairs, signal) => using('nli', ({ head, graph }) => head.entail(graph, pairs, signal)),
    relevance: (query, memories, signal) => using('evidence', ({ head, graph }) => head.relevance(graph, query, memories, signal)),
    logProbability: (pairs, signal) => using('lm', ({ head, graph }) => head.logProbability(graph, pairs, signal)),
    countTokens: text => counter?.ids(text).length ?? Math.ceil(new TextEncoder().encode(text).length / 3),
    generate: (prompt, limit, signal) => using('lm', ({ head, graph }) => head.generate(graph, prompt, limit, signal)),
    status: () => ({
      models: roles.flatMap(role => status[role] ?? []),
      missing: sources.lm && loadingLm ? [...missing, { role: 'lm', reason: 'loading' }] : [...missing],
    }),
    async dispose() {
      closed = true
      options.onDispose?.()
      await behind
      await release()
    },
  }
}

function statusOf(role: ModelRole, spec: ModelSpec, placement: Placement, loadMs: number): ModelStatus {
  const { id, revision, dtype } = spec
  const { device, selfTest, timings, refused } = placement
  return { role, id, revision, dtype, languages: [...spec.languages], device, selfTest, timings, loadMs, refused }
}

export function reasonOf(cause: unknown): string {
  if (cause instanceof CredenceError) return `${cause.code}: ${cause.message.replace(/^credence: /, '')}`
  return cause instanceof Error ? cause.message : String(cause)
}

/** Tokenizers that are the same file are made once. */
export function tokenizerPool(): (key: string, read: () => Promise<[json: object, config: object]>) => Promise<TextTokenizer> {
  const made = new Map<string, Promise<TextTokenizer>>()
  return (key, read) => {
    let tokenizer = made.get(key)
    if (!tokenizer) {
      tokenizer = read().then(([json, config]) => createTokenizer(json, config))
      made.set(key, tokenizer)
    }
    return tokenizer
  }
}
