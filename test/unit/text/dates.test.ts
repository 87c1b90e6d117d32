import { beforeAll, describe, expect, it } from 'vitest'
import { asksAboutPast, expiry, loadDates, resolveDates } from '../../../src/text/index.ts'

/** A Wednesday. */
const at = new Date(2026, 10, 25, 10).getTime()
const day = (year: number, month: number, date: number) => new Date(year, month - 1, date).getTime()
const endOf = (year: number, month: number, date: number) => new Date(year, month - 1, date, 23, 59, 59, 999).getTime()

beforeAll(() => Promise.all((['de', 'es', 'zh'] as const).map(loadDates)))

describe('resolveDates (ask 46: relative to the message, not to now)', () => {
  it.each([
    ['I saw her yesterday', 'yesterday', day(2026, 11, 24)],
    ['We met on Friday and it was fun, we talked', 'on Friday', day(2026, 11, 20)],
    ['my flight leaves on Friday', 'on Friday', day(2026, 11, 27)],
    ['see you on 3 March 2027', 'on 3 March 2027', day(2027, 3, 3)],
    ['明天见', '明天', day(2026, 11, 26)],
    ['Morgen habe ich eine Prüfung', 'Morgen', day(2026, 11, 26)],
    ['Mañana tengo un examen', 'Mañana', day(2026, 11, 26)],
  ])('%j', (text, words, start) => {
    const [date] = resolveDates(text, at)
    expect(text.slice(...date!.span)).toBe(words)
    expect(date!.start).toBe(start)
    expect(date!.unit).toBe('day')
  })

  it('keeps the stated hour', () => {
    expect(resolveDates('flight on Friday at 9am', at)[0]!.start).toBe(new Date(2026, 10, 27, 9).getTime())
  })

  it('knows weeks, months and years', () => {
    expect(resolveDates('in March 2024', at)[0]).toMatchObject({ start: day(2024, 3, 1), end: endOf(2024, 3, 31), unit: 'month' })
    expect(resolveDates('I lived there in 2019', at)[0]).toMatchObject({ start: day(2019, 1, 1), end: endOf(2019, 12, 31), unit: 'year' })
    expect(resolveDates("I'm away next week", at)[0]).toMatchObject({ start: day(2026, 11, 30), end: endOf(2026, 12, 6), unit: 'week' })
  })

  it('takes a length of time for no date', () => {
    expect(resolveDates('I am 34 years old', at)).toEqual([])
  })
})

describe('expiry (ask 47: what is to come ends)', () => {
  it.each([
    ['my exam is tomorrow', endOf(2026, 11, 26)],
    ['flight on Friday at 9', endOf(2026, 11, 27)],
    ['The meeting is on Thursday.', endOf(2026, 11, 26)],
    ['I have an exam today', endOf(2026, 11, 25)],
    ["I'm on vacation until December 15", endOf(2026, 12, 15)],
    ["I'm visiting Rome next week", endOf(2026, 12, 6)],
    ['我明天有考试', endOf(2026, 11, 26)],
    ['Meine Prüfung ist am Freitag', endOf(2026, 11, 27)],
    ['Mañana tengo un examen', endOf(2026, 11, 26)],
  ])('%j', (text, end) => {
    expect(expiry(text, at)).toBe(end)
  })

  it.each([
    'I gym every Thursday',
    'My gym day is Wednesday.',
    'I have lived here since 2019',
    'I was born on May 3 1990',
    'I start a new job on Monday',
    'I am moving to Denver next month',
    'I quit smoking today',
    'I had green tea this morning',
    'My birthday is on May 4',
    'I went to the dentist on Friday',
    'I like tea',
    'I am 34 years old',
  ])('is not invented for %j', text => {
    expect(expiry(text, at)).toBeUndefined()
  })
})

describe('questions', () => {
  it.each([
    'what did I use before',
    'What did I use to drink?',
    'my previous job?',
    'Where did I live in 2019?',
    '我以前住哪里',
    'Wo habe ich früher gewohnt?',
    '¿Dónde vivía antes?',
  ])('%j asks about the past', query => {
    expect(asksAboutPast(query)).toBe(true)
  })
  it.each([
    'what do I drink now',
    'what should I do before bed?',
    'is this used to cut wood?',
    'what is my last name?',
    'What machine do I use?',
    '我住哪里',
  ])('%j does not', query => {
    expect(asksAboutPast(query)).toBe(false)
  })
})
