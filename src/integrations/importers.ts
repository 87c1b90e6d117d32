/**
 * Reads chats from files: ChatGPT's and Claude's exports (zip or `conversations.json`), JSON or JSON lines of messages, and Markdown.
 * The file is never held as a whole: it is read once to check and count it, and again as the turns are taken.
 */

import { abortError, refuseUnknown } from '../errors.ts'
import type { Progress, Turn } from '../memory.ts'
import { chatGptConversation, isChatGpt } from './chatgpt.ts'
import { claudeConversation, isClaude } from './claude.ts'
import { DerivedIds, type Conversation, type Skip, type SkipReason } from './conversation.ts'
import { invalid, jsonItems, parseItem } from './json-items.ts'
import { markdownTurns } from './markdown.ts'
import { isMessage, messageTurn } from './messages.ts'
import { unpack } from './zip.ts'

export { importTranscript, type ImportOptions, type ImportReport } from './report.ts'
export type { SkipReason }

export type TranscriptFormat = 'chatgpt' | 'claude' | 'messages' | 'markdown'

/** What a file holds. */
export interface TranscriptSummary {
  format: TranscriptFormat
  /** Conversations with at least one turn. */
  conversations: number
  /** Turns that will be yielded: what users and assistants wrote. */
  turns: number
  /** What is left out, counted by reason. Images and attachments count, although the text beside them is kept. */
  skipped: Partial<Record<SkipReason, number>>
}

/**
 * A checked file. Iterating it yields its turns, oldest first over all conversations of an export, in the file's order for other transcripts.
 * It may be iterated again; ids are the export's own or derived from the content, so that `observeAll` resumes where it was stopped.
 */
export interface Transcript extends AsyncIterable<Turn> {
  readonly summary: TranscriptSummary
}

export interface ReadOptions {
  signal?: AbortSignal
  /** Bytes unpacked, and then bytes checked, of all. */
  onProgress?: (progress: Progress) => void
}

/**
 * Checks a transcript and tells what is in it; nothing is yielded of a file that is broken anywhere. `name` is used in messages only.
 * A zip archive is an export as it was downloaded: its `conversations.json` is read, whatever else is in it.
 * Rejects with `ImportInvalid`; `data.position` (bytes) and `data.line` say where, `data.limit` that an archive unpacks to more than it should; with the
 * signal's reason when it fires.
 */
export async function readTranscript(
  input: string | Blob | ReadableStream<Uint8Array>,
  name = 'the transcript',
  options: ReadOptions = {},
): Promise<Transcript> {
  refuseUnknown(options, ['signal', 'onProgress'], 'readTranscript')
  const { signal, onProgress } = options
  const given = typeof input === 'string' ? new Blob([input]) : input instanceof Blob ? input : await new Response(input).blob()
  const files = (await isZip(given)) ? await unpack(given, name, { signal, onProgress }) : [given]
  const summary: TranscriptSummary = { format: 'markdown', conversations: 0, turns: 0, skipped: {} }
  const skip: Skip = reason => void (summary.skipped[reason] = (summary.skipped[reason] ?? 0) + 1)
  const uncounted: Skip = () => undefined

  const total = files.reduce((sum, file) => sum + file.size, 0)
  let done = 0
  const onBytes = (bytes: number) => {
    onProgress?.({ stage: 'import', item: name, done: (done += bytes), total })
    if (signal?.aborted) throw abortError(signal)
  }

  const [first] = files
  if (files.length === 1 && (await layoutOf(first!, name)) === 'markdown') {
    for await (const _turn of markdownTurns(first!, new DerivedIds(), skip, onBytes)) summary.turns++
    summary.conversations = Math.min(1, summary.turns)
    if (summary.turns === 0) throw invalid(name, 'no line begins a message such as "User: …", "**User:** …" or "## User"')
    return { summary, [Symbol.asyncIterator]: () => markdownTurns(first!, new DerivedIds(), uncounted) }
  }

  const order: Place[] = []
  const conversations = new Set<string>()
  const ids = new DerivedIds()
  let format: Exclude<TranscriptFormat, 'markdown'> | undefined
  for (const file of files) {
    await layoutOf(file, name)
    for await (const item of jsonItems(file, name, onBytes)) {
      const found = formatOf(item.value)
      if (found === undefined || (format !== undefined && found !== format)) {
        const wanted =
          format === undefined
            ? 'a conversation of ChatGPT or Claude, or a message { role, content }'
            : `of the format "${format}" like the ones before it`
        throw invalid(name, `an object is not ${wanted}`, { position: item.start, line: item.line })
      }
      format = found
      if (format === 'messages') {
        const turn = messageTurn(item.value, ids, skip)
        if (turn === undefined) continue
        summary.turns++
        conversations.add(turn.conversation ?? '')
      } else {
        const { turns } = conversationOf(format, item.value, skip)
        const place = { file, start: item.start, end: item.end, line: item.line }
        turns.forEach((turn, index) => order.push({ item: place, index, last: turns.length - 1, at: turn.at as number | undefined }))
        summary.turns += turns.length
        summary.conversations += Math.min(1, turns.length)
      }
    }
  }
  summary.format = format ?? 'messages'
  if (format === undefined || format === 'messages') {
    summary.conversations = conversations.size
    return { summary, [Symbol.asyncIterator]: () => messageTurns(files, name) }
  }
  // Exports list the newest conversation first, and conversations overlap; beliefs must grow in the order in which things were said.
  order.sort((a, b) => (a.at ?? -Infinity) - (b.at ?? -Infinity) || 0)
  const kind = format
  return { summary, [Symbol.asyncIterator]: () => exportTurns(name, kind, order) }
}

