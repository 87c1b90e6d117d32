/** Whether a model can make sense of a text. */

import type { ModelRole } from '../memory.ts'
import { CredenceError } from '../errors.ts'
import { language } from '../text/index.ts'
import type { Models } from './ports.ts'

/**
 * A model that was not trained on Chinese or Japanese sees unknown signs there, and its outputs say nothing. Languages in Latin letters share
 * enough with English that an English model is better than none.
 */
export function reads(models: Models, role: ModelRole, text: string): boolean {
  if (!models.has[role]) return false
  const written = language(text)
  if (written !== 'zh' && written !== 'ja') return true
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

/** Vectors of texts to be searched; of a text that the embedder cannot read, the zero vector, which is near nothing. */
export async function embedPassages(models: Models, texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
  const readable = texts.filter(text => reads(models, 'embedder', text))
  const vectors = readable.length > 0 ? await models.embed(readable, 'passage', signal) : []
  const byText = new Map(readable.map((text, i) => [text, vectors[i]!]))
  return texts.map(text => byText.get(text) ?? new Float32Array(models.dimensions))
}
