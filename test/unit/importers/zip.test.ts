import { BlobReader, BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js'
import { describe, expect, it } from 'vitest'
import type { CredenceError } from '../../../src/errors.ts'
import { readTranscript } from '../../../src/integrations/importers.ts'
import type { Progress, Turn } from '../../../src/memory.ts'
import { chatGptExport } from '../../fixtures/chatgpt-export.ts'

async function zip(files: Record<string, string | Blob>, options = {}): Promise<Blob> {
  const writer = new ZipWriter(new BlobWriter('application/zip'), { useWebWorkers: false, ...options })
  for (const [name, content] of Object.entries(files)) {
    await writer.add(name, typeof content === 'string' ? new TextReader(content) : new BlobReader(content))
  }
  return writer.close()
}

async function textsOf(input: Blob): Promise<string[]> {
  const texts: string[] = []
  for await (const turn of await readTranscript(input)) texts.push(turn.text)
  return texts
}

const refusal = async (input: Blob) => {
  const error = (await readTranscript(input, 'export.zip').catch((e: unknown) => e)) as CredenceError
  expect(error.code).toBe('ImportInvalid')
  return error
}

const lines = (...texts: string[]) => texts.map(content => JSON.stringify({ role: 'user', content })).join('\n')

describe('a zip archive', () => {
  it('is the same as the export that is packed in it', async () => {
    const { json, expected } = chatGptExport({ messages: 120, conversations: 6 })
    const picture = new Blob([new Uint8Array(50_000)])
    const packed = await zip({
      'export/user.json': '{}',
      'export/conversations.json': json,
      'export/a.png': picture,
      'export/chat.html': '<p>',
    })
    const [plain, zipped] = [await readTranscript(json), await readTranscript(packed)]
    expect(zipped.summary).toEqual({ format: 'chatgpt', ...expected })
    const all = async (transcript: AsyncIterable<Turn>) => {
      const turns = []
      for await (const turn of transcript) turns.push(turn)
      return turns
    }
    expect(await all(zipped)).toEqual(await all(plain))
    expect(await all(zipped)).toHaveLength(120)
  })

  it('may be large, stored without compression, or have its sizes behind the data', async () => {
    const texts = Array.from({ length: 200 }, (_, i) => `message ${i}`)
    for (const options of [{ zip64: true }, { level: 0 }, { dataDescriptor: true }]) {
      expect(await textsOf(await zip({ 'conversations.json': lines(...texts) }, options))).toEqual(texts)
    }
  })

  it('may have the conversations in several files', async () => {
    const older = chatGptExport({ messages: 10, conversations: 1 })
    const part = (from: string) => from.replaceAll('conversation-0', 'other')
    const packed = await zip({ 'conversations-000.json': part(older.json), 'conversations-001.json': older.json })
    const { summary } = await readTranscript(packed)
    expect(summary).toMatchObject({ format: 'chatgpt', conversations: 2, turns: 20 })
  })

  it('may hold one transcript of any name', async () => {
    expect(await textsOf(await zip({ 'talk.md': '**User:** hello', '__MACOSX/._talk.md': 'x' }))).toEqual(['hello'])
  })

  it('without a chat is refused', async () => {
    expect((await refusal(await zip({ 'a.json': '[]', 'b.json': '[]' }))).message).toMatch(/no conversations\.json among its 2 files/)
    expect((await refusal(await zip({ 'a.png': 'x' }))).message).toMatch(/no conversations\.json/)
  })

  it('that is damaged, locked or nothing but a beginning is refused', async () => {
    const good = await zip({ 'conversations.json': lines('hello there, this is a message') })
    expect((await refusal(good.slice(0, good.size - 30))).message).toMatch(/damaged/)
    const bytes = new Uint8Array(await good.arrayBuffer())
    bytes[60]! ^= 0xff
    expect((await refusal(new Blob([bytes]))).message).toMatch(/damaged/)
    expect((await refusal(await zip({ 'conversations.json': lines('x') }, { password: 'secret' }))).message).toMatch(/damaged or locked/)
  })

  it('that unpacks to far more than its size is refused before it fills memory', async () => {
    const bomb = await zip({ 'conversations.json': `${lines('x')}\n${' '.repeat(64 * 2 ** 20)}` })
    expect(bomb.size).toBeLessThan(100_000)
    const seen: number[] = []
    const error = (await readTranscript(bomb, 'export.zip', { onProgress: p => seen.push(p.done) }).catch(
      (e: unknown) => e,
    )) as CredenceError
    expect(error).toMatchObject({ code: 'ImportInvalid', data: { limit: 'ratio' } })
    expect(Math.max(...seen)).toBeLessThan(32 * 2 ** 20)
  })
})

describe('reading', () => {
  it('tells how far it is, for the archive and for what is in it', async () => {
    const { json } = chatGptExport({ messages: 2000, conversations: 40 })
    const packed = await zip({ 'conversations.json': json })
    const seen: Progress[] = []
    await readTranscript(packed, 'export.zip', { onProgress: p => seen.push(p) })
    const size = new TextEncoder().encode(json).length
    expect(seen.map(p => p.item)).toEqual(expect.arrayContaining(['conversations.json', 'export.zip']))
    expect(seen.every(p => p.stage === 'import' && p.done <= p.total && p.total === size)).toBe(true)
    expect(seen.at(-1)!.done).toBe(size)
    expect(seen.length).toBeGreaterThan(4)
  })

  it('stops when its signal fires, while unpacking and while checking', async () => {
    const { json } = chatGptExport({ messages: 2000, conversations: 40 })
    for (const [input, item] of [
      [await zip({ 'conversations.json': json }), 'conversations.json'],
      [new Blob([json]), 'x'],
    ] as const) {
      const controller = new AbortController()
      const seen: string[] = []
      const onProgress = (p: Progress) => {
        seen.push(p.item)
        controller.abort()
      }
      await expect(readTranscript(input, 'x', { signal: controller.signal, onProgress })).rejects.toMatchObject({ name: 'AbortError' })
      expect(seen[0]).toBe(item)
      expect(seen.length).toBeLessThan(8)
    }
  })

  it('takes 50 MB', { timeout: 120_000 }, async () => {
    const { json } = chatGptExport({ messages: 400, conversations: 8 })
    const filler = 'These words stand for a long answer that nobody reads twice. '.repeat(2000)
    const big = json.replaceAll('"Here is what I found."', JSON.stringify(filler))
    const copies = Math.ceil((50 * 2 ** 20) / big.length)
    const parts = Array.from({ length: copies }, (_, i) => big.slice(1, -1).replaceAll('conversation-', `copy-${i}-`))
    const whole = new Blob(['[', parts.join(','), ']'])
    expect(whole.size).toBeGreaterThan(50 * 2 ** 20)
    const transcript = await readTranscript(whole)
    expect(transcript.summary.turns).toBe(400 * copies)
    let turns = 0
    for await (const turn of transcript) turns += turn.text.length > 0 ? 1 : 0
    expect(turns).toBe(400 * copies)
  })

  it('knows its options', async () => {
    await expect(readTranscript('x', 'x', { sginal: 1 } as never)).rejects.toMatchObject({ code: 'UnknownOption' })
  })
})
