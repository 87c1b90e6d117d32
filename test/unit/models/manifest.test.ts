import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { readManifest } from '../../../src/models/manifest.ts'
import { runtime } from '../../../src/models/runtime.ts'

const file = (role: string, path: string) => ({ role, path, bytes: 10, sha256: 'a'.repeat(64) })
const common = { revision: 'r1', dtype: 'int8', languages: ['en'], maxTokens: 128, licence: 'MIT', origin: 'here' }
const files = (role: string) => [file('graph', `${role}/model.onnx`), file('tokenizer', `${role}/tokenizer.json`)]
const pairs = { pairs: [['a', 'b']], outputs: [[1, 2, 3]], tolerance: { kind: 'absolute', most: 0.1 } }

const sound = () => ({
  version: 1,
  models: {
    embedder: {
      ...common,
      id: 'e',
      dimensions: 2,
      queryPrefix: 'query: ',
      files: files('embedder'),
      reference: { texts: ['a'], outputs: [[1, 0]], tolerance: { kind: 'cosine', least: 0.9 } },
    },
    nli: { ...common, id: 'n', labels: ['neutral', 'entailment', 'contradiction'], files: files('nli'), reference: pairs },
    evidence: { ...common, id: 'v', files: files('evidence'), reference: { ...pairs, outputs: [1] } },
    lm: {
      ...common,
      id: 'l',
      start: 0,
      eos: 2,
      kv: { layers: 1, heads: 1, size: 4 },
      files: files('lm'),
      reference: { ...pairs, outputs: [-3] },
    },
  },
})

type Path = readonly (string | number)[]

function changed(path: Path, value: unknown): unknown {
  const manifest = structuredClone(sound()) as Record<string | number, unknown>
  let at = manifest
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>
  at[path.at(-1)!] = value
  return manifest
}

test('a sound manifest is read', () => {
  const { embedder, nli, evidence, lm } = readManifest(sound())
  expect(embedder).toMatchObject({ id: 'e', dimensions: 2, queryPrefix: 'query: ', maxTokens: 128 })
  expect(nli!.labels).toEqual(['neutral', 'entailment', 'contradiction'])
  expect(evidence!.reference!.outputs).toEqual([[1]])
  expect(lm).toMatchObject({ start: 0, ends: [2], kv: { layers: 1, heads: 1, size: 4 } })
})

test('a manifest may leave roles out', () => {
  expect(readManifest({ version: 1, models: {} })).toEqual({})
})

test.each<[Path, unknown]>([
  [['version'], 2],
  [['models'], []],
  [['models', 'reader'], {}],
  [['models', 'embedder', 'id'], 5],
  [['models', 'embedder', 'dimensions'], undefined],
  [['models', 'embedder', 'maxTokens'], 0],
  [['models', 'embedder', 'files', 0, 'sha256'], 'A'.repeat(64)],
  [['models', 'embedder', 'files', 0, 'path'], '../secret'],
  [['models', 'embedder', 'files', 0, 'path'], 'https://elsewhere.example/model.onnx'],
  [['models', 'embedder', 'files', 0, 'bytes'], -1],
  [['models', 'embedder', 'files', 0, 'role'], 'weights'],
  [['models', 'embedder', 'files'], [file('graph', 'embedder/model.onnx')]],
  [['models', 'embedder', 'reference', 'outputs'], []],
  [['models', 'embedder', 'reference', 'outputs', 0, 0], Number.NaN],
  [['models', 'embedder', 'reference', 'tolerance', 'kind'], 'rough'],
  [
    ['models', 'nli', 'labels'],
    ['neutral', 'entailment'],
  ],
  [['models', 'nli', 'reference', 'pairs', 0], ['alone']],
  [['models', 'evidence', 'reference'], undefined],
  [['models', 'lm', 'kv'], undefined],
  [['models', 'lm', 'eos'], undefined],
])('%j = %j is refused and named', (path, value) => {
  const deepest = path.filter(key => typeof key === 'string').at(-1)!
  expect(() => readManifest(changed(path, value))).toThrow(
    expect.objectContaining({ code: 'ModelCorrupt', message: expect.stringContaining(deepest) }),
  )
})

test('the manifest of the project is sound', () => {
  const manifest = readManifest(JSON.parse(readFileSync('models/manifest.json', 'utf8')))
  expect(Object.keys(manifest).sort()).toEqual(['embedder', 'embedder-zh', 'evidence', 'lm', 'nli'])
})

test.each(['wasm', 'webgpu'] as const)('size and hash of the %s runtime are those of the installed package', flavour => {
  const { name, bytes, sha256 } = runtime[flavour]
  const content = readFileSync(`node_modules/onnxruntime-web/dist/${name}.wasm`)
  expect(content.length).toBe(bytes)
  expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
  expect(JSON.parse(readFileSync('node_modules/onnxruntime-web/package.json', 'utf8')).version).toBe(runtime.version)
})
