import { describe, expect, it } from 'vitest'
import { orderedState, heldNow, statedChange, withoutWhen } from '../../../src/text/change.ts'

describe('statedChange', () => {
  it.each([
    ["I can't eat wheat any more, I bake with rice flour now.", "I can't eat wheat any more", 'I bake with rice flour now'],
    [
      "I've changed my mind about long answers, I want short ones instead.",
      "I've changed my mind about long answers",
      'I want short ones instead.',
    ],
    ['I gave my piano away, from now on I play the flute.', 'I gave my piano away', 'from now on I play the flute.'],
    ['Instead of Mara, Mr Kohl gets the rent from now on.', 'Mara', 'Mr Kohl gets the rent from now on.'],
    [
      'I have completely given up coffee, from now on I only drink tea.',
      'I have completely given up coffee',
      'from now on I only drink tea.',
    ],
    ['We moved from Lyon to a village near Turin.', 'Lyon', 'a village near Turin.'],
    ['I replaced my old bike with a tram pass.', 'my old bike', 'a tram pass.'],
    ['I keep buying oat milk instead of cow milk.', 'cow milk', 'I keep buying oat milk'],
    ['They closed the mill, I work at the bakery now.', 'They closed the mill', 'I work at the bakery now'],
    ['The tent is gone, a camper is our home now.', 'The tent is gone', 'a camper is our home now'],
    ["I don't smoke any more.", "I don't smoke any more.", ''],
    ['I quit the flute; the piano is what I play these days.', 'I quit the flute', 'the piano is what I play these days'],
    ['I sold the van and now ride a bike.', 'I sold the van', 'now ride a bike.'],
    ['I quit my job at the mill and now I teach maths.', 'I quit my job at the mill', 'now I teach maths.'],
    ['Stop sending me links; use footnotes from now on.', 'Stop sending me links', 'use footnotes from now on'],
    ['We agreed: not a sprint any more, the plan is a long walk.', 'We agreed: not a sprint any more', 'the plan is a long walk.'],
  ])('%s', (text, from, to) => {
    expect(statedChange(text)).toEqual({ from, to })
  })

  it.each(['I live in Boston.', 'I like tea and coffee.', 'It is a long way from here to Rome.', 'I left my keys at home.', ''])(
    'finds none in “%s”',
    text => {
      expect(statedChange(text)).toBeNull()
    },
  )
})

it('is done with a hostile text at once', () => {
  const spaces = `I quit${' '.repeat(200_000)}coffee, I only drink tea now.`
  expect(statedChange(spaces)).toBeNull()
  expect(heldNow(spaces)).toBe(spaces)
  const moved = `I moved${' '.repeat(200_000)}yesterday`
  expect(withoutWhen(moved)).toBe(moved)
})

it.each([
  ['I moved to York last week.', 'I moved to York.'],
  ['We moved to Porto two months ago', 'We moved to Porto.'],
  ['My sister has just moved to Graz this summer!', 'My sister has just moved to Graz.'],
  ["I've switched to oat milk recently.", "I've switched to oat milk."],
  ['I started at a museum in May 2025.', 'I started at a museum.'],
  ['I moved to York.', 'I moved to York.'],
  // An event that began nothing keeps its time.
  ['I visited York last week.', 'I visited York last week.'],
  ['I live in York.', 'I live in York.'],
  ['We moved to Porto just a couple of months ago.', 'We moved to Porto.'],
])('a new state is compared without the time at which it began: %j', (text, expected) => {
  expect(withoutWhen(text)).toBe(expected)
})

describe('heldNow', () => {
  it('is the new half of a change, and else the whole', () => {
    expect(heldNow('I gave my piano away, from now on I play the flute.')).toBe('from now on I play the flute.')
    expect(heldNow('We moved from Lyon to a village near Turin.')).toBe('We moved to a village near Turin.')
    expect(heldNow('Switched from cow milk to oat milk for good.')).toBe('Switched to oat milk for good.')
    expect(heldNow('I keep buying oat milk instead of cow milk.')).toBe('I keep buying oat milk')
    expect(heldNow('I replaced my old bike with a tram pass.')).toBe('I replaced … with a tram pass.')
    expect(heldNow('I commute from home to the office.')).toBe('I commute from home to the office.')
    expect(heldNow('I quit the flute; the piano is what I play these days.')).toBe('the piano is what I play these days')
    expect(heldNow("My coins aren't in the attic now, they are all in a bank.")).toBe('My coins are all in a bank.')
    expect(heldNow('I live in Boston.')).toBe('I live in Boston.')
    expect(heldNow("I don't smoke any more.")).toBe("I don't smoke any more.")
  })
})

describe('a change that is ordered', () => {
  it.each([
    ['Actually, make my savings goal 6,000 euros.', 'My savings goal is 6,000 euros.'],
    ['Change our travel budget to €900 please.', 'Our travel budget is €900.'],
    ['move my dentist appointment to Friday', 'My dentist appointment is Friday.'],
    ['Okay, push our trip back to May 3!', 'Our trip is May 3.'],
  ])('%j states %j', (order, state) => {
    expect(orderedState(order)).toBe(state)
    // What is compared and shown is the new state.
    expect(heldNow(order)).toBe(state)
  })
  it.each([
    'Make my coffee strong.',
    'Set my alarm to 7.',
    'Change the deadline in line 5.',
    'Make my budget look nicer.',
    'Update my savings goal section.',
    'I moved my dentist appointment to Friday.',
    `Move my trip to ${'1 '.repeat(600)}`,
  ])('%j orders none', text => {
    expect(orderedState(text)).toBeNull()
    expect(heldNow(text)).toBe(text)
  })
})
