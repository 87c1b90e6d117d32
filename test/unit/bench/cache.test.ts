import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cached } from '../../../bench/cache.ts'
import type { Models } from '../../../src/engine/ports.ts'
import type { ModelStatus } from '../../../src/memory.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'credence-cache-'))
  process.env['CREDENCE_CACHE'] = folder
})
afterEach(() => {
  delete process.env['CREDENCE_CACHE']
  rmSync(folder, { recursive: true })
})

/** Models whose numbers depend on the input and the revision, and which count what they are asked. */
function counting(revision = 'a') {
  const asked: string[] = []
  const value = (...texts: string[]) => [...texts.join('|'), revision].reduce((sum, c) => sum * 1.7 + c.codePointAt(0)!, 0) / 7
  const note = <T>(text: string, result: T) => (asked.push(text), result)
  const status = (role: ModelStatus['role']): ModelStatus => ({
    role,
    id: role,
    revision,
    dtype: 'int8',
    languages: [],
    device: 'cpu',
    selfTest: 'passed',
    timings: {},
    loadMs: 0,
    refused: [],
  })
  const models: Models = {
    has: { embedder: true, nli: true, evidence: true, lm: true },
    vectorStamp: revision,
    dimensions: 3,
    embed: async (texts, as) => texts.map(t => note(`${as} ${t}`, Float32Array.of(value(t), value(as), 1 / 3))),
    entail: async pairs => pairs.map(([p, h]) => note(`nli ${p}/${h}`, { contradiction: value(p, h), entailment: 0.1, neutral: 1 / 3 })),
    relevance: async (query, memories) => memories.map(m => note(`evidence ${query}/${m}`, value(query, m))),
    logProbability: async pairs => pairs.map(([c, t]) => note(`lm ${c}/${t}`, -value(c, t))),
    countTokens: text => text.length,
    generate: async prompt => prompt,
    status: () => ({ models: (['embedder', 'nli', 'evidence', 'lm'] as const).map(status), missing: [] }),
    dispose: async () => {},
  }
  return { models, asked }
}

/** The cache over these models; what it asks them to know them again does not count. */
async function opened({ models, asked }: ReturnType<typeof counting>) {
  const opened = cached(models)
  await opened.embed([], 'query')
  await opened.entail([])
  await opened.relevance('', [])
  await opened.logProbability([])
  asked.length = 0
  return opened
}

async function askAll(models: Models) {
  return [
    await models.embed(['tea', 'tea', '茶'], 'passage'),
    await models.embed(['tea'], 'query'),
    await models.entail([
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'b'],
    ]),
    await models.relevance('a', ['b', 'ab']),
    await models.relevance('aa', ['b']),
    await models.logProbability([
      ['', 'x'],
      ['x', ''],
    ]),
    await models.entail([]),
  ]
}

it('gives what the models give, asks for each input once, and not at all in the next run', async () => {
  const plain = await askAll(counting().models)
  const first = counting()
  const models = await opened(first)
  expect(await askAll(models)).toEqual(plain)
  expect(first.asked).toHaveLength(new Set(first.asked).size)
  expect(await askAll(models)).toEqual(plain)
  expect(first.asked).toHaveLength(10)
  models.flush()

  const second = counting()
  expect(await askAll(await opened(second))).toEqual(plain)
  expect(second.asked).toEqual([])
})

it('does not give the outputs of another revision', async () => {
  const models = await opened(counting('a'))
  await askAll(models)
  models.flush()
  const other = counting('b')
  expect(await askAll(await opened(other))).toEqual(await askAll(counting('b').models))
  expect(other.asked).toHaveLength(10)
})

it('drops half a record and goes on behind it', async () => {
  const models = await opened(counting())
  await models.entail([['a', 'b']])
  models.flush()
  const [file] = readdirSync(folder)
  appendFileSync(join(folder, file!), Buffer.alloc(17, 1))
  const healed = await opened(counting())
  await healed.entail([['c', 'd']])
  healed.flush()
  const third = counting()
  const pairs = [
    ['a', 'b'],
    ['c', 'd'],
  ] as const
  expect(await (await opened(third)).entail(pairs)).toEqual(await counting().models.entail(pairs))
  expect(third.asked).toEqual([])
})
