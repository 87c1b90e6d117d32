import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Models } from '../../../src/engine/ports.ts'
import { openModels } from '../../../src/models/index.ts'
import type { HubModel, ModelRole } from '../../../src/memory.ts'
import { json, repository, revision, words } from './tiny-hub.ts'
import { tableGraph } from './tiny-graph.ts'

const assets = new URL('/', location.href).href
const realFetch = globalThis.fetch
let requests: string[]
let opened: Models[]

/** A hub in the layout of the real one, with these files. */
function hub(files: Record<string, () => BodyInit | Promise<BodyInit>>) {
  globalThis.fetch = async (input, init) => {
    const url = String(input)
    const path = /^https:\/\/huggingface\.co\/(.*)$/.exec(url)?.[1]
    if (path === undefined) return realFetch(input, init)
    requests.push(path)
    const file = files[path]
    return file ? new Response(await file()) : new Response('Not found', { status: 404 })
  }
}

async function open(models: Partial<Record<ModelRole, HubModel>>): Promise<Models> {
  const others = Object.fromEntries(['embedder', 'nli', 'evidence', 'lm'].map(role => [role, false]))
  const result = await openModels({ assets, device: 'wasm', allowDownload: true, models: { ...others, ...models } })
  opened.push(result)
  await vi.waitFor(() => expect(result.status().missing).not.toContainEqual({ role: 'lm', reason: 'loading' }), { timeout: 60_000 })
  return result
}

const local = (path: string) => async () => (await realFetch(path)).arrayBuffer()

function ownModel(role: 'nli' | 'evidence', name: string, config: object) {
  const at = `${name}/resolve/${revision}/`
  return {
    [`${at}config.json`]: json({ max_position_embeddings: 512, ...config }),
    [`${at}tokenizer.json`]: local(`/models/${role}/tokenizer.json`),
    [`${at}tokenizer_config.json`]: json({}),
    [`${at}onnx/model_quantized.onnx`]: local(`/models/${role}/model.onnx`),
  }
}

beforeEach(async () => {
  await caches.delete('credence-models')
  requests = []
  opened = []
})

afterEach(async () => {
  for (const models of opened) await models.dispose()
  globalThis.fetch = realFetch
})

test('a cross-encoder from a hub answers as the same file from the assets', async () => {
  const id2label = { 0: 'CONTRADICTION', 1: 'ENTAILMENT', 2: 'NEUTRAL' }
  hub({ ...ownModel('nli', 'some/nli', { id2label }), ...ownModel('evidence', 'some/evidence', {}) })
  const own = await openModels({ assets, device: 'wasm', models: { embedder: false, lm: false } })
  opened.push(own)
  const models = await open({ nli: { hub: 'some/nli', revision }, evidence: { hub: 'some/evidence', revision } })
  expect(models.status().missing).toEqual([])
  expect(models.status().models[0]).toMatchObject({ role: 'nli', id: 'some/nli', revision, dtype: 'model_quantized', selfTest: 'none' })
  const pairs = [['I moved to Denver last week.', 'I live in Boston.']] as const
  expect(await models.entail(pairs)).toEqual(await own.entail(pairs))
  expect(await models.relevance('tea?', ['I drink tea.'])).toEqual(await own.relevance('tea?', ['I drink tea.']))
})

test('labels are taken by their names, whatever their order', async () => {
  const pairs = [['I moved to Denver last week.', 'I live in Boston.']] as const
  hub(ownModel('nli', 'some/nli', { id2label: { 0: 'contradiction', 1: 'entailment', 2: 'neutral' } }))
  const [named] = await (await open({ nli: { hub: 'some/nli', revision } })).entail(pairs)
  await caches.delete('credence-models')
  hub(ownModel('nli', 'some/nli', { id2label: { 0: 'entailment', 1: 'neutral', 2: 'contradiction' } }))
  const [turned] = await (await open({ nli: { hub: 'some/nli', revision } })).entail(pairs)
  expect(turned).toEqual({ entailment: named!.contradiction, neutral: named!.entailment, contradiction: named!.neutral })
})

test('every file is requested once, at the pinned revision, and never again', async () => {
  hub(ownModel('evidence', 'some/evidence', {}))
  await open({ evidence: { hub: 'some/evidence', revision } })
  expect(requests.sort()).toEqual(
    ['config.json', 'onnx/model_quantized.onnx', 'tokenizer.json', 'tokenizer_config.json'].map(
      file => `some/evidence/resolve/${revision}/${file}`,
    ),
  )
  requests = []
  const again = await open({ evidence: { hub: 'some/evidence', revision } })
  expect(again.status().missing).toEqual([])
  expect(requests).toEqual([])
})

const vectors = words.map((_, k) => [k, 1, -k / 2])
const config = { max_position_embeddings: 16, hidden_size: 3 }

