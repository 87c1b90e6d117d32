/** Files over the network, each requested once, checked before use, and kept in the Cache API. */

import { abortError, CredenceError } from '../errors.ts'
import type { Progress } from '../memory.ts'

export type Bytes = Uint8Array<ArrayBuffer>

export interface RemoteFile {
  url: string
  /** What progress and errors call it. */
  name: string
  /** Where they are known beforehand. Without a hash, that of the first download is kept with the file. */
  bytes?: number
  sha256?: string
}

export interface Files {
  /** The checked bytes. Rejects with `ModelMissing`, `ModelCorrupt` or an abort. */
  read(file: RemoteFile): Promise<Bytes>
  /** The bytes as the server has them now, neither checked nor kept. */
  fetch(file: RemoteFile): Promise<Bytes>
  /** A small record of an earlier visit, or undefined. */
  note(name: string): Promise<unknown>
  keepNote(name: string, value: unknown): Promise<void>
  /** Removes notes or the kept files of these hashes. */
  drop(keys: { notes?: readonly string[]; sha256?: readonly string[] }): Promise<void>
}

const cacheName = 'credence-models'
// Keys of the Cache API are URLs; nothing is ever requested from this one.
const keyOf = (kind: 'sha256' | 'note', name: string) => `https://credence.invalid/${kind}/${encodeURIComponent(name)}`
const hashHeader = 'x-credence-sha256'
/** The sign `<`, with which web pages begin, and neither JSON nor a model. */
const lessThan = 60

export function openFiles(options: { onProgress?: ((progress: Progress) => void) | undefined; signal?: AbortSignal | undefined }): Files {
  const { onProgress, signal } = options
  const cache = openCache()
  const pending = new Map<string, Promise<Bytes>>()

  async function load(file: RemoteFile, key: string): Promise<Bytes> {
    const kept = await fromCache(await cache, key, file)
    if (signal?.aborted) throw abortError(signal)
    if (kept) {
      onProgress?.({ stage: 'download', item: file.name, source: 'cache', done: kept.length, total: kept.length })
      return kept
    }
    const bytes = await download(file, await cache, onProgress, signal)
    // Without a hash beforehand anything would be kept for good, as what a hub or a hotel's network says of a login.
    if (file.sha256 === undefined && bytes[0] === lessThan) throw corrupt(file, 'it is a web page')
    const hash = await sha256(bytes)
    if (file.sha256 !== undefined && hash !== null && hash !== file.sha256) throw corrupt(file, `its sha256 is ${hash}, not ${file.sha256}`)
    if (signal?.aborted) throw abortError(signal)
    await keep(await cache, key, bytes, hash)
    return bytes
  }

  return {
    read(file) {
      const key = file.sha256 === undefined ? file.url : keyOf('sha256', file.sha256)
      let bytes = pending.get(key)
      if (!bytes) {
        bytes = load(file, key).finally(() => pending.delete(key))
        pending.set(key, bytes)
      }
      return bytes
    },
    fetch: async file => download(file, await cache, onProgress, signal),
    async note(name) {
      try {
        return await (await (await cache)?.match(keyOf('note', name)))?.json()
      } catch {
        return undefined
      }
    },
    async keepNote(name, value) {
      await put(await cache, keyOf('note', name), new Response(JSON.stringify(value)))
    },
    async drop({ notes = [], sha256 = [] }) {
      const keys = [...notes.map(name => keyOf('note', name)), ...sha256.map(hash => keyOf('sha256', hash))]
      await Promise.all(keys.map(async key => (await cache)?.delete(key)))
    },
  }
}

/** Null where there is none: insecure pages, some private modes. Files are then fetched at each visit. */
async function openCache(): Promise<Cache | null> {
  try {
    return await caches.open(cacheName)
  } catch {
    return null
  }
}

