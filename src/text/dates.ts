/** Dates in a text: which they are, when a dated event is over, and whether a question looks at the past. */

import type { Chrono, ParsedResult } from 'chrono-node'
import { casual as english } from 'chrono-node/en'
import type { Span } from '../memory.ts'
import { language, type Language } from './language.ts'

export interface ResolvedDate {
  /** Where it stands. */
  span: Span
  /** Milliseconds since 1970: the beginning of the day, week, month or year, or the stated time. */
  start: number
  /** The last millisecond of the day, week, month or year it names, or of its last day when it is a period. */
  end: number
  unit: 'day' | 'week' | 'month' | 'year'
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
const LOOK = 1000

/** The main verb is past: “Friday” is the last one then, and nothing is to come. */
const PAST_TENSE =
  /\b(?:was|were|did|had|went|got|made|took|came|left|ran|met|saw|ate|drank|bought|quit|gave|lost|won|slept|fell|told|said|\w{2,}(?<!ne|spe|pro|exc|sp|bl|s|f|n|wee|see)ed|ago|last|yesterday|have (?:i|we))\b|了|\bgestern\b|\bhabe\b.*\b\w+t\b|\bayer\b/i

/**
 * The dates of a text, in order. Relative ones (“yesterday”) are resolved against `at` (milliseconds since 1970), in the host's time zone; a
 * weekday alone is the next one, or the last one in a text about the past.
 */
export function resolveDates(text: string, at: number): ResolvedDate[] {
  const parser = parsers[language(text)] ?? english
  const head = text.slice(0, LOOK)
  const past = PAST_TENSE.test(head)
  const found = parser
    .parse(head, new Date(at), { forwardDate: !past })
    .filter(result => !DURATION.test(result.text))
    .map(result => resolved(result, past ? at : Infinity))
  // A year by itself is no date to chrono.
  for (const match of head.matchAll(
    /(?<=\b(?:in|since|before|after|until|during|im jahr|seit|en|desde)\s)(?:19|20)\d\d\b(?![-/.]\d)|(?<!\d)(?:19|20)\d\d(?=年(?!\d))/gi,
  )) {
    const span = [match.index, match.index + match[0].length] as const
    if (found.some(date => date.span[0] < span[1] && span[0] < date.span[1])) continue
    const year = Number(match[0])
    found.push({ span, start: new Date(year, 0, 1).getTime(), end: new Date(year + 1, 0, 1).getTime() - 1, unit: 'year' })
  }
  return found.sort((a, b) => a.span[0] - b.span[0])
}

/** “34 years” says how long, not when. */
const DURATION =
  /^\s*(?:an?|\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|few|a few|several|half an)\s+(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\s*$/i

/** A weekday or a date without a year that lies after `latest` is the one before. */
function resolved(result: ParsedResult, latest: number): ResolvedDate {
  const first = result.start
  const last = result.end ?? result.start
  const unit = unitOf(result)
  const start = first.date()
  const end = last.date()
  if (unit === 'week') {
    // Weeks begin on Monday.
    start.setDate(start.getDate() - ((start.getDay() + 6) % 7))
    end.setDate(end.getDate() - ((end.getDay() + 6) % 7) + 6)
  } else if (unit === 'month') {
    start.setDate(1)
    end.setMonth(end.getMonth() + 1, 0)
  } else if (unit === 'year') {
    start.setMonth(0, 1)
    end.setMonth(12, 0)
  }
  if (start.getTime() > latest && !first.isCertain('year')) {
    for (const date of [start, end]) {
      if (first.isCertain('month')) date.setFullYear(date.getFullYear() - 1)
      else if (first.isCertain('weekday')) date.setDate(date.getDate() - 7)
    }
  }
  if (unit !== 'day' || !first.isCertain('hour')) start.setHours(0, 0, 0, 0)
  end.setHours(23, 59, 59, 999)
  return { span: [result.index, result.index + result.text.length], start: start.getTime(), end: end.getTime(), unit }
}

function unitOf(result: ParsedResult): ResolvedDate['unit'] {
  const named =
    /\b(?:this|last|next|past|coming|previous|diese[rn]?|letzte[nr]?|nächste[nr]?|esta|este|próxim[ao])\s+(week|month|year|woche|monat|jahr|semana|mes|año)\b|(?:上|下|这|本)个?(周|星期|月|年)(?![一二三四五六日天末\d])/i.exec(
      result.text,
    )
  const word = (named?.[1] ?? named?.[2] ?? '').toLowerCase()
  if (/week|woche|semana|周|星期/.test(word)) return 'week'
  if (/month|monat|mes|月/.test(word)) return 'month'
  if (/year|jahr|año|年/.test(word)) return 'year'
  const { start } = result
  if (start.isCertain('day') || start.isCertain('weekday') || start.isCertain('hour')) return 'day'
  return start.isCertain('month') ? 'month' : start.isCertain('year') ? 'year' : 'day'
}

/** Something that takes place and is then over. */
const EVENT =
  /\b(?:exams?|tests?|quiz|flights?|fly(?:ing)?|appointments?|meetings?|interviews?|party|parties|wedding|trips?|concerts?|deadlines?|due|dentist|visit(?:s|ing)?|games?|match(?:es)?|dinner|lunch|brunch|date|calls?|conference|presentation|surgery|operation|check-?up|event|show|play|gig|hearing|session|festival|holiday|vacation|travell?ing|guests?|delivery|arriv(?:e|es|ing)|leav(?:e|es|ing)|submit|hand in|finish|will|going to|gonna|until|till|have to|need to|must|busy|off work|away)\b|['’]ll\b|考试|航班|会议|开会|面试|聚会|婚礼|出差|旅行|约|截止|要(?!是)|prüfung|termin|flug|hochzeit|treffen|reise|bis\b|examen|vuelo|cita|reunión|boda|viaje|hasta/i
/** What holds after the date as well, or comes back. */
const LASTING =
  /\b(?:every|each|always|usually|weekly|daily|monthly|since|born|from|starting|start(?:s|ed)?|begin(?:s|ning)?|began|as of|birthdays?(?! (?:party|dinner|trip|lunch))|anniversary|moving to|moves? to|moving (?:in|out)|switch(?:es|ing)?|becom(?:e|ing)|quit(?:ting)?|retir(?:e|ing)|getting married|marry(?:ing)?|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekdays|weekends|any ?more|no longer|now)\b|每|总是|出生|生日|开始|搬|\bjede[nrsm]?\b|\bseit\b|geburtstag|\bab\b|\bcada\b|\bdesde\b|cumpleaños/i

/**
 * When a statement about a dated event to come is over: the last millisecond of its day (milliseconds since 1970), in the host's time zone.
 * Undefined for statements that hold on (“I go to the gym every Thursday”, “I was born on May 3 1990”, “I start at the bakery on Monday”).
 */
export function expiry(text: string, at: number): number | undefined {
  if (!EVENT.test(text) || LASTING.test(text) || PAST_TENSE.test(text)) return undefined
  const ends = resolveDates(text, at).filter(date => (date.unit === 'day' || date.unit === 'week') && date.end > at)
  return ends.length ? Math.max(...ends.map(date => date.end)) : undefined
}

const ASKS_PAST =
  /\b(?:(?:i|we|my \w+|our \w+) used to|did (?:i|we|my \w+) (?:\w+ )?use to|previous(?:ly)?|formerly|former|in the past|originally|back then|at first|initially|before (?:that|the (?:change|move|switch)|now|i (?:moved|switched|changed|started|quit|got|left))|(?:did|was|were|had|have|has|used|lived|worked|drank|ate|drove|liked|been|went)\b[^?]* before[?.!\s]*$|my (?:old|ex|last (?!name|week|month|year|night|day|meal|message|question))\b|did i (?:use|have|live|work|drink|eat|drive|like|prefer|own|go|want|say|tell|think|plan|still)\b|(?:was|were) (?:i|my|we|our)\b|history of my|over time|how (?:has|have) (?:my|i)\b.{0,40}\bchanged?|no longer|i stop(?:ped)? \w+ing)|以前|之前|从前|过去|原来|曾经|当时|早先|本来|\b(?:früher|vorher|damals|ehemals|ehemalige[rnsm]?|ursprünglich|zuvor)\b|\b(?:antes(?! de)|anteriormente|solía|solías|originalmente|en el pasado)\b/i

/** Whether a question asks about what used to hold, so that superseded values may answer it. */
export function asksAboutPast(query: string): boolean {
  return ASKS_PAST.test(query)
}
