import type { Models } from '../../../src/engine/ports.ts'

const none = () => Promise.reject(new Error('there is no such model'))

/** What a memory has whose models were all left out: it works by words alone. */
export const noModels: Models = {
  has: { embedder: false, nli: false, evidence: false, lm: false },
  vectorStamp: '',
  dimensions: 0,
  embed: none,
  entail: none,
  relevance: none,
  logProbability: none,
  countTokens: text => Math.ceil(new TextEncoder().encode(text).length / 3),
  generate: none,
  status: () => ({ models: [], missing: [] }),
  dispose: async () => {},
}
