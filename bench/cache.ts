/**
 * Remembers model outputs on disk, so that a second run is fast. Outputs are kept exactly as they came, and the models are asked for one input at a
 * time, so that a figure never depends on what was remembered.
 */

import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { Entailment, Models } from '../src/engine/ports.ts'
import type { ModelRole } from '../src/memory.ts'
import { at } from '../scripts/layout.mjs'

const folder = () => process.env['CREDENCE_CACHE'] ?? at('node_modules/.cache/credence')

/** Bytes of the hash that stands for an input. */
const keyBytes = 16

type Numbers = Float32Array | Float64Array

/** One file of records [key, numbers], which only ever grows. Vectors come as 32-bit numbers, everything else as 64-bit ones. */
class Shelf {
  readonly #known = new Map<string, Numbers>()
  readonly #file: string
  #pending: Uint8Array[] = []

  readonly #type: Float32ArrayConstructor | Float64ArrayConstructor

  constructor(stamp: string, role: ModelRole, width: number) {
    this.#type = role.startsWith('embedder') ? Float32Array : Float64Array
    mkdirSync(folder(), { recursive: true })
    const name = createHash('sha256').update(stamp).digest('hex').slice(0, 16)
    this.#file = join(folder(), `${role}-${name}-${width}.bin`)
    if (!existsSync(this.#file)) return
    const bytes = readFileSync(this.#file)
    const record = keyBytes + width * this.#type.BYTES_PER_ELEMENT
    // What a killed run left of its last record would put the following ones out of step.
    if (bytes.length % record !== 0) truncateSync(this.#file, bytes.length - (bytes.length % record))
    for (let start = 0; start + record <= bytes.length; start += record) {
      const numbers = new this.#type(bytes.buffer.slice(bytes.byteOffset + start + keyBytes, bytes.byteOffset + start + record))
      this.#known.set(bytes.toString('latin1', start, start + keyBytes), numbers)
    }
  }

  /** The numbers for each input, computed by `compute` where they are not known. */
  async lookUp(inputs: readonly (readonly string[])[], compute: (index: number) => Promise<ArrayLike<number>>): Promise<Numbers[]> {
    const results: Numbers[] = []
    for (const [index, input] of inputs.entries()) {
      const digest = createHash('sha256').update(JSON.stringify(input)).digest().subarray(0, keyBytes)
      const key = digest.toString('latin1')
      let numbers = this.#known.get(key)
      if (numbers === undefined) {
        numbers = this.#type.from(await compute(index))
        this.#known.set(key, numbers)
        this.#pending.push(digest, new Uint8Array(numbers.buffer))
        if (this.#pending.length >= 512) this.flush()
      }
      results.push(numbers)
    }
    return results
  }

  flush(): void {
    if (this.#pending.length > 0) appendFileSync(this.#file, Buffer.concat(this.#pending))
    this.#pending = []
  }
}

export interface CachedModels extends Models {
  /** Writes what is not on disk yet. */
  flush(): void
}

/** Inputs of every sort: nothing, short, another script, odd characters, longer than a model takes. */
const probes = ['', 'I like tea.', '我去年搬到了上海。', 'Cafés 👩🏽‍🚀, naïve ﬁsh\t½ \ud800', `${'one more word, '.repeat(300)}who?`]

/** Each role's outputs for the probes, next to its revision: another machine, runtime or tokenizer code has a cache of its own. */
async function fingerprint(models: Models, role: ModelRole): Promise<string> {
  const model = models.status().models.find(m => m.role === role)
  const pairs = probes.map((probe, i) => [probe, probes[(i + 1) % probes.length]!] as const)
  const outputs: Record<ModelRole, () => Promise<unknown>> = {
    embedder: async () => [await models.embed(probes, 'query'), await models.embed(probes, 'passage')],
    'embedder-zh': () => models.embed(probes, 'passage', undefined, 'embedder-zh'),
    nli: () => models.entail(pairs),
    evidence: () => models.relevance(probes[1]!, probes),
    lm: () => models.logProbability(pairs),
  }
  return JSON.stringify([role, model?.id, model?.revision, model?.dtype, await outputs[role]()])
}

export function cached(models: Models): CachedModels {
  const opening = new Map<ModelRole, Promise<Shelf>>()
  const opened: Shelf[] = []
  const shelf = (role: ModelRole, width: number) => {
    const known = opening.get(role)
    if (known !== undefined) return known
    const fresh = fingerprint(models, role).then(stamp => {
      const made = new Shelf(stamp, role, width)
      opened.push(made)
      return made
    })
    opening.set(role, fresh)
    return fresh
  }

  return {
    has: models.has,
    vectorStamp: models.vectorStamp,
    dimensions: models.dimensions,
    async embed(texts, as, signal, by = 'embedder') {
      const vectors = await shelf(by, models.dimensions)
      const found = await vectors.lookUp(
        texts.map(text => [as, text]),
        async i => (await models.embed([texts[i]!], as, signal, by))[0]!,
      )
      return found.map(numbers => Float32Array.from(numbers)) // a copy of one's own
    },
    async entail(pairs, signal) {
      const entailments = await shelf('nli', 3)
      const found = await entailments.lookUp(pairs, async i => {
        const { contradiction, entailment, neutral } = (await models.entail([pairs[i]!], signal))[0]!
        return [contradiction, entailment, neutral]
      })
      return found.map(([contradiction, entailment, neutral]) => ({ contradiction, entailment, neutral }) as Entailment)
    },
    async relevance(query, memories, signal) {
      const logits = await shelf('evidence', 1)
      const found = await logits.lookUp(
        memories.map(memory => [query, memory]),
        i => models.relevance(query, [memories[i]!], signal),
      )
      return found.map(numbers => numbers[0]!)
    },
    async logProbability(pairs, signal) {
      const sums = await shelf('lm', 1)
      const found = await sums.lookUp(pairs, i => models.logProbability([pairs[i]!], signal))
      return found.map(numbers => numbers[0]!)
    },
    countTokens: text => models.countTokens(text),
    generate: (prompt, limit, signal) => models.generate(prompt, limit, signal),
    status: () => models.status(),
    dispose: async () => {}, // the bench opens many memories on the same models
    flush: () => opened.forEach(made => made.flush()),
  }
}
