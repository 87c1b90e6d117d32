import { expect, it } from 'vitest'
import { isConditional, leavesRoom, wasNotDone } from '../../../src/text/index.ts'

it.each([
  "I'm trying to set up a database.",
  "I've completed ten exercises.",
  'I added a search box.',
  'My goal is to learn the tango.',
  'Always show the source when I ask about history.',
])('“%s” rules out nothing', text => {
  expect(leavesRoom(text)).toBe(true)
})

it.each([
  'I live in Boston.',
  "I've moved to Denver.",
  'We have relocated to Turin for good.',
  "I'm not trying to sell the house any more.",
  'I have quit smoking.',
  'I use Vim.',
  'Always answer in short sentences.',
  'My office is in Milan.',
  '',
])('“%s” may', text => {
  expect(leavesRoom(text)).toBe(false)
})

it.each([
  ['Always show the source when I ask about history.', true],
  ['When drafting emails, sign as Jo.', true],
  ['For recipes, use metric units.', true],
  ['Always answer in short sentences.', false],
  ['Use metric units.', false],
])('“%s” is for some messages only: %s', (text, conditional) => {
  expect(isConditional(text)).toBe(conditional)
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
