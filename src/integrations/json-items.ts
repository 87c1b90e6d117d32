/** Splits a big JSON file into its objects without ever holding more than one of them. */

import { CredenceError } from '../errors.ts'

/** One object of the file: an element of the top-level array, or one of several top-level values (JSON lines). */
export interface JsonItem {
  value: Record<string, unknown>
  /** Bytes from the start of the file, end exclusive. */
  start: number
  end: number
  /** 1 for the first line. */
  line: number
}

/** Deeper than any chat export; protects whoever walks the parsed value. */
const maxDepth = 200
/** One conversation; a longer one would not fit into a string with room to spare. */
const maxItemBytes = 2 ** 28

const Byte = {
  Tab: 0x09,
  LineFeed: 0x0a,
  Return: 0x0d,
  Space: 0x20,
  Quote: 0x22,
  Comma: 0x2c,
  OpenArray: 0x5b,
  Backslash: 0x5c,
  CloseArray: 0x5d,
  OpenObject: 0x7b,
  CloseObject: 0x7d,
} as const

const isBlank = (byte: number) => byte === Byte.Space || byte === Byte.LineFeed || byte === Byte.Return || byte === Byte.Tab

export function invalid(
  name: string,
  problem: string,
  where?: { position: number; line: number },
  cause?: unknown,
  data?: Record<string, unknown>,
): CredenceError {
  const place = where === undefined ? '' : ` at byte ${where.position} (line ${where.line})`
  return new CredenceError('ImportInvalid', `${name} cannot be imported: ${problem}${place}`, {
    ...(cause === undefined ? {} : { cause }),
    data: { name, ...where, ...data },
  })
}

/** Parses one item's bytes; what is wrong inside it is reported at its start. */
export function parseItem(
  bytes: Uint8Array | Uint8Array[],
  name: string,
  where: { position: number; line: number },
): Record<string, unknown> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    const text = Array.isArray(bytes)
      ? bytes.map(b => decoder.decode(b, { stream: true })).join('') + decoder.decode()
      : decoder.decode(bytes)
    return JSON.parse(text) as Record<string, unknown>
  } catch (cause) {
    throw invalid(name, cause instanceof SyntaxError ? 'the JSON value is malformed' : 'the text is not UTF-8', where, cause)
  }
}

/**
 * Yields the objects of a JSON array of objects, or of a sequence of objects separated by white space. JSON's structure is ASCII, so the bytes are
 * scanned as they are and offsets can be used to read an item again.
 */
export async function* jsonItems(blob: Blob, name: string, onBytes?: (bytes: number) => void): AsyncGenerator<JsonItem> {
  let position = 0
  let line = 1
  let wholeArray: boolean | undefined // undefined before the first significant byte
  let expects: 'item' | 'item-or-end' | 'separator' | 'nothing' = 'item-or-end'
  let depth = 0
  let inString = false
  let escaped = false
  let pieces: Uint8Array[] = []
  let start = 0
  let startLine = 1
  const fail = (problem: string) => invalid(name, problem, { position, line })

  for await (const chunk of bytesOf(blob)) {
    onBytes?.(chunk.length)
    const base = position
    let from = 0 // where the current item begins or goes on in this chunk
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!
      position = base + i
      if (inString && byte < Byte.Space) throw fail('a string is not closed')
      if (byte === Byte.LineFeed) line++
      if (depth === 0) {
        if (isBlank(byte) || (position < 3 && isByteOrderMark(byte, position))) continue
        if (byte === Byte.OpenObject && expects !== 'nothing' && (expects !== 'separator' || wholeArray === false)) {
          wholeArray ??= false
          depth = 1
          from = i
          start = position
          startLine = line
        } else if (byte === Byte.OpenArray && wholeArray === undefined) {
          wholeArray = true
        } else if (byte === Byte.Comma && wholeArray === true && expects === 'separator') {
          expects = 'item'
        } else if (byte === Byte.CloseArray && wholeArray === true && (expects === 'separator' || expects === 'item-or-end')) {
          expects = 'nothing'
        } else {
          throw fail(expects === 'nothing' ? 'there is something after the end of the list' : 'an object was expected')
        }
      } else if (inString) {
        if (escaped) escaped = false
        else if (byte === Byte.Backslash) escaped = true
        else if (byte === Byte.Quote) inString = false
      } else if (byte === Byte.Quote) {
        inString = true
      } else if (byte === Byte.OpenObject || byte === Byte.OpenArray) {
        if (++depth > maxDepth) throw fail(`it is nested deeper than ${maxDepth} levels`)
      } else if ((byte === Byte.CloseObject || byte === Byte.CloseArray) && --depth === 0) {
        pieces.push(chunk.subarray(from, i + 1))
        const value = parseItem(pieces, name, { position: start, line: startLine })
        pieces = []
        expects = 'separator'
        yield { value, start, end: position + 1, line: startLine }
      }
    }
    position = base + chunk.length
    if (depth > 0) {
      pieces.push(chunk.subarray(from))
      if (position - start > maxItemBytes)
        throw invalid(name, `one object is larger than ${maxItemBytes} bytes`, { position: start, line: startLine })
    }
  }
  if (depth > 0 || (wholeArray === true && expects !== 'nothing')) throw fail('the file ends in the middle')
}

const byteOrderMark = [0xef, 0xbb, 0xbf]
const isByteOrderMark = (byte: number, position: number) => byte === byteOrderMark[position]

/** `Blob.stream()` as an async iterable, which not every browser's ReadableStream is. */
export async function* bytesOf(blob: Blob): AsyncGenerator<Uint8Array> {
  const reader = blob.stream().getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    await reader.cancel()
  }
}
