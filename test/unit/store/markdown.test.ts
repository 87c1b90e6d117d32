import { expect, it } from 'vitest'
import { toMarkdown } from '../../../src/store/portable.ts'
import { belief } from './records.ts'

const day = Date.UTC(2026, 10, 29, 12)

it('lists current beliefs by topic, the surest first, with how sure and since when (asks 53)', () => {
  const markdown = toMarkdown([
    belief('1', { text: 'I keep bees', topic: 'animals', confidence: 0.62, createdAt: day }),
    belief('2', { text: 'I have a cat', topic: 'animals', confidence: 0.93, createdAt: day, pinned: true }),
    belief('3', { text: 'I like rain', topic: null, confidence: 0.5, createdAt: day, speaker: 'Ann' }),
    belief('4', { text: 'I row', topic: 'sport', confidence: 0.2, createdAt: day }),
    belief('5', { text: 'I had a dog', supersededBy: '2' }),
    belief('6', { text: 'I smoke', retracted: true }),
  ])
  expect(markdown).toBe(`# Beliefs

## animals

- I have a cat (certain, since 2026-11-29, pinned)
- I keep bees (likely, since 2026-11-29)

## sport

- I row (doubtful, since 2026-11-29)

## other

- Ann: I like rain (perhaps, since 2026-11-29)
`)
})

it('is a heading alone without beliefs', () => {
  expect(toMarkdown([])).toBe('# Beliefs\n')
})

it.each([
  ['**bold** _it_ `code` ~~no~~', '\\*\\*bold\\*\\* \\_it\\_ \\`code\\` \\~\\~no\\~\\~'],
  ['![x](http://evil.example/p.png)', '!\\[x\\](http\\://evil.example/p.png)'],
  ['see https://evil.example or www.evil.example', 'see https\\://evil.example or www\\.evil.example'],
  ['<img src=x> &amp; | a', '\\<img src=x\\> \\&amp; \\| a'],
  ['# heading', '\\# heading'],
  ['- list', '\\- list'],
  ['1. one', '1\\. one'],
  ['12) one', '12\\) one'],
  ['> quote', '\\> quote'],
  ['two\n\n# lines\r\n---\u2028end', 'two \\# lines --- end'],
  ['back\\slash', 'back\\\\slash'],
  ['I moved to St. John - it is 3.5 km (away)!', 'I moved to St. John - it is 3.5 km (away)!'],
])('writes %j as text', (text, written) => {
  expect(toMarkdown([belief('1', { text, createdAt: day })])).toContain(`- ${written} (sure, since 2026-11-29)\n`)
})
