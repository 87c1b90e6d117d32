import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Models } from '../../../src/engine/ports.ts'
import type { Progress } from '../../../src/memory.ts'
import { openModels, type OpenModelsOptions } from '../../../src/models/index.ts'

const assets = new URL('/', location.href).href
const realFetch = globalThis.fetch
let requests: string[]
let opened: Models[]

/** Real answers, but for the paths that end in one of these. */
function record(faults: Record<string, (real: Response) => Promise<Response> | Response> = {}) {
  requests = []
  globalThis.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input)
    requests.push(new URL(url).pathname)
    const fault = Object.entries(faults).find(([end]) => url.endsWith(end))?.[1]
    const real = await realFetch(input, init)
    return fault ? fault(real) : real
  }
}

async function open(options: Partial<OpenModelsOptions> = {}): Promise<Models> {
  const models = await openModels({ assets, device: 'wasm', ...options })
  opened.push(models)
  return models
}

/** The language model is loaded behind the others. */
async function settled(models: Models): Promise<Models> {
  const loading = () => models.status().missing.some(({ reason }) => reason === 'loading')
  await vi.waitFor(() => expect(loading()).toBe(false), { timeout: 240_000, interval: 50 })
  return models
}

const wrongByte = async (real: Response) => {
  const bytes = new Uint8Array(await real.arrayBuffer())
  bytes[100]! ^= 1
  return new Response(bytes)
}

async function manifest() {
  return (await (await realFetch('/models/manifest.json')).json()) as {
    models: Record<string, { files: { path: string; sha256: string }[] }>
  }
}

beforeEach(() => {
  opened = []
  record()
})

afterEach(async () => {
  for (const models of opened) await models.dispose()
  globalThis.fetch = realFetch
})

describe('files', () => {
  test('the first visit requests every file once, the second none at all', async () => {
    await caches.delete('credence-models')
    const events: Progress[] = []
    const first = await settled(await open({ onProgress: event => events.push(event) }))
    expect(first.status().missing).toEqual([])
    expect(first.status().models.map(({ role, device, selfTest }) => [role, device, selfTest])).toEqual(
      ['embedder', 'nli', 'evidence', 'lm'].map(role => [role, 'wasm', 'passed']),
    )
    const { 'embedder-zh': _chinese, ...listed } = (await manifest()).models
    const files = Object.values(listed).flatMap(model => model.files)
    const distinct = new Set(files.map(file => file.sha256))
    expect(new Set(requests).size).toBe(requests.length)
    expect(requests).toHaveLength(distinct.size + 2)
    expect(requests).toContain('/models/manifest.json')
    expect(requests).toContain('/runtime/ort-wasm-simd-threaded.wasm')
    expect(requests.filter(path => !path.startsWith('/models/') && !path.startsWith('/runtime/'))).toEqual([])
    for (const path of requests) {
      const own = events.filter(event => event.stage === 'download' && `/${event.item}` === path)
      expect(own.at(-1)!.done, path).toBe(own.at(-1)!.total)
      expect(own.every(event => event.source === 'network')).toBe(true)
    }
    const before = await first.embed(['I like drinking coffee.'], 'passage')
    await first.dispose()

    record()
    events.length = 0
    const second = await settled(await open({ onProgress: event => events.push(event) }))
    expect(second.status().missing).toEqual([])
    expect(requests).toEqual([])
    expect(events.filter(event => event.stage === 'download').every(event => event.source === 'cache')).toBe(true)
    expect(await second.embed(['I like drinking coffee.'], 'passage')).toEqual(before)
  })

  test('without a network the second visit is whole', async () => {
    await (await open({ models: { lm: false } })).dispose()
    globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
    const models = await open({ models: { lm: false } })
    expect(models.status().missing).toEqual([])
    expect(await models.entail([['I drink tea.', 'I like tea.']])).toHaveLength(1)
  })

  test('a kept file that was damaged heals with one request', async () => {
    const { models } = await manifest()
    const file = models.evidence!.files.find(file => file.path.endsWith('.onnx'))!
    const only = { models: { embedder: false, nli: false, lm: false } } as const
    await (await open(only)).dispose()
    const cache = await caches.open('credence-models')
    const key = (await cache.keys()).find(request => request.url.endsWith(file.sha256))!
    await cache.put(key, await wrongByte((await cache.match(key))!))
    record()
    expect((await open(only)).status().missing).toEqual([])
    expect(requests).toEqual([`/models/${file.path}`])
  })

  test('a wrong file from the network leaves its role out, and only that', async () => {
    await caches.delete('credence-models')
    record({ '/models/nli/model.onnx': wrongByte })
    const models = await open({ models: { lm: false } })
    expect(models.has).toEqual({ embedder: true, nli: false, evidence: true, lm: false })
    expect(models.status().missing).toEqual([{ role: 'nli', reason: expect.stringMatching(/^ModelCorrupt: models\/nli\/model\.onnx/) }])
    expect(requests.filter(path => path === '/models/nli/model.onnx')).toHaveLength(1)
    await expect(models.entail([['a', 'b']])).rejects.toMatchObject({ code: 'ModelMissing' })
    await models.dispose()
    record()
    expect((await open({ models: { lm: false } })).status().missing).toEqual([])
  })

  test('where the models are not, every role is missing and nothing is thrown', async () => {
    await caches.delete('credence-models')
    const models = await open({ assets: new URL('/nowhere/', location.href).href })
    expect(models.has).toEqual({ embedder: false, nli: false, evidence: false, lm: false })
    expect(models.status().missing.map(({ role }) => role)).toEqual(['embedder', 'nli', 'evidence', 'lm'])
    expect(models.status().missing[0]!.reason).toMatch(/^ModelMissing: /)
    expect(models.countTokens('tea')).toBe(1)
  })

  test('where the runtime is not, every role is missing and says so', async () => {
    await caches.delete('credence-models')
    record({ '.wasm': () => new Response('no', { status: 404 }) })
    const { missing } = (await open()).status()
    expect(missing).toHaveLength(4)
    for (const { reason } of missing) expect(reason).toContain('runtime/ort-wasm-simd-threaded.wasm')
  })

  test('an abort during the download rejects at once and leaves no half file', async () => {
    await caches.delete('credence-models')
    const control = new AbortController()
    const opening = openModels({
      assets,
      device: 'wasm',
      signal: control.signal,
      onProgress: event => event.item === 'models/embedder/model.onnx' && event.done > 0 && control.abort(),
    })
    expect(await opening.catch(cause => cause)).toBe(control.signal.reason)
    expect((await open({ models: { lm: false } })).status().missing).toEqual([])
  })
})

