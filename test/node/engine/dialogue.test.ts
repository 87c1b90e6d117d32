/** What a person says about the memory, in the chat, by the real models. */

import { describe, expect, it } from 'vitest'
import type { MemoryEvent } from '../../../src/memory.ts'
import { hour, open } from './open.ts'

/** `assistant:` before a line makes it the assistant's. */
async function chat(...lines: string[]) {
  const { memory, clock } = await open()
  const observed = []
  for (const [i, line] of lines.entries()) {
    clock.now += hour
    const role = line.startsWith('assistant: ') ? ('assistant' as const) : ('user' as const)
    observed.push(await memory.observe({ id: `m${i}`, role, text: line.replace('assistant: ', '') }))
  }
  const current = (await memory.beliefs()).map(b => b.text)
  return { memory, observed, current }
}

describe('a confirmed restatement counts as said, with both messages as its sources (asks 27)', () => {
  it.each(['Yes, right.', 'Exactly.', "That's correct, thanks."])('%j', async yes => {
    const { memory, current } = await chat('assistant: So you moved to Denver last year, is that right?', yes)
    expect(current).toEqual(['I moved to Denver last year.'])
    const [belief] = await memory.beliefs()
    const { evidence } = await memory.explain(belief!.id)
    expect(evidence.map(e => [e.turn, e.role, e.quote])).toEqual([
      ['m0', 'assistant', 'you moved to Denver last year'],
      ['m1', 'user', yes],
    ])
  })

  it('an assistant alone, a yes to an offer, and a yes to nothing make no belief (asks 24, 26)', async () => {
    expect((await chat('assistant: You moved to Denver last year.')).current).toEqual([])
    expect((await chat('assistant: You live in Denver.', 'Yes please show me the weather.')).current).toEqual([])
    expect((await chat('Yes, right.')).current).toEqual([])
  })
})

describe('“that is wrong” withdraws, and keeps history (asks 9, 11)', () => {
  it('what the person has just said themselves, where the answers of the assistant are not told', async () => {
    const { memory, current } = await chat('I have two cats.', 'I live in Rome.', "That's wrong.")
    expect(current).toEqual(['I have two cats.'])
    expect((await memory.beliefs({ past: true })).map(b => b.text)).toContain('I live in Rome.')
  })

  it('what the assistant has just said', async () => {
    const { memory, current } = await chat('I live in Boston.', 'assistant: You live in Boston.', "That's wrong.")
    expect(current).toEqual([])
    const [past] = await memory.beliefs({ past: true })
    expect(past).toMatchObject({ text: 'I live in Boston.', retracted: true })
    expect((await memory.recall('Where do I live?')).prompt).not.toContain('Boston')
  })

  it('and takes what holds instead', async () => {
    const { memory, current } = await chat('I live in Boston.', 'assistant: You live in Boston.', "That's wrong, I live in Denver.")
    expect(current).toEqual(['I live in Denver.'])
    expect((await memory.recall('Where do I live?')).prompt).not.toContain('Boston')
  })

  it('what was never said', async () => {
    expect((await chat('I like jazz.', 'I have two cats.', 'You got that wrong, I never said that I like jazz.')).current).toEqual([
      'I have two cats.',
    ])
  })
})

describe('“forget that I …” erases (asks 39)', () => {
  it('what it names, and nothing else', async () => {
    const { memory, observed, current } = await chat('I live in Boston.', 'I have two cats.', 'Please forget that I live in Boston.')
    expect(current).toEqual(['I have two cats.'])
    expect(observed[2]!.changes).toMatchObject([{ kind: 'forgotten', text: '', after: null }])
    expect(await memory.beliefs({ past: true })).toHaveLength(1)
    expect(JSON.stringify(await memory.export())).not.toContain('Boston')
    expect(await memory.observe({ id: 'm2', text: 'Please forget that I live in Boston.' })).toMatchObject({ repeated: true })
  })

  it('a thing by its name', async () => {
    const { memory, current } = await chat('My phone number is 555 0134.', 'My cat is called Tom.', 'Can you forget my phone number?')
    expect(current).toEqual(['My cat is called Tom.'])
    expect(JSON.stringify(await memory.export())).not.toContain('0134')
  })

  it('what was said last', async () => {
    const { memory, current } = await chat('I have two cats.', 'My salary is 4,000 a month.', 'assistant: Noted.', 'Forget that.')
    expect(current).toEqual(['I have two cats.'])
    expect(JSON.stringify(await memory.export())).not.toContain('4,000')
  })

  it('nothing when nothing fits, nor when a program is meant', async () => {
    expect((await chat('I have two cats.', 'Forget that I play the tuba.')).current).toEqual(['I have two cats.'])
    expect((await chat('I have two cats.', 'Delete the second line of the file.')).current).toEqual(['I have two cats.'])
  })

  it('and listeners are told that something was erased, only where something was', async () => {
    const { memory } = await chat('I have two cats.', 'I live in Boston.')
    const told: MemoryEvent[] = []
    memory.subscribe(event => told.push(event))
    await memory.observe({ id: 'a', text: 'Forget that I live in Boston.' })
    await memory.observe({ id: 'b', text: 'Forget that I play the tuba.' })
    expect(told.map(({ type, turn }) => [type, turn])).toEqual([
      ['forgotten', 'a'],
      ['observed', 'b'],
    ])
    expect(told[0]!.changes).toMatchObject([{ kind: 'forgotten', text: '', after: null }])
  })
})

it.each(['Forget everything about me.', 'Please delete all that you know about me.', '忘记关于我的一切'])(
  '%j erases nothing by itself, recalls nothing, is not kept, and tells the host',
  async line => {
    const { memory, observed, current } = await chat('I have two cats.', 'I live in Rome.', line)
    expect(current).toHaveLength(2)
    expect(observed[2]).toMatchObject({ propositions: [{ text: '', route: 'ignored', reason: 'forget-all' }], changes: [] })
    expect(await memory.turn('m2')).toMatchObject({ role: 'user', text: '' })
    expect(await memory.recall(line)).toMatchObject({ needed: false, prompt: '' })
    expect((await memory.recall('Where do I live?')).prompt).toContain('Rome')
  },
)
