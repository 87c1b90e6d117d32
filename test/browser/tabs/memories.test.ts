/** Real memories in several tabs, without models: what one tab does to a memory holds in the others, and memories of other names are left alone. */

import { expect, it, vi } from 'vitest'
import { openAt } from '../../../src/client/open.ts'
import { besideScript } from '../../../src/client/place.ts'
import { Tab } from '../../../src/client/tab.ts'
import type { Memory, MemoryOptions } from '../../../src/memory.ts'
import { rejection, settled } from '../boundary/helpers.ts'
import { freshName } from '../../unit/store/suite.ts'
import { dump } from '../store/raw.ts'
import { memories, scope, started } from './setup.ts'

const models = { embedder: false, nli: false, evidence: false, lm: false } as const
const minute = 60_000

/** Each in a tab of its own. */
async function open(name: string, options: MemoryOptions = {}): Promise<Memory> {
  const startWorker = () => (started.push(besideScript.startWorker()), started.at(-1)!)
  const tab = new Tab({ ...besideScript, startWorker }, { scope })
  const memory = await settled(openAt(tab, { name, assets: '/', models, ...options }), minute)
  memories.push(memory)
  return memory
}

/** All that a memory tells. */
async function told(memory: Memory, query: string): Promise<string> {
  return JSON.stringify([
    await memory.export(),
    await memory.beliefs({ past: true }),
    await memory.recall(query),
    await memory.augment([{ role: 'user', content: query }]),
    await memory.toMarkdown(),
  ])
}

it('of different names do not mix under one leader (asks 48, 49, 50)', async () => {
  const [anna, bert] = [freshName(), freshName()]
  const [one, two, again] = [await open(anna), await open(bert), await open(anna)]
  await Promise.all([
    one.observe({ id: 'same', text: 'I play the cello.' }),
    two.observe({ id: 'same', text: 'I keep bees.' }),
    again.observe({ id: 'other', text: 'I play the viola.' }),
  ])
  const query = 'What about the cello, the viola and bees?'
  expect(started).toHaveLength(1)
  for (const memory of [one, again]) {
    expect(await told(memory, query)).toMatch(/cello.*viola/)
    expect(await told(memory, query)).not.toContain('I keep bees')
  }
  expect(await told(two, query)).not.toMatch(/I play/)
  await one.forgetAll()
  expect((await again.status()).turns).toBe(0)
  expect((await two.turn('same')).text).toBe('I keep bees.')
})

it('what is forgotten in one is gone in all, also where a tab has an engine of its own (asks 51, 52)', async () => {
  const name = freshName()
  const [leader, follower] = [await open(name), await open(name)]
  // Other options make another engine, which has read the whole bank.
  const own = await open(name, { granularity: 'turn' })
  await leader.observe({ id: 'm1', text: 'I play the xylophone.' })
  await leader.observe({ id: 'm2', text: 'I keep bees.' })
  const all = [leader, follower, own]
  for (const memory of all) expect(await told(memory, 'xylophone?')).toContain('I play the xylophone.')
  const heard: string[][] = all.map(() => [])
  all.forEach((memory, i) => memory.subscribe(event => event.type !== 'recalled' && heard[i]!.push(event.type)))

  await follower.forget({ turn: 'm1' })
  for (const memory of all) {
    expect(await told(memory, 'xylophone?')).not.toContain('I play the xylophone.')
    expect((await rejection(memory.turn('m1'))).code).toBe('NotFound')
  }
  await vi.waitFor(() => expect(heard).toEqual(all.map(() => ['forgotten'])))
  expect((await own.recall('Do I keep bees?')).needed).toBe(true)
})

it('one that only reads writes nothing beside one that writes (asks 55, 56)', async () => {
  const name = freshName()
  const writer = await open(name)
  await writer.observe({ id: 'm1', text: 'I play the cello.' })
  const before = await dump(name)
  const reader = await open(name, { readOnly: true })
  expect((await reader.recall('Do I play the cello?')).needed).toBe(true)
  expect((await reader.observe({ id: 'm2', text: 'I keep bees.' })).propositions[0]!.reason).toBe('read-only')
  expect((await rejection(reader.forgetAll())).code).toBe('ReadOnly')
  expect(await dump(name)).toEqual(before)
  await writer.observe({ id: 'm3', text: 'I keep bees.' })
  expect((await reader.beliefs()).map(belief => belief.text).sort()).toEqual(['I keep bees.', 'I play the cello.'])
})

it('an encrypted one opens in no tab without its passphrase, and a change of it does not disturb the others', async () => {
  const name = freshName()
  const [leader, follower] = [await open(name, { passphrase: 'one' }), await open(name, { passphrase: 'one' })]
  await follower.observe({ id: 'm1', text: 'I play the cello.' })
  expect((await rejection(open(name, { passphrase: 'two' }), minute)).code).toBe('WrongPassphrase')
  expect((await rejection(open(name), minute)).code).toBe('PassphraseNeeded')
  await settled(leader.changePassphrase('two'), minute)
  await follower.observe({ id: 'm2', text: 'I keep bees.' })
  expect((await leader.beliefs()).map(belief => belief.text).sort()).toEqual(['I keep bees.', 'I play the cello.'])
  expect((await rejection(open(name, { passphrase: 'one' }), minute)).code).toBe('WrongPassphrase')
  // Its indexes are made anew from what was decrypted.
  const again = await open(name, { passphrase: 'two' })
  expect((await again.recall('Do I play the cello?')).beliefs.map(belief => belief.text)).toEqual(['I play the cello.'])
  expect(started).toHaveLength(1)
})