describe('the Chinese embedder', () => {
  const others = { nli: false, evidence: false, lm: false } as const

  test('is loaded for who reads Chinese, and makes vectors of the width of the others', async () => {
    await caches.delete('credence-models')
    const models = await open({ models: others, languages: ['en-US', 'zh-CN'] })
    expect(models.status().missing).toEqual([])
    expect(models.status().models.map(({ role, selfTest }) => [role, selfTest])).toEqual([
      ['embedder', 'passed'],
      ['embedder-zh', 'passed'],
    ])
    expect(requests).toContain('/models/embedder-zh/model.onnx')
    const [vector] = await models.embed(['我喜欢喝茶。'], 'passage', undefined, 'embedder-zh')
    expect(vector).toHaveLength(models.dimensions)
  })

  test.each([
    ['who does not', { models: others, languages: ['en-US', 'de'] }],
    ['an embedder that is left out', { models: { ...others, embedder: false }, languages: ['zh'] }],
  ] as const)('nothing of it is fetched for %s', async (_, options) => {
    await caches.delete('credence-models')
    const models = await open(options)
    expect(models.has['embedder-zh']).toBeUndefined()
    expect(models.status().missing).toEqual([])
    expect(requests.filter(path => path.includes('embedder-zh'))).toEqual([])
  })
})

