import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { questionsOf } from '../../../src/text/index.ts'

describe('the questions of a message', () => {
  test.each([
    ['我的生日是哪天？另外，我妹妹住在哪里？', ['我的生日是哪天？', '另外，我妹妹住在哪里？']],
    ['下周我要出差。酒店订在哪里？几点的火车？', ['酒店订在哪里？', '几点的火车？']],
    ['Where do I live? And what is my dog called?', ['Where do I live?', 'And what is my dog called?']],
    ['Wo wohne ich? Danke. Wie heißt mein Hund?', ['Wo wohne ich?', 'Wie heißt mein Hund?']],
  ])('%s', (text, questions) => {
    expect(questionsOf(text)).toEqual(questions)
  })

  test.each(['', '我的生日是哪天？', 'Where do I live? Thanks.', '我喜欢喝茶。', 'See https://example.org/a?b=c for more. Is it good?'])(
    'are none where fewer than two are asked: %s',
    text => {
      expect(questionsOf(text)).toEqual([])
    },
  )

  test('are parts of the message in their order, at most eight', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('Why? ', '为什么？', 'So. ', '好。', 'a', '?', '\n')), pieces => {
        const text = pieces.join('')
        const found = questionsOf(text)
        expect(found.length).toBeLessThanOrEqual(8)
        expect(found.length).not.toBe(1)
        let from = 0
        for (const question of found) {
          const at = text.indexOf(question, from)
          expect(at).toBeGreaterThanOrEqual(from)
          from = at + question.length
        }
      }),
    )
  })
})
