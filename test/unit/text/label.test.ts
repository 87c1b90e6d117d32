import { expect, it } from 'vitest'
import { denies, labelOf, wasNotDone } from '../../../src/text/index.ts'

const plain = { instruction: false, changed: false }

it.each([
  'I prefer trains to planes.',
  'I really like working at night.',
  "I don't like loud rooms.",
  "I can't stand coriander.",
  'We prioritise direct flights.',
  "I'm really into old maps.",
  "I'd rather walk.",
  'My favourite season is autumn.',
  'I chose the ferry over the tunnel.',
  'Prefiero el té.',
  'Ich mag Katzen.',
  '我喜欢爬山。',
])('“%s” is a preference', text => {
  expect(labelOf(text, plain)).toBe('preference')
})

it.each([
  'I watched films like this one with my aunt.',
  "I'm looking into a new heat pump.",
  "I'd like a table for two.",
  'I live on the third floor.',
  'My neighbour enjoys chess.',
  'I chose a seat.',
  '',
])('“%s” is none', text => {
  expect(labelOf(text, plain)).toBe('statement')
})

it('puts a standing instruction before a change, and a change before a preference', () => {
  const text = 'I prefer short answers now.'
  expect(labelOf(text, { instruction: true, changed: true })).toBe('instruction')
  expect(labelOf(text, { instruction: false, changed: true })).toBe('update')
})

it.each([
  ["I've never been to Oslo.", true],
  ['I have never met my landlord.', true],
  ['I never told her.', true],
  ['My cat never sleeps.', false],
  ['Never mind.', false],
])('“%s” denies: %s', (text, expected) => {
  expect(denies(text)).toBe(expected)
})

it.each([
  ['Skipped the gym on Monday because of a cold.', true],
  ['Third week without a drop of wine at dinner.', true],
  ["I haven't had coffee since.", true],
  ["I can't start the day without coffee.", false],
  ['Never a Sunday without my crossword.', false],
  ['Coffee with no sugar again.', false],
  ['Went to the gym.', false],
])('“%s” tells that something did not take place: %s', (text, undone) => {
  expect(wasNotDone(text)).toBe(undone)
})
