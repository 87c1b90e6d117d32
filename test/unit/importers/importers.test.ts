import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CredenceError } from '../../../src/errors.ts'
import { readTranscript } from '../../../src/integrations/importers.ts'
import type { Turn } from '../../../src/memory.ts'

const read = async (input: Parameters<typeof readTranscript>[0]) => {
  const transcript = await readTranscript(input, 'chat.json')
  const turns: Turn[] = []
  for await (const turn of transcript) turns.push(turn)
  return { turns, summary: transcript.summary }
}

const refusal = async (input: Parameters<typeof readTranscript>[0]) => {
  const error = (await readTranscript(input, 'chat.json').then(
    () => undefined,
    (e: unknown) => e,
  )) as CredenceError
  expect(error?.code).toBe('ImportInvalid')
  expect(error.message).toMatch(/^credence: chat\.json cannot be imported: /)
  return error
}

/** A conversation as ChatGPT exports it: a chain of messages under an empty root, and branches beside it. */
const chatGpt = (
  id: string,
  at: number,
  messages: { role: string; parts?: unknown[]; at?: number | null; extra?: object; content?: object }[],
) => {
  const mapping: Record<string, unknown> = { root: { id: 'root', message: null, parent: null, children: [`${id}-0`] } }
  messages.forEach(({ role, parts = [], at: time, extra, content }, i) => {
    mapping[`${id}-${i}`] = {
      id: `${id}-${i}`,
      parent: i === 0 ? 'root' : `${id}-${i - 1}`,
      children: [`${id}-${i + 1}`],
      message: {
        id: `${id}-${i}`,
        author: { role, name: null, metadata: {} },
        create_time: time === undefined ? at + i : time,
        content: content ?? { content_type: 'text', parts },
        recipient: 'all',
        metadata: {},
        ...extra,
      },
    }
  })
  return { title: 'A chat', create_time: at, mapping, current_node: `${id}-${messages.length - 1}`, conversation_id: id }
}

