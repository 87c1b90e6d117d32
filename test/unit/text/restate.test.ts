import fc from 'fast-check'
import { expect, it } from 'vitest'
import { restatements } from '../../../src/text/index.ts'

it.each([
  ['So you moved to Denver last year, is that right?', 'I moved to Denver last year.', 'you moved to Denver last year'],
  ['Got it, your daughter goes to Oakwood.', 'My daughter goes to Oakwood.', 'your daughter goes to Oakwood'],
  ["You're a nurse and you've two cats.", "I'm a nurse and I've two cats.", "You're a nurse and you've two cats"],
  ['Just to confirm: you are vegetarian?', 'I am vegetarian.', 'you are vegetarian'],
  ['You told me that you work from home. I can help.', 'I work from home.', 'you work from home'],
  [
    'So your sister gave you the van and you drive it yourself.',
    'My sister gave me the van and I drive it myself.',
    'your sister gave you the van and you drive it yourself',
  ],
])('%s', (message, text, place) => {
  expect(restatements(message).map(found => [found.text, message.slice(...found.span)])).toEqual([[text, place]])
})

it.each([
  'I like tea.',
  'Paris is lovely.',
  'You should try the soup.',
  'You can find it in the menu.',
  'You also mentioned your dog.',
  'Would you like some tea?',
  '',
])('finds nothing about the reader in “%s”', message => {
  expect(restatements(message)).toEqual([])
})

it('gives places inside the message, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), message => {
      for (const { span, text } of restatements(`You ${message}`)) {
        expect(span[0]).toBeGreaterThanOrEqual(0)
        expect(span[1]).toBeLessThanOrEqual(message.length + 4)
        expect(span[0]).toBeLessThan(span[1])
        expect(text).not.toBe('.')
      }
    }),
  )
})
