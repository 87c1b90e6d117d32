/** The chats in a zip archive, such as an export as it was downloaded. The archive comes from outside: nothing it says of itself is believed. */

import type { Progress } from '../memory.ts'
import { abortError } from '../errors.ts'
import { invalid } from './json-items.ts'

/** Text shrinks to a tenth, seldom to a fiftieth; what shrinks to less than this was made to fill memory. */
const highestRatio = 200
/** Bytes unpacked, of all files taken together: more than any person has written. */
const mostBytes = 2 ** 30
const mostEntries = 200_000
/** Bytes unpacked that are kept as one piece, which the browser may then move out of memory. */
const pieceBytes = 2 ** 22

/** Where exports keep the chats; big ones are split into numbered files. */
const conversations = /(^|\/)conversations(-\d+)?\.json$/i
const transcripts = /\.(json|jsonl|ndjson|md|markdown|txt)$/i

export interface UnpackOptions {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: Progress) => void) | undefined
}

/** The unpacked files, in the order of their names. Rejects with `ImportInvalid`; `data.limit` says which limit a hostile archive broke. */
export async function unpack(archive: Blob, name: string, { signal, onProgress }: UnpackOptions): Promise<Blob[]> {
  const { BlobReader, ZipReader } = await import('@zip.js/zip.js/lib/zip-core-custom.js')
  const reader = new ZipReader(new BlobReader(archive), { useWebWorkers: false, checkSignature: true, strictness: 'balanced' })
  try {
    const files = []
    let entries = 0
    for await (const entry of reader.getEntriesGenerator()) {
      if (++entries > mostEntries) throw hostile(name, 'entries', `more than ${mostEntries} files`)
      // Some archivers on Macs add a second file with the attributes of each.
      if (!entry.directory && !/(^|\/)(__MACOSX\/|\._)/.test(entry.filename)) files.push(entry)
    }
    const wanted = choose(files, name).sort((a, b) => (a.filename < b.filename ? -1 : 1))
    const total = wanted.reduce((sum, entry) => sum + entry.uncompressedSize, 0)
    let done = 0
    const unpacked: Blob[] = []
    for (const entry of wanted) {
      const pieces: Blob[] = []
      let piece: Uint8Array<ArrayBuffer>[] = []
      let bytes = 0
      let held = 0
      const finish = () => {
        pieces.push(new Blob(piece))
        piece = []
        held = 0
      }
      const sink = new WritableStream<Uint8Array<ArrayBuffer>>({
        write(chunk) {
          bytes += chunk.length
          done += chunk.length
          if (done > mostBytes) throw hostile(name, 'size', `more than ${mostBytes} bytes`)
          if (bytes > pieceBytes && bytes > entry.compressedSize * highestRatio)
            throw hostile(name, 'ratio', `more than ${highestRatio} times its size`)
          piece.push(chunk)
          held += chunk.length
          if (held >= pieceBytes) finish()
          onProgress?.({ stage: 'import', item: entry.filename, done, total: Math.max(done, total) })
          if (signal?.aborted) throw abortError(signal)
        },
      })
      await entry.getData(sink, signal && { signal })
      finish()
      unpacked.push(new Blob(pieces))
    }
    return unpacked
  } catch (error) {
    if (signal?.aborted) throw abortError(signal)
    if (error instanceof Error && error.name === 'CredenceError') throw error
    throw invalid(
      name,
      `the zip archive is damaged or locked (${error instanceof Error ? error.message : String(error)})`,
      undefined,
      error,
    )
  } finally {
    await reader.close().catch(() => {})
  }
}

/** The chats of an export, or the one transcript that somebody packed. */
function choose<Entry extends { filename: string }>(files: Entry[], name: string): Entry[] {
  const exported = files.filter(file => conversations.test(file.filename))
  if (exported.length > 0) return exported
  const [only, ...others] = files.filter(file => transcripts.test(file.filename))
  if (only && others.length === 0) return [only]
  throw invalid(name, `the zip archive has no conversations.json among its ${files.length} files; unpack it and choose the chat`)
}

function hostile(name: string, limit: 'size' | 'ratio' | 'entries', what: string) {
  return invalid(name, `the zip archive unpacks to ${what}; if it is what you think, unpack it and choose the chat`, undefined, undefined, {
    limit,
  })
}