async function fromCache(cache: Cache | null, key: string, file: RemoteFile): Promise<Bytes | null> {
  let bytes: Bytes
  let expected: string | null
  try {
    const response = await cache?.match(key)
    if (!response) return null
    expected = file.sha256 ?? response.headers.get(hashHeader)
    bytes = new Uint8Array(await response.arrayBuffer())
  } catch {
    return null
  }
  const whole = file.bytes === undefined || file.bytes === bytes.length
  if (whole && (expected === null || (await sha256(bytes)) === expected)) return bytes
  await cache?.delete(key)
  return null
}

async function download(
  file: RemoteFile,
  cache: Cache | null,
  onProgress: ((progress: Progress) => void) | undefined,
  signal: AbortSignal | undefined,
): Promise<Bytes> {
  try {
    // With a cache of our own, the HTTP cache would only hold a second copy, or an outdated one.
    const response = await fetch(file.url, { cache: cache ? 'no-store' : 'default', ...(signal && { signal }) })
    if (!response.ok) throw missing(file, `the server answered ${response.status}`)
    if (!response.body) throw missing(file, 'the answer was empty')
    const total = file.bytes ?? announced(response)
    const chunks: Bytes[] = []
    let done = 0
    let told = 0
    for await (const chunk of chunksOf(response.body)) {
      chunks.push(chunk)
      done += chunk.length
      if (file.bytes !== undefined && done > file.bytes) throw corrupt(file, `it is longer than ${file.bytes} bytes`)
      if (done - told >= total / 100) {
        told = done
        onProgress?.({ stage: 'download', item: file.name, source: 'network', done, total: Math.max(total, done) })
      }
    }
    if (file.bytes !== undefined && done !== file.bytes) throw corrupt(file, `it has ${done} bytes, not ${file.bytes}`)
    if (told !== done || done === 0) onProgress?.({ stage: 'download', item: file.name, source: 'network', done, total: done })
    return joined(chunks, done)
  } catch (cause) {
    if (signal?.aborted) throw abortError(signal)
    if (cause instanceof CredenceError) throw cause
    if (cause instanceof RangeError) throw tooLarge(file, cause)
    throw missing(file, 'the request failed', cause)
  }
}

async function* chunksOf(body: ReadableStream<Bytes>): AsyncGenerator<Bytes> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // Stops the transfer when the loop was left early.
    await reader.cancel().catch(() => undefined)
  }
}

function joined(chunks: readonly Bytes[], length: number): Bytes {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Content-Length counts the compressed bytes of a compressed answer: of no use then. */
function announced(response: Response): number {
  return response.headers.has('content-encoding') ? 0 : Number(response.headers.get('content-length') ?? 0)
}

function keep(cache: Cache | null, key: string, bytes: Bytes, hash: string | null): Promise<void> {
  const headers: Record<string, string> = { 'content-length': String(bytes.length) }
  if (hash !== null) headers[hashHeader] = hash
  return put(cache, key, new Response(bytes, { headers }))
}

/** No room, or no permission to keep anything: the file is fetched again at the next visit. */
async function put(cache: Cache | null, key: string, response: Response): Promise<void> {
  await cache?.put(key, response).catch(() => undefined)
}

/** Null on insecure pages, where the browser has no hash function; then the size alone is checked. */
async function sha256(bytes: Bytes): Promise<string | null> {
  if (globalThis.crypto?.subtle === undefined) return null
  return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), byte => byte.toString(16).padStart(2, '0')).join('')
}

function missing(file: RemoteFile, why: string, cause?: unknown): CredenceError {
  return new CredenceError(
    'ModelMissing',
    `${file.name} could not be fetched from ${file.url}: ${why}; check the option assets and the server`,
    {
      cause,
      data: { file: file.name, url: file.url },
    },
  )
}

function tooLarge(file: RemoteFile, cause: unknown): CredenceError {
  return new CredenceError('OutOfMemory', `there is no memory for ${file.name}; leave its model out with the option models`, {
    cause,
    data: { file: file.name },
  })
}

function corrupt(file: RemoteFile, why: string): CredenceError {
  return new CredenceError(
    'ModelCorrupt',
    `${file.name} at ${file.url} is not the file it should be: ${why}; deploy the model files again`,
    {
      data: { file: file.name, url: file.url },
    },
  )
}
