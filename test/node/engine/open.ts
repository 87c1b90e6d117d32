/** A real engine for tests: real models on onnxruntime-node, the in-memory store, a clock that the test sets. */

import { fileURLToPath } from 'node:url'
import { openEngine, type EngineOptions } from '../../../src/engine/index.ts'
import type { Models, Store } from '../../../src/engine/ports.ts'
import type { Memory } from '../../../src/memory.ts'
import { openNodeModels } from '../../../src/models/node.ts'
import { openMemoryStore } from '../../../src/store/memory.ts'

let loaded: Promise<Models> | undefined

/** Loaded once for a test file. */
export const models = () => (loaded ??= openNodeModels({ modelsDir: fileURLToPath(new URL('../../../models', import.meta.url)) }))

export const start = Date.parse('2026-03-02T09:00:00Z')
export const hour = 3_600_000

export async function open(
  options: EngineOptions & { store?: Store; models?: Models } = {},
): Promise<{ memory: Memory; store: Store; clock: { now: number } }> {
  const { store = openMemoryStore(), models: given, ...rest } = options
  const shared = given ?? (await models())
  const clock = { now: start }
  let ids = 0
  // The models outlive the engine: closing one memory must not take them from the next test.
  const kept: Models = { ...bound(shared), dispose: async () => undefined }
  const memory = await openEngine({ name: 'test', store, models: kept, now: () => clock.now, newId: () => `id${ids++}` }, rest)
  return { memory, store, clock }
}

/** The same models as plain functions, for tests that put another in the place of one. */
export function bound(m: Models): Models {
  return {
    has: m.has,
    vectorStamp: m.vectorStamp,
    dimensions: m.dimensions,
    embed: (...a) => m.embed(...a),
    entail: (...a) => m.entail(...a),
    relevance: (...a) => m.relevance(...a),
    logProbability: (...a) => m.logProbability(...a),
    countTokens: text => m.countTokens(text),
    generate: (...a) => m.generate(...a),
    status: () => m.status(),
    dispose: () => m.dispose(),
  }
}

/** Models that fail, or do something, at the n-th call. */
export function failingAt(m: Models, n: number, failure: () => never): { models: Models; calls: () => number } {
  let calls = 0
  const count = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      if (++calls === n) failure()
      return call(...args)
    }
  }
  const base = bound(m)
  return {
    models: {
      ...base,
      embed: count(base.embed),
      entail: count(base.entail),
      relevance: count(base.relevance),
      logProbability: count(base.logProbability),
    },
    calls: () => calls,
  }
}

/** Says turns an hour apart; ids `t0`, `t1`, … unless given. */
export async function say(memory: Memory, clock: { now: number }, ...texts: string[]) {
  const observations = []
  for (const text of texts) {
    clock.now += hour
    observations.push(await memory.observe({ text, at: clock.now }))
  }
  return observations
}
