import { expect, test } from 'vitest'
import { need } from '../../../src/text/index.ts'
import { NEED_FEATURES, needFeatures } from '../../../src/text/need.ts'
import { NEED_WEIGHTS } from '../../../src/text/need-weights.ts'

const flat = new Float32Array(384).fill(1 / Math.sqrt(384))
/** The direction the weights favour most. */
const favoured = Float32Array.from(Int8Array.from(atob(NEED_WEIGHTS), char => char.charCodeAt(0)).slice(-384), value => value / 1000)

test('there is one weight for each feature, in at most 1.5 kB', () => {
  expect(atob(NEED_WEIGHTS)).toHaveLength(NEED_FEATURES)
  expect(NEED_WEIGHTS.length).toBeLessThan(1500)
})

test('without an embedding only what is certain counts', () => {
  for (const text of ['hello', 'Thank you so much!', 'ok, thanks', 'Why?\n```\nfor (;;) {}\n```']) expect(need(text), text).toBe(-3)
  for (const text of ['What should I cook tonight?', 'hello Nora, where did we meet?', 'Write a sonnet']) expect(need(text), text).toBe(0)
})

test('an embedding of another length counts as none', () => {
  expect(need('What should I cook tonight?', new Float32Array(3))).toBe(0)
})

test('an empty message is 0', () => {
  for (const text of ['', ' \n\t']) expect(need(text, flat)).toBe(0)
})

test('the wording tells advice from work where the embedding is the same', () => {
  const advice = ['What should I cook for my sister tonight?', 'Can you recommend a tent for me?', 'Where do I usually park my car?']
  const work = [
    'Translate the following sentence: "It rains."',
    'Write a function\nthat counts {\nlines }\n',
    'what is 3 + 4 = 8?',
    'thanks',
  ]
  const lowest = Math.min(...advice.map(text => need(text, flat)))
  for (const text of work) expect(need(text, flat), text).toBeLessThan(lowest - 1)
})

test('a message that says that it is about the person needs to know them, whatever the embedding', () => {
  const against = favoured.map(x => -x * 1e3)
  for (const text of [
    'Explain what the new law means for my own pension.',
    'What would you do in my situation?',
    'Is rowing right for someone like me?',
  ])
    expect(need(text, against), text).toBe(2)
  expect(need('Explain what the new law means for pensions.', against)).toBe(-4)
})

test('the embedding counts too', () => {
  expect(need('Which one is it?', favoured)).toBeGreaterThan(
    need(
      'Which one is it?',
      favoured.map(x => -x),
    ),
  )
})

test('the answer stays between −4 and 4, whatever the embedding', () => {
  for (const factor of [1e3, 1e30]) {
    const along = favoured.map(x => x * factor)
    const against = favoured.map(x => -x * factor)
    expect(need('Which one is it?', along)).toBe(4)
    expect(need('Which one is it?', against)).toBe(-4)
  }
  expect(need('Which one is it?', new Float32Array(384).fill(NaN))).toBe(0)
})

test('lone surrogates, control characters and very long messages are taken', () => {
  for (const text of [
    '\ud800',
    'Recommend \udfff a book \0 for me',
    '😀'.repeat(5000),
    'thank you '.repeat(20000),
    '('.repeat(100000),
    ' \n'.repeat(50000) + 'x',
  ]) {
    const began = performance.now()
    expect(Math.abs(need(text, flat))).toBeLessThanOrEqual(4)
    expect(Math.abs(need(text))).toBeLessThanOrEqual(4)
    expect(performance.now() - began).toBeLessThan(500)
  }
})

test('a lead-in does not hide the verb', () => {
  const differing = ['Translate it.', 'Could you please translate it.'].map(text => needFeatures(text, flat))
  const plain = needFeatures('Could you please take it.', flat)
  const position = [...plain.keys()].filter(k => differing.every(x => x[k] === 1) && plain[k] === 0)
  expect(position.length).toBeGreaterThan(0)
})
