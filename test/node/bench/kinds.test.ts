import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cached } from '../../../bench/cache.ts'
import { ablations } from '../../../bench/kinds/ablations.ts'
import { admission } from '../../../bench/kinds/admission.ts'
import { drift } from '../../../bench/kinds/drift.ts'
import { gate } from '../../../bench/kinds/gate.ts'
import { growth } from '../../../bench/kinds/growth.ts'
import { labels } from '../../../bench/kinds/labels.ts'
import { nli } from '../../../bench/kinds/nli.ts'
import { parts } from '../../../bench/kinds/parts.ts'
import { atHand, fetched, peers, type Peer } from '../../../bench/kinds/peers.ts'
import { precision } from '../../../bench/kinds/precision.ts'
import { reader } from '../../../bench/kinds/reader.ts'
import { retrieval } from '../../../bench/kinds/retrieval.ts'
import { seeds } from '../../../bench/kinds/seeds.ts'
import { supervision } from '../../../bench/kinds/supervision.ts'
import { peersInstalled } from '../../../bench/peers/packages.ts'
import type { BenchContext, Result } from '../../../bench/result.ts'
import type { Chat, NliRow, Persona, PrecisionBelief, PrecisionSet, PreferenceSet } from '../../../bench/sets.ts'
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
    [
      'currentAboveStale',
      'givenPrecision',
      'givenRecall',
      'missedRate',
      'mrr',
      'needlessRate',
      'recallAt1',
      'recallAt10',
      'recallAt5',
      'staleInTop5',
    ].sort(),
  )
  expect(metrics).toMatchObject({ recallAt10: 1, currentAboveStale: 1 })
  expect(byCategory['none']).toMatchObject({ n: 1 })
  expect((await retrieval(chats, { ...context, limit: 2 })).n).toBe(2)
})

it('parts: each part of the retrieval on the same queries; words alone do not find what is put otherwise', async () => {
  const hidden: Chat[] = [
    ...chats,
    {
      id: 'c',
      turns: [
        { id: 1, text: 'My brother repairs bicycles in Graz.' },
        { id: 2, text: 'I get a rash from peanuts.' },
        { id: 3, text: 'I have a red door.' },
      ],
      queries: [{ id: 'q', text: 'Is there food that would make the user ill?', evidence: [2] }],
    },
  ]
  const { n, metrics, byCategory } = await twice(() => parts(hidden, context))
  expect(n).toBe(5)
  const all = Object.values(byCategory)
  expect(all.map(of => of['n'])).toEqual([5, 5, 5, 5, 5, 5])
  expect(all[0]).toMatchObject({ recallAt10: 0.75 })
  for (const of of all.slice(1)) expect(of).toMatchObject({ recallAt10: 1 })
  // The last of them is what the head of the result says.
  expect(all.at(-1)).toEqual({ n, ...metrics })
  const { byCategory: fewer } = await parts(hidden, { ...context, limit: 2 })
  expect(Object.values(fewer).map(of => of['n'])).toEqual([2, 2, 2, 2, 2, 2])
})

it('drift', async () => {
  const { n, metrics, byCategory } = await twice(() => drift({ personas }, context))
  expect(n).toBe(2)
  expect(metrics).toMatchObject({ finalAccuracy: 1, trajectoryAccuracy: 1, recoveryTurns: 0, nEff: [] })
  expect(Object.keys(metrics)).toEqual(expect.arrayContaining(['staleInContext', 'noiseStored']))
  expect(Object.keys(byCategory)).toEqual(['explicit'])
})

it('gate, admission, nli', async () => {
  const gated = await twice(() => gate(gateSet, context))
  expect(gated.metrics).toEqual({ missedRate: 0, needlessRate: 0 })
  // What the gate says by default is a point of the curve.
  const [missed, needless] = gated.curves![0]!.lines.map(({ points }) => points.filter(([tau]) => tau > -0.75)[0]![1])
  expect([missed, needless]).toEqual([0, 0])
  const admitted = await twice(() => admission({ store: ['I play the oboe.'], ignore: ['What is the capital of Peru?'] }, context))
  expect(admitted.metrics).toEqual({ storedWanted: 1, storedNoise: 0 })
  const judged = await twice(() => nli(rows, context))
  expect(judged.metrics).toMatchObject({ accuracy: 1, recallContradiction: 1, recallEntailment: 1, recallNonContradiction: 1 })
  expect(judged.metrics['ece']).toBeLessThan(0.5)
})

