import { expect, it } from 'vitest'
import type { ChatMessage, Recall, RecallOptions } from '../../../src/memory.ts'
import { augmentBy, textOf, withBlock } from '../../../src/messages.ts'

const block = '<block>'
const image = { type: 'image_url', image_url: { url: new URL('https://example.org/x.png') } }

it('reads the text parts of a message and nothing else', () => {
  expect(textOf({ role: 'user', content: 'a' })).toBe('a')
  expect(textOf({ role: 'user', content: [{ type: 'text', text: 'a' }, image, { type: 'text', text: 'b' }] })).toBe('a\nb')
  expect(textOf({ role: 'user', content: [{ type: 'reasoning', text: 'no' }] })).toBe('')
  expect(textOf({ role: 'assistant', content: null })).toBe('')
  expect(textOf({ role: 'assistant' })).toBe('')
})

it('asks with plain data: the last user message, and what the window holds', async () => {
  const messages = [
    { role: 'user', content: 'long ago' },
    { role: 'user', content: [{ type: 'text', text: 'a' }, image], id: 'm', tool: () => {} },
    { role: 'assistant', content: 'b' },
  ] as unknown as ChatMessage[]
  const asked: unknown[] = []
  const recall = async (query: string, options?: RecallOptions) => {
    asked.push(structuredClone([query, options?.seen]))
    return { prompt: block } as Recall
  }
  const sent = await augmentBy(recall, messages, { window: 2 })
  expect(asked).toEqual([['a', [{ text: 'a', id: 'm' }, { text: 'b' }]]])
  expect(sent).toEqual([messages[0], { role: 'system', content: block }, messages[1], messages[2]])
  expect(await augmentBy(recall, [messages[2]!])).toEqual([messages[2]])
  expect(asked).toHaveLength(1)
})

it.each<[string, 'message' | 'system' | 'user' | undefined, ChatMessage[], ChatMessage[]]>([
  [
    'before the last user message',
    undefined,
    [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'c' },
      { role: 'tool', content: 'd' },
    ],
    [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'system', content: block },
      { role: 'user', content: 'c' },
      { role: 'tool', content: 'd' },
    ],
  ],
  [
    'in the first system message',
    'system',
    [
      { role: 'system', content: 's' },
      { role: 'user', content: 'a' },
    ],
    [
      { role: 'system', content: `s\n\n${block}` },
      { role: 'user', content: 'a' },
    ],
  ],
  [
    'in the parts of the first developer message',
    'system',
    [
      { role: 'developer', content: [{ type: 'text', text: 's' }] },
      { role: 'user', content: 'a' },
    ],
    [
      {
        role: 'developer',
        content: [
          { type: 'text', text: 's' },
          { type: 'text', text: block },
        ],
      },
      { role: 'user', content: 'a' },
    ],
  ],
  [
    'as the first system message',
    'system',
    [{ role: 'user', content: 'a' }],
    [
      { role: 'system', content: block },
      { role: 'user', content: 'a' },
    ],
  ],
  ['in the user message', 'user', [{ role: 'user', content: 'a', id: 'm' }], [{ role: 'user', content: `${block}\n\na`, id: 'm' }]],
  [
    'in the parts of the user message',
    'user',
    [{ role: 'user', content: [image] }],
    [{ role: 'user', content: [{ type: 'text', text: `${block}\n\n` }, image] }],
  ],
])('puts the block %s', (_where, place, messages, expected) => {
  const before = structuredClone(messages.map(message => ({ ...message, content: textOf(message) })))
  expect(withBlock(messages, block, place)).toEqual(expected)
  expect(messages.map(message => ({ ...message, content: textOf(message) }))).toEqual(before)
})

it('leaves the messages as they are where there is nothing to put in, or nowhere to put it', () => {
  const messages: ChatMessage[] = [{ role: 'user', content: 'a' }]
  expect(withBlock(messages, '')).toBe(messages)
  const system: ChatMessage[] = [{ role: 'system', content: 's' }]
  expect(withBlock(system, block)).toBe(system)
})
