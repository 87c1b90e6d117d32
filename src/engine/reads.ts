/** Whether a model can make sense of a text. */

import type { ModelRole } from '../memory.ts'
import { CredenceError } from '../errors.ts'
import { language } from '../text/index.ts'
import type { Entailment, Models } from './ports.ts'

/**
 * A model that was not trained on Chinese or Japanese sees unknown signs there, and its outputs say nothing. Languages in Latin letters share
 * enough with English that an English model is better than none.
 */
export function reads(models: Models, role: ModelRole, text: string): boolean {
  if (!models.has[role]) return false
  const written = language(text)
  if (written !== 'zh' && written !== 'ja') return role !== 'embedder-zh'
  return models.status().models.some(model => model.role === role && model.languages.includes(written))
}

/** For what cannot be done without the language model. */
export function needLm(models: Models, what: string): void {
  if (models.has.lm) return
  const reason = models.status().missing.find(({ role }) => role === 'lm')?.reason
  const message = `${what} needs the lm model${reason === undefined ? '' : ` (${reason})`}; open the memory with it`
  throw new CredenceError('ModelMissing', message, { data: { role: 'lm' } })
}

/** Whether the NLI cross-encoder can compare two texts: across languages only one that was trained on both. */
export function compares(models: Models, first: string, second: string): boolean {
  const written = [language(first), language(second)] as const
  if (written[0] === written[1]) return true
  return models.status().models.some(model => model.role === 'nli' && written.every(name => model.languages.includes(name)))
}

/** Answers of the NLI cross-encoder; none asked, none given. */
export async function entail(
  models: Models,
  pairs: readonly (readonly [premise: string, hypothesis: string])[],
  signal?: AbortSignal,
): Promise<Entailment[]> {
  return pairs.length > 0 ? (await models.entail(pairs, signal)).map(sane) : []
}

/** A model that answers nonsense (on a broken driver, say) says nothing. */
function sane(answer: Entailment): Entailment {
  const { contradiction, entailment, neutral } = answer
  const fine = [contradiction, entailment, neutral].every(p => p >= 0 && p <= 1)
  return fine ? answer : { contradiction: 0, entailment: 0, neutral: 1 }
}

/** Whether there is any embedder. */
export const embeds = ({ has }: Models): boolean => has.embedder === true || has['embedder-zh'] === true

/** The embedder to use for a text, or undefined where none can read it. */
export function embedderOf(models: Models, text: string): 'embedder' | 'embedder-zh' | undefined {
  return (['embedder-zh', 'embedder'] as const).find(role => reads(models, role, text))
}

/** Vectors of texts, each by the embedder that can read it; undefined for a text that none can. */
export async function embedReadable(
  models: Models,
  texts: readonly string[],
  as: 'query' | 'passage',
  signal?: AbortSignal,
): Promise<(Float32Array | undefined)[]> {
  const by = texts.map(text => embedderOf(models, text))
  const vectors: (Float32Array | undefined)[] = []
  for (const role of new Set(by)) {
    if (role === undefined) continue
    const places = texts.flatMap((_, i) => (by[i] === role ? [i] : []))
    const made = await models.embed(
      places.map(i => texts[i]!),
      as,
      signal,
      role,
    )
    places.forEach((place, i) => (vectors[place] = made[i]))
  }
  return texts.map((_, i) => vectors[i])
}

/** Vectors of texts to be searched; of a text that no embedder can read, the zero vector, which is near nothing. */
export async function embedPassages(models: Models, texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
  const vectors = await embedReadable(models, texts, 'passage', signal)
  return vectors.map(vector => vector ?? new Float32Array(models.dimensions))
}
