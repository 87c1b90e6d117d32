/** What users ask of a memory, rows 41 to 47: the person's own language, and dates that mean a day. */

import { describe, expect, it } from 'vitest'
import { hour, open, start } from '../engine/open.ts'
import { chat } from './helpers.ts'

const day = 24 * hour

describe('a belief keeps the language it was said in (asks 41, 42)', () => {
  it.each([
    ['我住在杭州。', '我住在哪里？', '杭州'],
    ['我对花生过敏。', '我对什么过敏？', '花生'],
    ['Ich bin Vegetarierin.', 'Bin ich Vegetarierin?', 'Vegetarierin'],
    ['Ich wohne in Graz.', 'Wo wohne ich?', 'Graz'],
    ['Vivo en Sevilla.', '¿Dónde vivo?', 'Sevilla'],
    ['Me encanta el flamenco.', '¿Me gusta el flamenco?', 'flamenco'],
  ])('%j', async (text, question, named) => {
    const { memory, current } = await chat(text)
    expect(await current()).toEqual([text])
    expect((await memory.recall(question)).prompt).toContain(named)
  })
})

it('across languages that the models cannot read both statements are kept, and nothing fails (asks 43)', async () => {
  const said = ['I am a vegetarian.', 'Ich bin Vegetarier.', 'Soy vegetariano.', '我吃素。']
  const { memory, current } = await chat(...said)
  expect((await current()).sort()).toEqual([...said].sort())
  expect((await memory.status()).models.every(model => model.languages.length > 0)).toBe(true)
  for (const text of said) expect((await memory.observe({ text })).changes.map(change => change.text)).toContain(text)
  expect(await current()).toHaveLength(said.length)
})

describe('a question finds what was said in its language (asks 44)', () => {
  it.each([
    ['Mi médico se llama doctor Ferrer.', '¿Cómo se llama mi médico?', 'Ferrer'],
    ['Meine Zahnärztin heißt Frau Wagner.', 'Wie heißt meine Zahnärztin?', 'Wagner'],
    ['My physiotherapist is called Ines.', 'What is the name of my physiotherapist?', 'Ines'],
  ])('%j', async (text, question, named) => {
    const { memory } = await chat('I have two cats.', text, 'Thanks!')
    expect((await memory.recall(question)).prompt).toContain(named)
  })
})

describe('words are found in Chinese, Japanese and Korean (asks 45)', () => {
  it.each([
    ['我女儿在南京上大学。', '我女儿在哪里上大学？', '南京'],
    ['私は京都に住んでいます。', '私はどこに住んでいますか？', '京都'],
    ['저는 부산에 살고 있습니다.', '부산에 사는 사람은 누구인가요?', '부산'],
  ])('%j', async (text, question, named) => {
    const { memory } = await chat(text)
    const { trace } = await memory.recall(question)
    expect(trace.candidates.map(c => c.text).join()).toContain(named)
    expect(await memory.beliefs({ text: named, past: true })).toHaveLength((await memory.beliefs({ past: true })).length)
  })
})

describe('a day is counted from the message, not from now (asks 46)', () => {
  it('“tomorrow” in an old message is over', async () => {
    const { memory, clock } = await open()
    clock.now = start
    await memory.observe({ text: 'I have an exam in statistics tomorrow.', at: start - 30 * day })
    const [belief] = await memory.beliefs({ past: true })
    expect(belief!.expiresAt).toBeGreaterThan(start - 29 * day)
    expect(belief!.expiresAt).toBeLessThan(start - 27 * day)
    expect(await memory.beliefs()).toEqual([])
    expect((await memory.recall('When is my exam?')).prompt).not.toContain('I have an exam in statistics tomorrow')
  })
})

describe('what is to come has a date, and is over after it (asks 47)', () => {
  it.each([
    ['My flight to Oslo leaves tomorrow.', 2],
    ['I have a dentist appointment next week.', 15],
    ['My parents are visiting me on 20 March 2026.', 20],
  ])('%j', async (text, days) => {
    const { memory, clock } = await open()
    await memory.observe({ text, at: start })
    const [belief] = await memory.beliefs()
    expect(belief!.expiresAt).toBeGreaterThan(start)
    clock.now = start + days * day
    expect(await memory.beliefs()).toEqual([])
    expect(await memory.beliefs({ past: true })).toHaveLength(1)
  })
})