test.each(['cls', 'mean'] as const)('token vectors are pooled by %s and made length 1', async pooling => {
  hub(repository('tiny/embedder', config, tableGraph('last_hidden_state', vectors), 'model.onnx'))
  const models = await open({ embedder: { hub: 'tiny/embedder', revision, file: 'model.onnx', pooling, queryPrefix: 'warm ' } })
  expect(models.dimensions).toBe(3)
  const sum = (ids: number[]) => ids.reduce((total, id) => total.map((value, k) => value + vectors[id]![k]!), [0, 0, 0])
  const expected = (ids: number[]) => {
    const pooled = pooling === 'cls' ? vectors[ids[0]!]! : sum(ids)
    return pooled.map(value => value / Math.hypot(...pooled))
  }
  const [tea, long] = await models.embed(['tea is cold', 'coffee is warm tea is unknown'], 'passage')
  for (const [k, value] of expected([3, 5, 7]).entries()) expect(tea![k]).toBeCloseTo(value, 6)
  for (const [k, value] of expected([4, 5, 6, 3, 5, 0]).entries()) expect(long![k]).toBeCloseTo(value, 6)
  const [query] = await models.embed(['tea'], 'query')
  for (const [k, value] of expected([6, 3]).entries()) expect(query![k]).toBeCloseTo(value, 6)
})

test('a causal model with logits scores and writes', async () => {
  // logits[after][next]: tea → is → warm → </s>, anything else is unlikely.
  const logits = words.map((_, after) => words.map((_, next) => ({ 3: 5, 5: 6, 6: 2 })[after] === next ? 3 : (after + next) / 10))
  const kv = { num_hidden_layers: 1, num_attention_heads: 2, hidden_size: 8, bos_token_id: 1, eos_token_id: 2, max_position_embeddings: 64 }
  hub(repository('tiny/lm', kv, tableGraph('logits', logits, { heads: 2, size: 4 })))
  const models = await open({ lm: { hub: 'tiny/lm', revision } })
  expect(models.status().missing).toEqual([])
  const log = (after: number, next: number) =>
    logits[after]![next]! - Math.log(logits[after]!.reduce((sum, value) => sum + Math.exp(value), 0))
  const [likely, prior] = await models.logProbability([
    ['coffee is cold', 'tea is warm'],
    ['', 'tea is warm'],
  ])
  expect(likely).toBeCloseTo(log(7, 3) + log(3, 5) + log(5, 6), 5)
  expect(prior).toBeCloseTo(log(1, 3) + log(3, 5) + log(5, 6), 5)
  expect(await models.generate('coffee tea', 10)).toBe('is warm')
  expect(await models.generate('coffee tea', 1)).toBe('is')
  expect(models.countTokens('tea is warm')).toBe(3)
})

test.each<[string, Partial<Record<ModelRole, HubModel>>, string]>([
  ['whose labels are of another kind', { nli: { hub: 'some/nli', revision } }, 'label_0'],
  ['whose graph has other outputs', { embedder: { hub: 'tiny/embedder', revision } }, 'last_hidden_state'],
  ['that is not there', { evidence: { hub: 'no/model', revision } }, 'ModelMissing'],
])('a model %s is missing, with the reason', async (_, models, reason) => {
  hub({
    ...ownModel('nli', 'some/nli', { id2label: { 0: 'LABEL_0', 1: 'LABEL_1' } }),
    ...repository('tiny/embedder', config, tableGraph('hidden', vectors)),
  })
  const { missing } = (await open(models)).status()
  expect(missing).toEqual([{ role: Object.keys(models)[0], reason: expect.stringContaining(reason) }])
})

test.each<[string, () => Promise<Response>, string]>([
  ['refuses', async () => new Response('Forbidden', { status: 403 }), 'ModelMissing: some/evidence/config.json'],
  ['fails', async () => new Response('', { status: 503 }), 'ModelMissing: some/evidence/config.json'],
  ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch')), 'ModelMissing: some/evidence/config.json'],
  ['shows a login', async () => new Response('<!doctype html>Log in'), 'it is a web page'],
])('a hub that %s leaves out its model, and the next opening asks again', async (_, answer, reason) => {
  const { location } = globalThis
  globalThis.fetch = (input, init) => (new URL(String(input), location.href).origin === location.origin ? realFetch(input, init) : answer())
  const models = await open({ evidence: { hub: 'some/evidence', revision } })
  expect(models.status().missing).toEqual([{ role: 'evidence', reason: expect.stringContaining(reason) }])
  await expect(models.relevance('x', ['y'])).rejects.toMatchObject({ code: 'ModelMissing' })

  hub(ownModel('evidence', 'some/evidence', {}))
  expect((await open({ evidence: { hub: 'some/evidence', revision } })).status().missing).toEqual([])
})

test('a page in the place of the graph is not kept either', async () => {
  const files = ownModel('evidence', 'some/evidence', {})
  hub({ ...files, [`some/evidence/resolve/${revision}/onnx/model_quantized.onnx`]: () => '<html>Log in</html>' })
  const { missing } = (await open({ evidence: { hub: 'some/evidence', revision } })).status()
  expect(missing).toEqual([{ role: 'evidence', reason: expect.stringMatching(/^ModelCorrupt: .*model_quantized.onnx.*web page/) }])
  hub(files)
  expect((await open({ evidence: { hub: 'some/evidence', revision } })).status().missing).toEqual([])
})
