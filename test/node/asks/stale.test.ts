/** What users ask of a memory, rows 1 to 14: nothing stale, contradicted or lost. */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../../src/engine/ports.ts'
import { openMemoryStore } from '../../../src/store/memory.ts'
import { hour, open, say, start } from '../engine/open.ts'
import { chat, smallTalk } from './helpers.ts'

const day = 24 * hour

describe('of two values that exclude each other only the later is recalled (asks 1)', () => {
  it.each([
    ['My favourite colour is green.', 'My favourite colour is orange.', 'What is my favourite colour?', /green/, /orange/],
    ['I live in Ghent.', 'I live in Porto now.', 'Where do I live?', /Ghent/, /Porto/],
    ['I live in Leeds.', 'I moved to York last week.', 'Where do I live?', /Leeds/, /York/],
    ['I live in Ghent.', 'I moved to Porto two months ago.', 'Where do I live?', /Ghent/, /Porto/],
    ['I work at a bakery in Leeds.', 'I changed jobs in May and I work at a museum now.', 'Where do I work?', /bakery/, /museum/],
    ['My dog is called Pip.', 'My dog is called Bruno, not Pip.', 'What is the name of my dog?', /called Pip/, /Bruno/],
    ['I work as a nurse.', 'I changed careers, I work as a gardener now.', 'What is my job?', /nurse/, /gardener/],
  ])('%j then %j', async (before, after, question, stale, current) => {
    const { memory } = await chat(before, 'Thanks!', after)
    const { prompt } = await memory.recall(question)
    expect(prompt).toMatch(current)
    expect(prompt).not.toMatch(stale)
  })
})

it('a liking that was given up is found in the history of what replaced it, and nowhere else (asks 2)', async () => {
  const { memory } = await chat('I like drinking coffee.', 'I have given up coffee, I only drink tea now.')
  const { prompt, beliefs, turns } = await memory.recall('What do I like to drink?')
  expect(prompt).toContain('tea')
  expect([...beliefs, ...turns].map(item => item.text).join('\n')).not.toMatch(/I like drinking coffee/)
  const history = await memory.history(beliefs[0]!.id)
  expect(history.map(belief => belief.text)).toEqual(['I like drinking coffee.', 'I have given up coffee, I only drink tea now.'])
})

it('a contradiction leaves something believed about its subject; a retraction leaves nothing (asks 4)', async () => {
  const { memory, say, current } = await chat('I play the violin.', 'I do not play the violin any more, I play the cello.')
  expect((await current()).filter(text => /cello/.test(text))).toHaveLength(1)
  await memory.retract((await memory.beliefs())[0]!.id)
  expect(await current()).toEqual([])
  await say('Thank you.')
  expect(await current()).toEqual([])
})

it('the same words again are one belief with one more piece of evidence, no less sure (asks 5)', async () => {
  const { memory, say } = await chat('I grow tomatoes on my balcony.')
  const [first] = await memory.beliefs()
  await say('I grow tomatoes on my balcony.')
  const after = await memory.beliefs()
  expect(after).toHaveLength(1)
  expect(after[0]!.id).toBe(first!.id)
  expect(after[0]!.confidence).toBeGreaterThanOrEqual(first!.confidence)
  expect((await memory.explain(first!.id)).evidence.map(e => [e.turn, e.stance])).toEqual([
    ['m0', 'supports'],
    ['m1', 'supports'],
  ])
})

describe('two unrelated statements are two beliefs (asks 6)', () => {
  const statements = [
    'I play chess on Thursdays.',
    'My sister lives in Oslo.',
    'I am allergic to walnuts.',
    'I drive an old blue van.',
    'My favourite season is autumn.',
    'I teach physics at a secondary school.',
    'I am learning Portuguese.',
    'I have two cats.',
  ]
  const pairs = statements.flatMap((a, i) => statements.slice(i + 1).map(b => [a, b] as const))
  it.each(pairs)('%j and %j', async (a, b) => {
    const { memory, current } = await chat(a, b)
    expect((await current()).sort()).toEqual([a, b].sort())
    for (const belief of await memory.beliefs()) expect(belief.supersededBy).toBeUndefined()
  })
})