describe('the language model', () => {
  test('comes behind the others, which answer meanwhile; tokens are counted alike before and after', async () => {
    const models = await open()
    expect(models.has).toEqual({ embedder: true, nli: true, evidence: true, lm: false })
    expect(models.status().missing).toEqual([{ role: 'lm', reason: 'loading' }])
    await expect(models.logProbability([['', 'tea']])).rejects.toMatchObject({ code: 'ModelMissing' })
    const count = models.countTokens('Do I like tea or coffee better?')
    expect(await models.embed(['tea'], 'query')).toHaveLength(1)
    await settled(models)
    expect(models.has.lm).toBe(true)
    expect(models.status().missing).toEqual([])
    expect(models.countTokens('Do I like tea or coffee better?')).toBe(count)
    const [fits, strange] = await models.logProbability([
      ['I moved to Lisbon and learn Portuguese.', 'Which language do I learn?'],
      ['I moved to Lisbon and learn Portuguese.', 'purple seven of fridge quickly?'],
    ])
    expect(fits!).toBeGreaterThan(strange!)
  })

  test('is given up when the models are disposed of while it loads', async () => {
    const models = await open()
    await models.dispose()
    expect(models.has.lm).toBe(false)
    await expect(models.embed(['tea'], 'query')).rejects.toMatchObject({ code: 'Closed' })
    expect((await settled(await open())).status().missing).toEqual([])
  })

  test('an abort after the opening does not stop it', async () => {
    const control = new AbortController()
    const models = await open({ signal: control.signal })
    control.abort()
    expect((await settled(models)).has.lm).toBe(true)
  })
})

describe('options', () => {
  const revision = '0123456789abcdef0123456789abcdef01234567'

  test.each<[object, string]>([
    [{ models: { nli: { hub: 'owner/name', revision } } }, 'DownloadRefused'],
    [{ models: { nli: { hub: 'owner/name', revision: 'main' } }, allowDownload: true }, 'InvalidArgument'],
    [{ models: { nli: { hub: '../name', revision } }, allowDownload: true }, 'InvalidArgument'],
    [{ models: { nli: { hub: 'owner/name', revision, file: '../secret' } }, allowDownload: true }, 'InvalidArgument'],
    [{ models: { nli: { hub: 'owner/name', revision, pooling: 'cls' } }, allowDownload: true }, 'InvalidArgument'],
    [{ models: { nli: { hub: 'owner/name', revision, quantised: true } }, allowDownload: true }, 'UnknownOption'],
    [{ models: { reader: false } }, 'UnknownOption'],
    [{ device: 'npu' }, 'InvalidArgument'],
    [{ speed: 'high' }, 'UnknownOption'],
  ])('%j is refused as %s before any request', async (options, code) => {
    await expect(openModels({ assets, ...options } as OpenModelsOptions)).rejects.toMatchObject({ code })
    expect(requests).toEqual([])
  })

  test('a role that is left out is not fetched', async () => {
    await caches.delete('credence-models')
    const models = await open({ models: { embedder: false, nli: false, lm: false } })
    expect(models.has).toEqual({ embedder: false, nli: false, evidence: true, lm: false })
    expect(models.status().missing).toEqual([])
    expect(requests.filter(path => /embedder|nli|lm/.test(path))).toEqual([])
  })
})

describe('calls', () => {
  test('100 calls at once all answer', async () => {
    const models = await open({ models: { lm: false } })
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, k) => (k % 2 ? models.embed([`text ${k}`], 'query') : models.entail([[`I am ${k}.`, 'I am old.']]))),
    )
    for (const answer of answers) expect(answer).toHaveLength(1)
  })

  test('an abort that comes in while a call runs ends it', async () => {
    const models = await open({ models: { nli: false, evidence: false, lm: false } })
    const control = new AbortController()
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => control.abort()
    setTimeout(() => port2.postMessage('stop'), 30)
    const call = models.embed(
      Array.from({ length: 2000 }, (_, k) => `sentence number ${k}`),
      'passage',
      control.signal,
    )
    expect(await call.catch(cause => cause)).toBe(control.signal.reason)
    port1.close()
    expect(await models.embed(['tea'], 'query')).toHaveLength(1)
  })

  test('opening ten times one after the other works', async () => {
    for (let k = 0; k < 10; k++) {
      const models = await open({ models: { embedder: false, nli: false, lm: false } })
      expect(await models.relevance('tea?', ['I drink tea.'])).toHaveLength(1)
      await models.dispose()
      await expect(models.relevance('tea?', ['I drink tea.'])).rejects.toMatchObject({ code: 'Closed' })
    }
  })

  test('two memories that open at once both work', async () => {
    const both = await Promise.all([open({ models: { nli: false, lm: false } }), open({ models: { nli: false, lm: false } })])
    const [a, b] = await Promise.all(both.map(models => models.embed(['tea'], 'query')))
    expect(a).toEqual(b)
  })
})