/** Where a turn stands in an export: its conversation's bytes and its number there. */
interface Place {
  item: { file: Blob; start: number; end: number; line: number }
  index: number
  last: number
  at: number | undefined
}

async function* messageTurns(files: readonly Blob[], name: string): AsyncGenerator<Turn> {
  const ids = new DerivedIds()
  for (const file of files) {
    for await (const item of jsonItems(file, name)) {
      const turn = messageTurn(item.value, ids, () => undefined)
      if (turn !== undefined) yield turn
    }
  }
}

/** Holds a conversation from its first turn to its last only. */
async function* exportTurns(name: string, format: 'chatgpt' | 'claude', order: readonly Place[]): AsyncGenerator<Turn> {
  const open = new Map<Place['item'], Turn[]>()
  for (const { item, index, last } of order) {
    let turns = open.get(item)
    if (turns === undefined) {
      const bytes = new Uint8Array(await item.file.slice(item.start, item.end).arrayBuffer())
      turns = conversationOf(format, parseItem(bytes, name, { position: item.start, line: item.line }), () => undefined).turns
      open.set(item, turns)
    }
    if (index === last) open.delete(item)
    yield turns[index]!
  }
}

/** A message without a time, or with one before its predecessor's, gets the predecessor's: the order inside a conversation is kept. */
function conversationOf(format: 'chatgpt' | 'claude', value: Record<string, unknown>, skip: Skip): Conversation {
  const conversation = format === 'chatgpt' ? chatGptConversation(value, skip) : claudeConversation(value, skip)
  let time = conversation.at
  const turns = conversation.turns.map(turn => {
    const at = turn.at as number | undefined
    time = at === undefined ? time : Math.max(at, time ?? at)
    return time === undefined ? turn : { ...turn, at: time }
  })
  return { at: conversation.at, turns }
}

function formatOf(value: Record<string, unknown>): Exclude<TranscriptFormat, 'markdown'> | undefined {
  if (isChatGpt(value)) return 'chatgpt'
  if (isClaude(value)) return 'claude'
  return isMessage(value) ? 'messages' : undefined
}

async function isZip(blob: Blob): Promise<boolean> {
  const [a, b] = new Uint8Array(await blob.slice(0, 2).arrayBuffer())
  return a === 0x50 && b === 0x4b
}

/** Told from the first bytes; the name's ending is not trusted. */
async function layoutOf(blob: Blob, name: string): Promise<'json' | 'markdown'> {
  const head = new Uint8Array(await blob.slice(0, 4096).arrayBuffer())
  const starts = (...bytes: number[]) => bytes.every((byte, i) => head[i] === byte)
  if (starts(0x1f, 0x8b)) throw invalid(name, 'it is compressed; unpack it first')
  if (starts(0xff, 0xfe) || starts(0xfe, 0xff) || head.includes(0)) throw invalid(name, 'it is not UTF-8 text; save it as UTF-8')
  const text = new TextDecoder().decode(head).trimStart() // the decoder takes a byte order mark away
  if (text === '') throw invalid(name, 'it is empty')
  if (text.startsWith('<')) throw invalid(name, 'it is a web page; choose conversations.json of the same export')
  return /^(\{|\[\s*(\{|\]|$))/.test(text) ? 'json' : 'markdown'
}
