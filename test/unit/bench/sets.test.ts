import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { mixed, parts } from '../../../bench/kinds/reader.ts'
import { kindsOf, readSet, setName, spread } from '../../../bench/sets.ts'

const folder = mkdtempSync(join(tmpdir(), 'credence-sets-'))
afterAll(() => rmSync(folder, { recursive: true }))

it.each(['a.json', 'a.json.gz', 'a.jsonl', 'a.jsonl.gz'])('reads %s', name => {
  const items = [
    { p: 'I have a dog.', h: 'I have a pet.', y: 'entailment' },
    { p: 'I have a dog.', h: 'I have no pet.', y: 'contradiction' },
  ]
  const text = name.includes('.jsonl') ? `${items.map(item => JSON.stringify(item)).join('\n')}\n` : JSON.stringify(items)
  const file = join(folder, name)
  writeFileSync(file, name.endsWith('.gz') ? gzipSync(text) : text)
  expect(readSet(file)).toEqual(items)
  expect(kindsOf(readSet(file))).toEqual(['nli'])
  expect(setName(file)).toBe('a')
})

it('tells the kinds apart by their shapes', () => {
  expect(kindsOf([{ id: 'c', turns: [], queries: [] }])).toEqual(['retrieval', 'peers', 'parts'])
  expect(kindsOf([{ id: 'c', turns: [{ id: 1, text: 'x', plan_label: null }] }])).toEqual(['labels'])
  expect(kindsOf({ personas: [], note: '' })).toEqual(['drift', 'ablations', 'seeds'])
  expect(kindsOf({ memory: [], needs: [], needless: [] })).toEqual(['gate'])
  expect(kindsOf({ store: [], ignore: [] })).toEqual(['admission'])
  for (const other of [[], {}, null, 'x', [1], [{}]]) expect(kindsOf(other)).toEqual([])
})

it('reads a folder as the content of its files by name', () => {
  const files = join(folder, 'fixtures')
  mkdirSync(files)
  writeFileSync(join(files, 'beliefs.seed.json'), '[]')
  writeFileSync(join(files, 'retrieval.cases.json'), '[]')
  writeFileSync(join(files, 'notes.txt'), '')
  expect(readSet(files)).toEqual({ 'beliefs.seed': [], 'retrieval.cases': [] })
  expect(kindsOf(readSet(files))).toEqual(['precision'])
})

it('tells multiple choice, alone or in a folder with chats, from chats', () => {
  const items = [{ id: 'x', preference: 'a', question: 'b?', mcq: { options: ['c', 'd'], correct: 1 } }]
  expect(kindsOf(items)).toEqual(['reader', 'supervision'])
  expect(kindsOf({ items, chats: [{ id: 'c', turns: [] }] })).toEqual(['reader', 'supervision'])
  const chats = [
    {
      id: 'c',
      turns: [
        { role: 'user', text: 'e' },
        { role: 'assistant', text: 'f' },
      ],
    },
  ]
  expect(parts({ chats, items })).toEqual({ items, distractors: ['e'] })
  expect(parts(items)).toEqual({ items, distractors: [] })
  for (const by of [0, 1, 2]) expect(mixed(items[0]!, by).options[mixed(items[0]!, by).right]).toBe('d')
})

it('refuses what cannot be read, by name', () => {
  const file = join(folder, 'broken.json')
  writeFileSync(file, '{"a":')
  expect(() => readSet(file)).toThrow(/broken\.json is neither JSON nor JSON lines/)
  expect(() => readSet(join(folder, 'absent.json'))).toThrow(/There is no file .*absent\.json/)
})

it('takes a spread of a list', () => {
  expect(spread([0, 1, 2, 3, 4, 5], 3)).toEqual([0, 2, 4])
  expect(spread([0, 1], 5)).toEqual([0, 1])
  expect(spread([0, 1], undefined)).toEqual([0, 1])
})
