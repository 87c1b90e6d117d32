/** Times the models alone, in a worker as the library has them. */

import { openModels } from '../../src/models/index.ts'
import type { ModelStatus } from '../../src/memory.ts'
import { randomNumbers } from '../metrics.ts'

export interface Costs {
  /** Milliseconds of each sample. */
  embed24: number[]
  nli10x48: number[]
  evidence16x48: number[]
  lm8x48: number[]
  models: ModelStatus[]
  missing: string[]
}

/** Words that every tokenizer here takes as one token each. */
const vocabulary =
  'the house is near a river and my old friend has seven green books on his table but she will come home again with some new bread for us'.split(
    ' ',
  )

const random = randomNumbers(7)
/** A text of so many tokens that was not there before. */
const words = (count: number) => Array.from({ length: count }, () => vocabulary[Math.floor(random() * vocabulary.length)]).join(' ')
const many = <T>(count: number, make: () => T) => Array.from({ length: count }, make)

async function time(samples: number, run: () => Promise<unknown>): Promise<number[]> {
  await run()
  const times: number[] = []
  for (let i = 0; i < samples; i++) {
    const started = performance.now()
    await run()
    times.push(performance.now() - started)
  }
  return times
}

onmessage = async ({ data: { assets, samples } }: MessageEvent<{ assets: string; samples: number }>) => {
  const models = await openModels({ assets, device: 'wasm' })
  // The LM may come after the others.
  while (models.status().missing.some(({ reason }) => reason === 'loading')) await new Promise(settle => setTimeout(settle, 100))
  const { has } = models
  const costs: Costs = {
    // Encoders put two or three special tokens around their texts, the LM a line feed between its two.
    embed24: has.embedder ? await time(samples, () => models.embed([words(22)], 'passage')) : [],
    nli10x48: has.nli ? await time(samples, () => models.entail(many(10, () => [words(23), words(22)] as const))) : [],
    evidence16x48: has.evidence
      ? await time(samples, () =>
          models.relevance(
            words(15),
            many(16, () => words(30)),
          ),
        )
      : [],
    lm8x48: has.lm ? await time(Math.min(samples, 5), () => models.logProbability(many(8, () => [words(31), words(16)] as const))) : [],
    models: models.status().models,
    missing: models.status().missing.map(({ role, reason }) => `${role}: ${reason}`),
  }
  postMessage(costs)
}
