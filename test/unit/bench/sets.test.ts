import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { kindOf, readSet, setName, spread } from '../../../bench/sets.ts'

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
  expect(kindOf(readSet(file))).toBe('nli')
  expect(setName(file)).toBe('a')
})

it('tells the kinds apart by their shapes', () => {
  expect(kindOf([{ id: 'c', turns: [], queries: [] }])).toBe('retrieval')
  expect(kindOf({ personas: [], note: '' })).toBe('drift')
  expect(kindOf({ memory: [], needs: [], needless: [] })).toBe('gate')
  expect(kindOf({ store: [], ignore: [] })).toBe('admission')
  expect([[], {}, null, 'x', [1], [{}]].map(kindOf)).toEqual([undefined, undefined, undefined, undefined, undefined, undefined])
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
