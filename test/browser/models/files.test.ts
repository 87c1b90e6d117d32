import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Progress } from '../../../src/memory.ts'
import { openFiles, type RemoteFile } from '../../../src/models/files.ts'

// A real file of the server, with its real size and hash.
const url = new URL('/models/evidence/tokenizer.json', location.href).href
let content: Uint8Array<ArrayBuffer>
let file: RemoteFile

const realFetch = globalThis.fetch
let requests: string[]
let events: Progress[]

function open(signal?: AbortSignal) {
  return openFiles({ onProgress: event => events.push(event), signal })
}

/** The next answers of the network; afterwards it is real again. */
function serve(...answers: ((real: () => Promise<Response>, signal: AbortSignal | undefined) => Promise<Response> | Response)[]) {
  globalThis.fetch = (input, init) => {
    requests.push(String(input))
    const answer = answers.shift()
    const real = () => realFetch(input, init)
    return Promise.resolve(answer ? answer(real, init?.signal ?? undefined) : real())
  }
}

const same = (bytes: Uint8Array) => bytes.length === content.length && bytes.every((byte, k) => byte === content[k])

async function kept(): Promise<string[]> {
  const cache = await caches.open('credence-models')
  return (await cache.keys()).map(request => request.url)
}

async function spoil(change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>) {
  const cache = await caches.open('credence-models')
  const [key] = await cache.keys()
  const response = (await cache.match(key!))!
  await cache.put(key!, new Response(change(new Uint8Array(await response.arrayBuffer())), { headers: response.headers }))
}

beforeEach(async () => {
  await caches.delete('credence-models')
  requests = []
  events = []
  content = new Uint8Array(await (await realFetch(url)).arrayBuffer())
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', content))
  const sha256 = Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('')
  file = { url, name: 'tokenizer', bytes: content.length, sha256 }
  serve()
})

afterEach(() => {
  globalThis.fetch = realFetch
  vi.restoreAllMocks()
})

test('the first read comes over the network, the second from the cache (asks 84, 85)', async () => {
  expect(same(await open().read(file))).toBe(true)
  expect(requests).toEqual([url])
  expect(events.length).toBeGreaterThan(0)
  for (const event of events)
    expect(event).toMatchObject({ stage: 'download', item: 'tokenizer', source: 'network', total: content.length })
  expect(events.map(event => event.done)).toEqual(events.map(event => event.done).sort((a, b) => a - b))
  expect(events.at(-1)!.done).toBe(content.length)

  events = []
  expect(same(await open().read(file))).toBe(true)
  expect(requests).toHaveLength(1)
  expect(events).toEqual([{ stage: 'download', item: 'tokenizer', source: 'cache', done: content.length, total: content.length }])
})

test('a file that is read many times at once is requested once (asks 83)', async () => {
  const files = open()
  for (const bytes of await Promise.all(Array.from({ length: 10 }, () => files.read(file)))) expect(same(bytes)).toBe(true)
  expect(requests).toHaveLength(1)
})

test.each([
  ['a changed byte', (bytes: Uint8Array<ArrayBuffer>) => bytes.map((byte, k) => (k === 1000 ? byte ^ 1 : byte))],
  ['a lost end', (bytes: Uint8Array<ArrayBuffer>) => bytes.slice(0, bytes.length / 2)],
  ['no content at all', () => new Uint8Array()],
])('a kept file with %s is fetched again, once, and kept', async (_, change) => {
  await open().read(file)
  await spoil(change)
  expect(same(await open().read(file))).toBe(true)
  expect(requests).toHaveLength(2)
  expect(same(await open().read(file))).toBe(true)
  expect(requests).toHaveLength(2)
})

test('a download that is aborted half-way leaves nothing, and the next one is whole (asks 86, 87)', async () => {
  const control = new AbortController()
  let arrived = false
  serve((_, signal) => {
    const body = new ReadableStream({
      start(stream) {
        stream.enqueue(content.slice(0, 1000))
        signal!.addEventListener('abort', () => stream.error(signal!.reason))
      },
      pull() {
        arrived = true
      },
    })
    return new Response(body)
  })
  const reading = open(control.signal).read(file)
  await vi.waitFor(() => expect(arrived).toBe(true))
  const reason = new DOMException('enough', 'AbortError')
  control.abort(reason)
  expect(await reading.catch(cause => cause)).toBe(reason)
  expect(await kept()).toEqual([])
  expect(same(await open().read(file))).toBe(true)
})

test('a connection that breaks half-way leaves nothing, and the next download is whole (asks 86)', async () => {
  serve(
    () =>
      new Response(
        new ReadableStream({
          start(stream) {
            stream.enqueue(content.slice(0, 1000))
            stream.error(new TypeError('network error'))
          },
        }),
      ),
  )
  await expect(open().read(file)).rejects.toMatchObject({ code: 'ModelMissing' })
  expect(await kept()).toEqual([])
  expect(same(await open().read(file))).toBe(true)
})

test.each([
  ['one byte is wrong', () => new Response(content.map((byte, k) => (k === 0 ? byte ^ 1 : byte)))],
  ['it is too short', () => new Response(content.slice(1))],
  ['it is too long', () => new Response(new Blob([content, 'x']))],
  ['it is a page', () => new Response('<!doctype html>')],
])('a file from the network is refused when %s, and nothing is kept', async (_, answer) => {
  serve(answer)
  await expect(open().read(file)).rejects.toMatchObject({ code: 'ModelCorrupt', message: expect.stringContaining('tokenizer') })
  expect(requests).toHaveLength(1)
  expect(await kept()).toEqual([])
})

test('a file that is not there is missing', async () => {
  await expect(
    open().read({ ...file, url: new URL('/models/nothing.onnx', location.href).href, sha256: 'b'.repeat(64) }),
  ).rejects.toMatchObject({
    code: 'ModelMissing',
    message: expect.stringContaining('404'),
  })
  serve(() => Promise.reject(new TypeError('Failed to fetch')))
  await expect(open().read(file)).rejects.toMatchObject({ code: 'ModelMissing' })
})

test('without a usable cache files are fetched at each visit (asks 91)', async () => {
  vi.spyOn(caches, 'open').mockRejectedValue(new DOMException('The operation is insecure.', 'SecurityError'))
  expect(same(await open().read(file))).toBe(true)
  expect(same(await open().read(file))).toBe(true)
  expect(requests).toHaveLength(2)
  expect(await open().note('anything')).toBeUndefined()
})

test('where there is no room, the file is used all the same', async () => {
  vi.spyOn(Cache.prototype, 'put').mockRejectedValue(new DOMException('full', 'QuotaExceededError'))
  expect(same(await open().read(file))).toBe(true)
})

test('a file of unknown hash keeps that of its first download', async () => {
  const unknown = { url, name: 'tokenizer' }
  expect(same(await open().read(unknown))).toBe(true)
  await spoil(bytes => bytes.map((byte, k) => (k === 5 ? byte ^ 1 : byte)))
  expect(same(await open().read(unknown))).toBe(true)
  expect(requests).toHaveLength(2)
  expect(same(await open().read(unknown))).toBe(true)
  expect(requests).toHaveLength(2)
})

test('notes are kept from visit to visit, and dropped', async () => {
  await open().keepNote('choice', { device: 'wasm' })
  expect(await open().note('choice')).toEqual({ device: 'wasm' })
  await open().drop({ notes: ['choice'] })
  expect(await open().note('choice')).toBeUndefined()
})
