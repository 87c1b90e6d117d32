import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cached } from '../../../bench/cache.ts'
import { admission } from '../../../bench/kinds/admission.ts'
import { drift } from '../../../bench/kinds/drift.ts'
import { gate } from '../../../bench/kinds/gate.ts'
import { nli } from '../../../bench/kinds/nli.ts'
import { retrieval } from '../../../bench/kinds/retrieval.ts'
import type { BenchContext, Result } from '../../../bench/result.ts'
import type { Chat, NliRow, Persona } from '../../../bench/sets.ts'
import { at } from '../../../scripts/layout.mjs'
import { openNodeModels } from '../../../src/models/node.ts'
import type { Models } from '../../../src/engine/ports.ts'

const folder = mkdtempSync(join(tmpdir(), 'credence-bench-'))
let models: Models
let context: BenchContext
beforeAll(async () => {
  process.env['CREDENCE_CACHE'] = folder
  models = await openNodeModels({ modelsDir: at('models') })
  context = { models: cached(models), limit: undefined, progress: () => {} }
})
afterAll(async () => {
  await models.dispose()
  delete process.env['CREDENCE_CACHE']
  rmSync(folder, { recursive: true })
})

const chats: Chat[] = [
  {
    id: 'a',
    turns: [
      { id: 1, text: 'I adopted a greyhound called Comet.', role: 'user', time: '3:10 pm on 4 May, 2025' },
      { id: 2, text: 'Lovely! Greyhounds sleep a lot.', role: 'assistant' },
      { id: 3, text: 'I work night shifts at the harbour of Rostock.', role: 'user' },
    ],
    queries: [
      { id: 'q1', text: 'What is the name of my greyhound?', evidence: [1], category: 'fact' },
      { id: 'q2', text: 'Where do I work?', evidence: [3], category: 'fact', current: [3], stale: [1] },
      { id: 'q3', text: 'What is 12 times 12?', evidence: [], category: 'none', answerable: false },
    ],
  },
  {
    id: 'b',
    turns: [
      { id: 1, text: 'I just came back from pottery class.', speaker: 'Mara', session: 1 },
      { id: 2, text: 'I would rather climb mountains.', speaker: 'Ivo', session: 1 },
    ],
    queries: [{ id: 'q', text: 'Who likes to climb?', evidence: [2] }],
  },
]

const personas: Persona[] = [
  {
    turns: [
      { t: 0, text: 'I live in Bamberg.', act: 'state', slot: 'home', value: 'Bamberg' },
      { t: 1, text: 'What a rainy day!', act: 'noise' },
      { t: 2, text: 'I moved from Bamberg to Coburg.', act: 'change', slot: 'home', value: 'Coburg' },
      { t: 3, text: 'thanks', act: 'noise' },
    ],
    probes: [
      { at: 1, slot: 'home', kind: 'explicit', query: 'Where do I live?', current: 'Bamberg', stale: ['Coburg'], open: false },
      { at: 2, slot: 'home', kind: 'explicit', query: 'Where do I live?', current: 'Bamberg', stale: ['Coburg'], open: true },
      { at: 4, slot: 'home', kind: 'explicit', query: 'Where do I live?', current: 'Coburg', stale: ['Bamberg'], open: false },
    ],
  },
]

const rows: NliRow[] = [
  { p: 'I sold my car.', h: 'I own a car.', y: 'contradiction' },
  { p: 'I have two dogs.', h: 'I have pets.', y: 'entailment' },
  { p: 'I have two dogs.', h: 'It will rain.', y: 'non-contradiction' },
]

const gateSet = { memory: ['I am allergic to sesame.'], needs: ['What am I allergic to?'], needless: ['What is the capital of Peru?'] }

/** Every kind must give this shape, the same again, and rates between 0 and 1. */
async function twice(run: () => Promise<Result>): Promise<Result> {
  const result = await run()
  expect(await run()).toEqual(result)
  expect(JSON.parse(JSON.stringify(result))).toEqual(result)
  return result
}

it('retrieval', async () => {
  const { n, metrics, byCategory } = await twice(() => retrieval(chats, context))
  expect(n).toBe(4)
  expect(Object.keys(metrics).sort()).toEqual(
    ['currentAboveStale', 'missedRate', 'mrr', 'needlessRate', 'recallAt1', 'recallAt10', 'recallAt5', 'staleInTop5'].sort(),
  )
  expect(metrics).toMatchObject({ recallAt10: 1, currentAboveStale: 1 })
  expect(byCategory['none']).toMatchObject({ n: 1 })
  expect((await retrieval(chats, { ...context, limit: 2 })).n).toBe(2)
})

it('drift', async () => {
  const { n, metrics, byCategory } = await twice(() => drift({ personas }, context))
  expect(n).toBe(2)
  expect(metrics).toMatchObject({ finalAccuracy: 1, trajectoryAccuracy: 1, recoveryTurns: 0, nEff: [] })
  expect(Object.keys(metrics)).toEqual(expect.arrayContaining(['staleInContext', 'noiseStored']))
  expect(Object.keys(byCategory)).toEqual(['explicit'])
})

it('gate, admission, nli', async () => {
  expect(Object.keys((await twice(() => gate(gateSet, context))).metrics)).toEqual(['missedRate', 'needlessRate'])
  const admitted = await twice(() => admission({ store: ['I play the oboe.'], ignore: ['What is the capital of Peru?'] }, context))
  expect(admitted.metrics).toEqual({ storedWanted: 1, storedNoise: 0 })
  const judged = await twice(() => nli(rows, context))
  expect(judged.metrics).toMatchObject({ accuracy: 1, recallContradiction: 1, recallEntailment: 1, recallNonContradiction: 1 })
  expect(judged.metrics['ece']).toBeLessThan(0.5)
})

it('the command writes the report, and says what is wrong', () => {
  const set = join(folder, 'small.json')
  const out = join(folder, 'out.json')
  writeFileSync(set, JSON.stringify(gateSet))
  const bench = (...args: string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', 'bench/run.ts', ...args], { cwd: at(''), encoding: 'utf8' })
  const done = bench('gate', '--set', set, '--json', out)
  expect(done).toMatchObject({ status: 0 })
  expect(done.stdout).toMatch(/^gate small: n 2, .* s\n {2}missedRate {4}[01]\n {2}needlessRate {2}[01]\n/)
  expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ kind: 'gate', set: 'small', n: 2, metrics: {}, byCategory: {} })
  for (const [args, message] of [
    [['shoes'], /KIND is one of retrieval/],
    [['drift', '--set', set], /is of the kind gate, not drift/],
    [['gate', '--set', join(folder, 'none.json')], /There is no file/],
    [['gate', '--fast'], /Unknown option '--fast'/],
  ] as const) {
    const refused = bench(...args)
    expect(refused.stderr).toMatch(message)
    expect(refused.status).toBe(2)
  }
})
