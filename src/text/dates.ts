/** Dates in a text: which they are, when a dated event is over, and whether a question looks at the past. */

import type { Chrono } from 'chrono-node/en'
import { casual as english } from 'chrono-node/en'
import type { Span } from '../memory.ts'
import { language, type Language } from './language.ts'

export interface ResolvedDate {
  /** Where it stands. */
  span: Span
  /** Milliseconds since 1970: the beginning of the day, or the stated time. */
  start: number
  /** The last millisecond of the stated day, month, year or period. */
  end: number
  /** True when it names one day or a period ending on one; false for a bare month or year, or “now”. */
  exact: boolean
}

const parsers: Partial<Record<Language, Chrono>> = { en: english }

/** Loads the date words of a language that has its own: `de`, `es`, `zh`. Until then, and for any other language, English ones are looked for. */
export async function loadDates(wanted: Language): Promise<void> {
  if (parsers[wanted]) return
  if (wanted === 'de') parsers.de = (await import('chrono-node/de')).casual
  else if (wanted === 'es') parsers.es = (await import('chrono-node/es')).casual
  else if (wanted === 'zh') parsers.zh = (await import('chrono-node/zh/hans')).casual
}

/** Only so much of a text is searched for dates. */
const LOOK = 2000

/** The dates of a text, in order. Relative ones (“yesterday”) are resolved against `at`, in the host's time zone. */
export function resolveDates(text: string, at: number): ResolvedDate[] {
  const parser = parsers[language(text)] ?? english
  return parser.parse(text.slice(0, LOOK), new Date(at)).map(result => {
    const known = result.end ?? result.start
    const start = result.start.date()
    if (!result.start.isCertain('hour')) start.setHours(0, 0, 0, 0)
    const end = known.date()
    end.setHours(23, 59, 59, 999)
    const exact = known.isCertain('day') || known.isCertain('weekday')
    return { span: [result.index, result.index + result.text.length] as const, start: start.getTime(), end: end.getTime(), exact }
  })
}

/** When a statement about a dated event to come is over (the end of its day, milliseconds since 1970); undefined for lasting statements. */
export function expiry(text: string, at: number): number | undefined {
  const future = resolveDates(text, at).filter(date => date.exact && date.end > at)
  return future.length ? Math.max(...future.map(date => date.end)) : undefined
}

const PAST =
  /\b(?:used to|previous(?:ly)?|before|formerly|former|earlier|in the past|originally|back then|at first|old|last|did i|was i|were my|was my|no longer)\b|以前|之前|过去|原来|曾经|früher|vorher|damals|ehemalig|antes|anteriormente|solía/i

/** Whether a question asks about what used to hold. */
export function asksAboutPast(query: string): boolean {
  return PAST.test(query)
}

/** The period a question is about, both ends inclusive, milliseconds since 1970; null without a date. */
export function dateRange(query: string, at: number): { start: number; end: number } | null {
  const dates = resolveDates(query, at)
  if (!dates.length) return null
  return { start: Math.min(...dates.map(date => date.start)), end: Math.max(...dates.map(date => date.end)) }
}
