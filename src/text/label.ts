/** What sort of statement a kept proposition is, by its wording. */

import type { StatementLabel } from '../memory.ts'

/** A like, a dislike or a way of choosing, in English, Chinese, German and Spanish. */
const PREFERENCE =
  /\b(?:prefer\w*|favou?rites?|love|like|enjoy|adore|hate|dislike|loathe|detest|can't (?:stand|bear)|rather|fan of|keen on|fond of|into|priorit[iy]\w*|instead of|chose|choose|opted?|bevorzug\w*|mag|liebe|hasse|lieber|am liebsten|prefiero|gusta\w*|encanta\w*|odio)\b|喜欢|讨厌|偏好|最爱|更爱/i

/** `changed`: it took the place of something that held before. */
export function labelOf(text: string, { instruction, changed }: { instruction: boolean; changed: boolean }): StatementLabel {
  if (instruction) return 'instruction'
  if (changed) return 'update'
  return PREFERENCE.test(text) ? 'preference' : 'statement'
}