it('ablations: the whole engine and each switch, over the same probes', async () => {
  const { metrics, byCategory, curves } = await twice(() => ablations({ personas }, context))
  expect(metrics).toMatchObject({ trajectoryAccuracy: 1, 'withoutCorrect: trajectoryAccuracy lost': expect.any(Number) as number })
  expect(Object.keys(byCategory)).toEqual([
    'full',
    'withoutSurprisal',
    'withoutConfidence',
    'withoutReliability',
    'withoutProfile',
    'withoutCorrect',
    'withoutMaintain',
    'directWrite',
    'K = 5',
    'K = 20',
  ])
  // The old home is weakened by the move, but what reads no confidence does not see it.
  expect(byCategory['full']).toMatchObject({ staleInContext: 0 })
  expect(curves![0]!.lines).toHaveLength(10)
})

it('seeds: the closed form and direct write, each over five orders of the small talk', async () => {
  const { n, byCategory } = await twice(() => seeds({ personas }, context))
  expect(n).toBe(2)
  expect(Object.keys(byCategory)).toEqual(['closed form', 'directWrite'])
  expect(byCategory['closed form']).toMatchObject({ seeds: 5, trajectoryAccuracy: 1, trajectoryAccuracySd: 0, unstable: 0 })
})

it('peers: the same turns, queries and scoring; what has no gate has no gate metric', async () => {
  const { byCategory } = await twice(() => peers(chats, context, atHand))
  const [own, ...others] = Object.entries(byCategory)
  expect(own![0]).toBe('credence')
  expect(own![1]).toHaveProperty('needlessRate')
  expect(others.map(([name]) => name.split(' ')[0])).toEqual(['minisearch', 'cosine,'])
  for (const [, metrics] of others) {
    expect(metrics).not.toHaveProperty('needlessRate')
    expect(metrics).toMatchObject({ n: 4, recallAt10: 1 })
  }
})

it('peers: what cannot be had is left out, and a peer is stopped whatever happens', async () => {
  let stopped = 0
  const stop = async () => void stopped++
  const absent: Peer = { name: 'absent', start: () => Promise.reject(new Error('there is no such package')) }
  const working: Peer = { name: 'working', start: async () => ({ open: forgetful, stop }) }
  const failing: Peer = { name: 'failing', start: async () => ({ open: () => Promise.reject(new Error('broken')), stop }) }
  expect(Object.keys((await peers(chats, context, [absent, working])).byCategory)).toEqual(['working'])
  await expect(peers(chats, context, [working, failing])).rejects.toThrow('broken')
  expect(stopped).toBe(3)
})

// They take 200 MB and a minute or more to install: here only where the bench has run before.
it.skipIf(!peersInstalled())('peers: other packages as they were published', async () => {
  const { byCategory } = await twice(() => peers(chats, context, fetched))
  expect(Object.keys(byCategory).map(name => name.split(' ')[0])).toEqual(['cosine,', '@babycommando/entity-db', 'mem0ai'])
  for (const metrics of Object.values(byCategory)) expect(metrics).toMatchObject({ n: 4, recallAt10: 1 })
})

/** Remembers nothing. */
const forgetful = async () => ({
  put: async () => undefined,
  ask: async () => ({ ranking: [], given: null }),
  close: async () => undefined,
})

