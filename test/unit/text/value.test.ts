import { describe, expect, it } from 'vitest'
import { asksForValue, statesValue, tellsOfUpdate } from '../../../src/text/index.ts'

describe('a question for a number or a date that holds now', () => {
  it.each([
    'How many chapters have I written?',
    'How much rent do I pay?',
    'When is my dentist appointment?',
    "When's the choir rehearsal?",
    'What time does my class start?',
    'What is the deadline of the grant application?',
    "What's my weekly running distance?",
    'Which day do I go to the market?',
  ])('%s', text => expect(asksForValue(text)).toBe(true))

  it.each([
    'Who is my landlord?',
    'What did I order last time?',
    'How many days passed between the two appointments?',
    'How many books did I read in total?',
    'How much more did the second flat cost?',
    'Recommend a film.',
    '',
  ])('is not: %s', text => expect(asksForValue(text)).toBe(false))
})

describe('a text with a number or a date', () => {
  it.each(['I run 30 km a week.', 'We meet on Thursdays.', 'The exam was postponed.', 'There are twelve of us.', 'Es sind ١٢ Leute.'])(
    '%s',
    text => expect(statesValue(text)).toBe(true),
  )
  it.each(['I run a lot.', 'The exam went well.', ''])('is not: %s', text => expect(statesValue(text)).toBe(false))
})

describe('a text that tells of an update', () => {
  it.each(['The rent was raised to 900.', 'I have now read 12.', 'The rehearsal got moved to Friday.', 'My goal is up to 40 km.'])(
    '%s',
    text => expect(tellsOfUpdate(text)).toBe(true),
  )
  it.each(['The rent is 900.', 'I read 12 books.', 'The rehearsal is on Friday.'])('is not: %s', text =>
    expect(tellsOfUpdate(text)).toBe(false),
  )
})