describe('no prompt holds a superseded value, in whatever words it was contradicted, the messages of old included (asks 7)', () => {
  it.each([
    ['I work at a bank.', 'I quit the bank and teach maths at a school now.', 'Where do I work?', /I work at a bank/],
    ['I smoke a pack a day.', 'I no longer smoke.', 'Do I smoke?', /a pack a day/],
    ['I have a girlfriend.', 'I am single now.', 'Am I in a relationship?', /I have a girlfriend/],
    ['My car is a red Fiat.', 'I sold the Fiat and drive a Volvo now.', 'Which car do I drive?', /is a red Fiat/],
    ['I train for a marathon.', 'I dropped the marathon and only swim now.', 'What sport do I do?', /I train for a marathon/],
  ])('%j, then %j', async (before, after, question, stale) => {
    const { memory } = await chat(before, 'assistant: Good to know!', 'What is 12 times 12?', after)
    const { prompt } = await memory.recall(question)
    expect(prompt).not.toMatch(stale)
  })
})

describe('a belief and what supersedes it change in one commit (asks 8)', () => {
  it('both, or neither when it fails', async () => {
    const inner = openMemoryStore()
    const changes: Change[] = []
    let broken = false
    const store = {
      ...inner,
      async commit(change: Change, expected: number) {
        if (broken) throw new Error('the disk is full')
        changes.push(change)
        return inner.commit(change, expected)
      },
    }
    const { memory, clock } = await open({ store })
    await say(memory, clock, 'I live in Ghent.')
    const before = await memory.beliefs({ past: true })
    broken = true
    await expect(say(memory, clock, 'I moved from Ghent to Porto.')).rejects.toThrow(/disk is full/)
    expect(await memory.beliefs({ past: true })).toEqual(before)
    broken = false
    await say(memory, clock, 'I moved from Ghent to Porto.')
    const [old] = before
    const written = changes.at(-1)!.put!.beliefs!
    expect(written.find(b => b.id === old!.id)!.supersededBy).toBe(written.find(b => b.id !== old!.id)!.id)
  })
})

it('what is contradicted loses confidence by itself, is reported, and anything can be retracted (asks 9)', async () => {
  const { memory, observed } = await chat('I prefer window seats.', 'I hate window seats, I always take the aisle.')
  const weakened = observed[1]!.changes.find(change => change.kind === 'weakened')!
  expect(weakened.text).toBe('I prefer window seats.')
  expect(weakened.after!).toBeLessThan(weakened.before! / 2)
  const [belief] = await memory.beliefs()
  expect((await memory.explain(belief!.id)).supersedes.map(b => b.text)).toEqual(['I prefer window seats.'])
  await memory.retract(belief!.id)
  expect(await memory.beliefs()).toEqual([])
  expect((await memory.belief(belief!.id)).retracted).toBe(true)
})

describe('what was said later stands, however late the earlier comes in (asks 10)', () => {
  it('an old message does not overwrite a newer fact, and the same message again changes nothing', async () => {
    const { memory } = await open()
    await memory.observe({ id: 'new', text: 'I live in Porto.', at: start })
    await memory.observe({ id: 'old', text: 'I live in Ghent.', at: start - 400 * day })
    expect((await memory.recall('Where do I live?')).prompt).toContain('Porto')
    expect((await memory.recall('Where do I live?')).prompt).not.toContain('Ghent')
    const bank = await memory.export()
    expect(await memory.observe({ id: 'old', text: 'I live in Ghent.', at: start + day })).toMatchObject({ repeated: true, changes: [] })
    expect((await memory.export()).beliefs).toEqual(bank.beliefs)
  })
})

it('a correction keeps the old version with its date; erasure leaves none (asks 11)', async () => {
  const { memory, current } = await chat('My flat is in Vienna.', 'I moved from Vienna to Graz.')
  const [now] = await memory.beliefs()
  const [old] = (await memory.explain(now!.id)).supersedes
  expect(old).toMatchObject({ text: 'My flat is in Vienna.', createdAt: start + hour, supersededBy: now!.id })
  await memory.forget(old!.id)
  expect(JSON.stringify(await memory.export())).not.toContain('My flat is in Vienna')
  expect(await current()).toEqual(['I moved from Vienna to Graz.'])
})