const belief = (over: Partial<PrecisionBelief> & { _id: string }): PrecisionBelief => ({
  user_id: 'test-user',
  type: 'preference',
  canonical_name: 'pet',
  aliases: [],
  content: 'Has a greyhound called Comet.',
  why_it_matters: '',
  scope: ['home'],
  epistemic_status: 'active',
  confidence: 0.9,
  pinned: false,
  resolved_at: null,
  superseded_by: null,
  created_at: '2026-01-01T00:00:00Z',
  ...over,
})
const fixtures: PrecisionSet = {
  'beliefs.seed': [
    belief({ _id: 'dog' }),
    belief({ _id: 'job', canonical_name: 'job', content: 'Works as a harbour pilot.', scope: ['work'] }),
    belief({ _id: 'secret', user_id: 'other-user', content: 'Has a parrot.' }),
    belief({ _id: 'diet', canonical_name: 'diet', content: 'Eats no meat.', pinned: true }),
  ],
  'retrieval.cases': [
    { caseId: 'none', category: 'Cold start', scope: ['home'], query: '', expect: { relevantBeliefs: { shouldOnlyInclude: [] } } },
    {
      caseId: 'pinned',
      category: 'Supersession chain',
      scope: ['home'],
      query: '',
      expect: { pinnedFacts: { mustInclude: ['diet'], mustExclude: ['dog'] }, relevantBeliefs: { shouldOnlyInclude: [] } },
    },
    {
      caseId: 'stranger',
      category: 'Isolation',
      scope: ['home'],
      query: 'Do I have a parrot?',
      expect: { relevantBeliefs: { mustExclude: ['secret', 'job'] } },
    },
  ],
}

it('precision: exact sets, empty ones empty, nothing of another user or scope', async () => {
  const { n, metrics } = await twice(() => precision(fixtures, context))
  expect(n).toBe(3)
  expect(metrics).toMatchObject({ passed: 1, passedCases: 3, emptyWhenNothingFits: 1, emptyCases: 2, supersessionPassed: 1 })
})

it('reader, supervision: the answers chosen with each focus', async () => {
  const items = [
    ['I never eat meat.', 'What should I cook?', ['A stew of lentils.', 'A steak.']],
    ['I am afraid of heights.', 'Where should I go on Sunday?', ['To the aquarium.', 'Up the television tower.']],
  ].map(([preference, question, options], i) => ({ id: `${i}`, topic: 'x', preference, question, mcq: { options, correct: 0 } }))
  const chats = [
    {
      id: 'c',
      turns: [
        { role: 'user', text: 'Please sort this list in Go for me.' },
        { role: 'assistant', text: 'With sort.' },
      ],
    },
  ]
  const set = { items, chats } as PreferenceSet
  const read = await twice(() => reader(set, context))
  expect(read.n).toBe(2)
  expect(Object.keys(read.metrics).sort()).toEqual(
    ['accuracyTold', 'accuracyWithMemory', 'accuracyWithoutMemory', 'missedRate', 'preferenceGiven'].sort(),
  )
  const { n, byCategory } = await twice(() => supervision(set, context))
  expect(n).toBe(1)
  expect(Object.keys(byCategory)).toHaveLength(9)
  expect(byCategory['no memory']).toMatchObject({ chosen: 0, preferenceGiven: 0 })
  expect(byCategory['dense only']).toMatchObject({ chosen: 2, preferenceGiven: 1 })
  expect(byCategory['full context']).toMatchObject({ chosen: 2, preferenceGiven: 1 })
})

it('labels: what sort of message each is', async () => {
  const turns = [
    { id: 0, text: 'Always answer in short sentences.', role: 'user' as const, plan_label: 'User Instruction' },
    { id: 1, text: 'Understood.', role: 'assistant' as const },
    { id: 2, text: 'I prefer trains to planes.', role: 'user' as const, plan_label: 'Preference Statement:Choices' },
    { id: 3, text: 'What is the capital of Peru?', role: 'user' as const, plan_label: null },
  ]
  const { n, metrics, byCategory } = await twice(() => labels([{ id: 'c', turns }], context))
  expect(n).toBe(3)
  expect(metrics).toMatchObject({ accuracy: 1, macroF1: 0.75 })
  expect(byCategory['instruction']).toMatchObject({ f1: 1 })
})

it('growth: costs, sizes and curves at its marks', async () => {
  const root = join(folder, 'sets-of-our-own')
  mkdirSync(join(root, 'sets'), { recursive: true })
  writeFileSync(join(root, 'sets', 'chats.json'), JSON.stringify(chats))
  const { n, metrics, byCategory, curves } = await growth(root, { ...context, limit: 20 })
  expect(n).toBe(20)
  expect(metrics['beliefs']).toBeGreaterThan(3)
  expect(metrics['databaseMiB']).toBeGreaterThan(0)
  expect(Object.keys(byCategory).at(-1)).toBe('20 turns')
  expect(curves!.map(curve => curve.name)).toEqual(['times', 'pairs', 'size', 'open', 'n-eff'])
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
