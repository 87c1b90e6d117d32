import { expect, it } from 'vitest'
import { isConditional, leavesRoom } from '../../../src/text/index.ts'

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
