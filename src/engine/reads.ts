/** Whether a model can make sense of a text. */

import type { ModelRole } from '../memory.ts'
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