it('a mood fades with the weeks, what lasts does not (asks 12)', async () => {
  const { memory, clock } = await chat('I was born in Graz.', 'I am feeling really exhausted these days.')
  const confidences = async () => Object.fromEntries((await memory.beliefs({ past: true })).map(b => [b.text, b.confidence]))
  const before = await confidences()
  clock.now += 60 * day
  const after = await confidences()
  expect(after['I was born in Graz.']).toBe(before['I was born in Graz.'])
  const mood = 'I am feeling really exhausted these days.'
  if (before[mood] !== undefined) expect(after[mood] ?? 0).toBeLessThan(before[mood] / 2)
  expect((await memory.recall('How am I feeling?')).prompt).not.toContain('certain) I am feeling')
})

it('a contradiction that was missed is found by tidying up, and nothing is deleted (asks 13)', async () => {
  const { memory } = await chat('I live in Ghent.')
  const other = await chat()
  other.clock.now += day
  await other.say('I live in Porto.')
  const { turns, beliefs, evidence, trails, ...rest } = JSON.parse(
    JSON.stringify(await other.memory.export())
      .replaceAll('"m0"', '"n0"')
      .replaceAll('"0.', '"n0.'),
  ) as Awaited<ReturnType<typeof other.memory.export>>
  await memory.import({ ...rest, turns, beliefs, evidence, trails })
  expect(await memory.beliefs()).toHaveLength(2)
  await memory.tidy()
  expect(await memory.beliefs()).toHaveLength(1)
  expect(await memory.beliefs({ past: true })).toHaveLength(2)
})

it('fifty messages on one subject at once end in one consistent state (asks 14)', async () => {
  const { memory } = await open()
  const cities = ['Oslo', 'Bergen', 'Turku', 'Malmö', 'Aarhus']
  const texts = Array.from({ length: 50 }, (_, i) => `I live in ${cities[i % cities.length]}.`)
  const observed = await Promise.all(texts.map((text, i) => memory.observe({ id: `m${i}`, text, at: start + i * hour })))
  expect(observed.map(o => o.repeated)).toEqual(texts.map(() => false))
  const current = await memory.beliefs()
  expect(current.map(b => b.text)).toEqual(['I live in Aarhus.'])
  const all = await memory.beliefs({ past: true })
  expect(all).toHaveLength(cities.length)
  for (const belief of all.filter(b => b.id !== current[0]!.id)) expect(belief.supersededBy).toBeDefined()
  expect((await memory.status()).turns).toBe(50)
})

it('small talk in between changes nothing that is believed (asks 12)', async () => {
  const { memory, say } = await chat('I play the oboe.', 'I am allergic to bees.')
  const before = await memory.beliefs()
  await say(...smallTalk)
  expect((await memory.beliefs()).map(({ id, confidence }) => ({ id, confidence }))).toEqual(
    before.map(({ id, confidence }) => ({ id, confidence })),
  )
})

it('the README says on its first screen what happens to what is contradicted (asks 3)', () => {
  const screen = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
    .split('\n')
    .slice(0, 45)
    .join('\n')
  expect(screen).toMatch(/contradict[^.]*superseded/i)
})

describe('no prompt holds a superseded value, in whatever words it was contradicted (asks 7)', () => {
  it.each([
    ['I am a vegetarian.', 'I eat meat again these days.', 'What could I cook for dinner?', /vegetarian/i],
    ['I live in Lyon.', 'We have relocated to Turin for good.', 'Where do I live?', /Lyon/],
  ])('%j, then %j', async (before, after, question, stale) => {
    const { memory } = await chat(before, 'assistant: Good to know!', 'What is 12 times 12?', after)
    const { needed, prompt } = await memory.recall(question)
    expect(needed).toBe(true)
    expect(prompt).not.toMatch(stale)
  })
})