describe('ChatGPT exports', () => {
  it('follows the path of the current node and counts what it leaves out', async () => {
    const conversation = chatGpt('c1', 1_700_000_000, [
      { role: 'system', parts: [''] },
      { role: 'user', parts: ['I moved to Lisbon.'] },
      { role: 'assistant', parts: ['import pandas'], extra: { recipient: 'python' } },
      { role: 'tool', parts: ['42'] },
      { role: 'assistant', parts: ['How nice!'] },
      {
        role: 'user',
        content: {
          content_type: 'multimodal_text',
          parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'x' }, 'My new street.'],
        },
      },
      { role: 'user', content: { content_type: 'user_editable_context', user_profile: 'x' } },
      { role: 'user', parts: ['hidden'], extra: { metadata: { is_visually_hidden_from_conversation: true } } },
      { role: 'assistant', content: { content_type: 'thoughts', thoughts: [] } },
      { role: 'assistant', parts: ['Lovely.'], at: null },
    ])
    const mapping = conversation.mapping as Record<string, unknown>
    mapping['other'] = {
      id: 'other',
      parent: 'c1-1',
      message: { id: 'other', author: { role: 'assistant' }, content: { content_type: 'text', parts: ['no'] } },
    }
    const { turns, summary } = await read(JSON.stringify([conversation]))
    expect(turns).toEqual([
      { role: 'user', text: 'I moved to Lisbon.', id: 'c1-1', at: 1_700_000_001_000, conversation: 'c1' },
      { role: 'assistant', text: 'How nice!', id: 'c1-4', at: 1_700_000_004_000, conversation: 'c1' },
      { role: 'user', text: 'My new street.', id: 'c1-5', at: 1_700_000_005_000, conversation: 'c1' },
      { role: 'assistant', text: 'Lovely.', id: 'c1-9', at: 1_700_000_005_000, conversation: 'c1' },
    ])
    expect(summary).toEqual({
      format: 'chatgpt',
      conversations: 1,
      turns: 4,
      skipped: { system: 1, tool: 2, image: 1, 'not-text': 2, hidden: 1, 'other-branch': 1 },
    })
  })

  it('yields the turns of all conversations in the order in which they were said', async () => {
    const newest = chatGpt('b', 2_000, [
      { role: 'user', parts: ['two'] },
      { role: 'user', parts: ['five'], at: 9_000 },
    ])
    const oldest = chatGpt('a', 1_000, [
      { role: 'user', parts: ['one'] },
      { role: 'user', parts: ['three'], at: 3_000 },
      { role: 'user', parts: ['four'], at: 2_500 }, // a clock that went back does not turn the order round
    ])
    const { turns } = await read(JSON.stringify([newest, oldest]))
    expect(turns.map(t => t.text)).toEqual(['one', 'two', 'three', 'four', 'five'])
    expect(turns.map(t => t.at)).toEqual([1_000_000, 2_000_000, 3_000_000, 3_000_000, 9_000_000])
  })

  it('survives hostile trees', async () => {
    const circle = { mapping: { a: { parent: 'b', message: null }, b: { parent: 'a', message: null } }, current_node: 'a' }
    const polluting = `{"mapping":{"__proto__":{"message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["x"]}},"parent":"constructor"}},"current_node":"__proto__","__proto__":{"polluted":true}}`
    const { turns } = await read(`[${JSON.stringify(circle)},${polluting},{"mapping":{"a":7}}]`)
    expect(turns).toEqual([{ role: 'user', text: 'x', id: '__proto__' }])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('Claude exports', () => {
  const message = (uuid: string, sender: string, text: string, extra: object = {}) => ({
    uuid,
    sender,
    text: 'flattened',
    content: [{ type: 'text', text }],
    created_at: '2026-03-01T10:00:00Z',
    attachments: [],
    files: [],
    ...extra,
  })

  it('keeps text blocks, counts the rest', async () => {
    const conversation = {
      uuid: 'k1',
      name: '',
      created_at: '2026-03-01T09:59:00Z',
      chat_messages: [
        message('m1', 'human', 'I am allergic to nuts.', { attachments: [{ file_name: 'a.txt' }] }),
        message('m2', 'assistant', 'Noted.', {
          content: [{ type: 'tool_use' }, { type: 'thinking', thinking: 'h' }, { type: 'text', text: 'Noted.' }],
        }),
        { uuid: 'm3', sender: 'human', text: 'Old form', created_at: '2026-03-01T10:01:00Z' },
        message('m4', 'assistant', '', { content: [] }),
      ],
    }
    const { turns, summary } = await read(JSON.stringify([conversation]))
    expect(turns).toEqual([
      { role: 'user', text: 'I am allergic to nuts.', id: 'm1', at: Date.UTC(2026, 2, 1, 10), conversation: 'k1' },
      { role: 'assistant', text: 'Noted.', id: 'm2', at: Date.UTC(2026, 2, 1, 10), conversation: 'k1' },
      { role: 'user', text: 'Old form', id: 'm3', at: Date.UTC(2026, 2, 1, 10, 1), conversation: 'k1' },
    ])
    expect(summary).toEqual({
      format: 'claude',
      conversations: 1,
      turns: 3,
      skipped: { attachment: 1, tool: 1, 'not-text': 1, empty: 1 },
    })
  })

  it('follows the parents of the last message', async () => {
    const chat_messages = [
      message('m1', 'human', 'first', { parent_message_uuid: 'root' }),
      message('m2', 'assistant', 'dropped', { parent_message_uuid: 'm1' }),
      message('m3', 'assistant', 'kept', { parent_message_uuid: 'm1' }),
    ]
    const { turns, summary } = await read(JSON.stringify({ uuid: 'k', chat_messages }))
    expect(turns.map(t => t.text)).toEqual(['first', 'kept'])
    expect(summary.skipped).toEqual({ 'other-branch': 1 })
  })
})

describe('messages', () => {
  it('reads JSON lines with their optional fields', async () => {
    const lines = [
      { role: 'user', content: 'I like tea.', id: 7, timestamp: 1_700_000_000 },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'Fine.' }, { type: 'image_url' }],
        at: '2026-01-02T03:04:05Z',
        conversation: 'x',
      },
      { speaker: 'Ada', text: '喝茶' },
      { role: 'developer', content: 'be brief' },
      { role: 'martian', content: 'hm' },
      { role: 'user', content: '  ' },
      { role: 'user', text: 'x'.repeat(1_000_001) },
    ]
    const { turns, summary } = await read('\ufeff' + lines.map(l => JSON.stringify(l)).join('\r\n') + '\n\n')
    expect(turns).toEqual([
      { role: 'user', text: 'I like tea.', id: '7', at: 1_700_000_000_000 },
      { role: 'assistant', text: 'Fine.', id: expect.stringMatching(/^imported-/), at: Date.UTC(2026, 0, 2, 3, 4, 5), conversation: 'x' },
      { role: 'user', text: '喝茶', id: expect.stringMatching(/^imported-/), speaker: 'Ada' },
    ])
    expect(summary).toEqual({
      format: 'messages',
      conversations: 2,
      turns: 3,
      skipped: { image: 1, system: 1, 'unknown-role': 1, empty: 1, 'too-long': 1 },
    })
  })

  it('gives the same ids again, and different ones to repetitions', async () => {
    const text = '{"role":"user","content":"again"}\n{"role":"user","content":"again"}'
    const [first, second] = [await read(text), await read(text)]
    expect(new Set(first.turns.map(t => t.id)).size).toBe(2)
    expect(second.turns).toEqual(first.turns)
  })

  it('reads the same turns from a list, a stream in pieces of any size, and lines', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            role: fc.constantFrom('user', 'assistant'),
            content: fc.string({ unit: 'grapheme', minLength: 1 }).map(s => `“${s}”`),
          }),
          {
            minLength: 1,
            maxLength: 6,
          },
        ),
        fc.integer({ min: 1, max: 9 }),
        async (messages, size) => {
          const lines = await read(messages.map(m => JSON.stringify(m)).join('\n'))
          const list = await read(JSON.stringify(messages, null, 1))
          const bytes = new TextEncoder().encode(JSON.stringify(messages))
          const stream = new ReadableStream<Uint8Array>({
            start(controller) {
              for (let i = 0; i < bytes.length; i += size) controller.enqueue(bytes.slice(i, i + size))
              controller.close()
            },
          })
          expect(lines.turns.map(t => t.text)).toEqual(messages.map(m => m.content))
          expect(list.turns).toEqual(lines.turns)
          expect((await read(stream)).turns).toEqual(lines.turns)
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('Markdown', () => {
  it.each([
    ['bold', 'A note.\n\n**User:** I live in Oslo.\nIn a flat.\n\n**Assistant:** I see.\n'],
    ['bold, colon outside', '# Title\n**You**: I live in Oslo.\nIn a flat.\n**ChatGPT**: I see.'],
    ['headings', '# My chat\n\n## User\n\nI live in Oslo.\nIn a flat.\n\n## Assistant\n\nI see.'],
    ['headings with colon', 'x\n##### You said:\nI live in Oslo.\nIn a flat.\n##### ChatGPT said:\nI see.'],
    ['plain', 'Hm\r\nUser: I live in Oslo.\r\nIn a flat.\r\nAI: I see.'],
  ])('%s', async (_style, text) => {
    const { turns, summary } = await read(text)
    expect(turns.map(({ role, text }) => ({ role, text }))).toEqual([
      { role: 'user', text: 'I live in Oslo.\nIn a flat.' },
      { role: 'assistant', text: 'I see.' },
    ])
    expect(summary).toEqual({ format: 'markdown', conversations: 1, turns: 2, skipped: { preamble: 1 } })
  })

  it('leaves labels inside code and of another style alone', async () => {
    const { turns } = await read('## User\nUser: quoted\n```\n## Assistant\n```\n## Assistant\nok')
    expect(turns.map(t => t.text)).toEqual(['User: quoted\n```\n## Assistant\n```', 'ok'])
  })
})

describe('broken files', () => {
  it.each([
    ['', /it is empty/],
    [' \n ', /it is empty/],
    ['just prose, no chat', /no line begins a message/],
    ['PK\u0003\u0004', /zip archive is damaged/],
    ['<!doctype html>', /web page/],
    ['[{"role":"user","content":"a"}', /ends in the middle at byte 30 \(line 1\)/],
    ['[\n{"role":"user","con', /ends in the middle at byte 21 \(line 2\)/],
    ['[{"role":"user","content":"a"}]x', /after the end of the list at byte 31/],
    ['[{"role":"user","content":"a"},]', /an object was expected at byte 31/],
    ['[{"role":"user","content":"a"} {"role":"user","content":"b"}]', /an object was expected at byte 31/],
    ['{"role":"user","content":"a"}\n{"role":"user","content":"b\n"}', /a string is not closed at byte 57 \(line 2\)/],
    ['{"role":"user","content":"a"}\n{"role":user}', /the JSON value is malformed at byte 30 \(line 2\)/],
    ['{"a":1}', /an object is not a conversation .* at byte 0/],
    ['[{"role":"user","content":"a"},{"mapping":{}}]', /not of the format "messages".* at byte 31/],
    [`{"role":${'['.repeat(100_000)}`, /nested deeper than 200 levels/],
  ])('is refused with its place, case %#', async (text, message) => {
    expect((await refusal(text)).message).toMatch(message)
  })

  it('refuses text that is not UTF-8', async () => {
    const latin1 = new Blob([
      new TextEncoder().encode('{"role":"user","content":"'),
      new Uint8Array([0xe9]),
      new TextEncoder().encode('"}'),
    ])
    expect((await refusal(latin1)).message).toMatch(/not UTF-8/)
    expect((await refusal(new Blob([new Uint8Array([0xff, 0xfe, 0x7b, 0])]))).message).toMatch(/save it as UTF-8/)
  })

  it('never throws anything else, whatever the bytes', async () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ',',
      ':',
      '\n',
      'null',
      '"mapping"',
      '"role"',
      '"text"',
      '"user"',
      '"__proto__"',
      ' ',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(token, fc.string())).map(parts => parts.join('')),
        async text => {
          const outcome = await read(text).catch((e: unknown) => e)
          if (outcome instanceof Error) expect((outcome as CredenceError).code).toBe('ImportInvalid')
        },
      ),
      { numRuns: 500 },
    )
  })

  it('accepts an empty list', async () => {
    expect(await read('[]')).toEqual({ turns: [], summary: { format: 'messages', conversations: 0, turns: 0, skipped: {} } })
  })
})
