/** What sort of statement a kept proposition is, by its wording. */

import type { StatementLabel } from '../memory.ts'

/**
 * A like, a dislike or a way of choosing of the speaker, in English, Chinese, German and Spanish. “Like” is a verb here only after “I”: “films like
 * this”, “I'd like a table” and “looking into it” say nothing of the kind.
 */
const PREFERENCE =
  /\b(?:prefer(?:red|ring)?|my preferences?|my (?:\w+ )?favou?rites?|(?:i|we) (?:(?:really|also|do|don['’]t|do not|always|usually|still|absolutely|generally|quite|never) )*(?:like|love|enjoy|adore|hate|dislike|loathe|detest|can['’]t (?:stand|bear)|prioriti[sz]e)|(?:keen on|fond of|fan of)|(?:i['’]d|would) rather|(?:i['’]m|i am|we['’]re) (?:(?:really|so|very|quite|totally|big) )?into|(?:chose|choose|opt(?:ed)? for)\b.{1,60}\b(?:over|rather than|instead of)|bevorzug\w*|mag|liebe|hasse|lieber|am liebsten|prefiero|gusta\w*|encanta\w*|odio)\b|喜欢|讨厌|偏好|最爱|更爱/i
/** “I've never met her”: news only where something was said about it before. English. */
const DENIAL = /\b(?:i|we)(?:['’]ve| have)? never\b/i

/** Whether a statement takes back what could be thought, and so changes what was said about the same before. */
export function denies(text: string): boolean {
  return DENIAL.test(text)
}

/** “Skipped the gym”, “three weeks without wine”; not “I can't start the day without coffee”. */
const NOT_DONE =
  /(?<!\b(?:can['’]?t|cannot|never|not|no)\b.{0,40})\bwithout\b|\b(?:skipp(?:ed|ing)|missed|cancell?ed|closed)\b|\b(?:did|have|has|had|was|were)(?:n['’]t| not)\b|\bno \w+ (?:today|tonight|this (?:morning|evening|week))\b/i

/** Whether a statement tells that something did not take place. English. */
export const wasNotDone = (text: string): boolean => NOT_DONE.test(text)

/** `changed`: it took the place of something that held before, or denies something that was said. */
export function labelOf(text: string, { instruction, changed }: { instruction: boolean; changed: boolean }): StatementLabel {
  if (instruction) return 'instruction'
  if (changed) return 'update'
  return PREFERENCE.test(text) ? 'preference' : 'statement'
}
