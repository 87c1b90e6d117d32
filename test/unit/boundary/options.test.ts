import { describe, expect, it } from 'vitest'
import { CredenceError } from '../../../src/errors.ts'
import * as check from '../../../src/options.ts'
import { parameterTable, type Parameters } from '../../../src/parameters.ts'

const codeOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    expect(error).toBeInstanceOf(CredenceError)
    expect((error as Error).message).toMatch(/^credence: /)
    return (error as CredenceError).code
  }
  return 'accepted'
}

const revision = 'a'.repeat(40)

describe('options of openMemory', () => {
  it('have defaults', () => {
    const defaults = {
      name: 'default',
      allowDownload: false,
      device: 'auto',
      granularity: 'proposition',
      controller: 'auto',
      parameters: check.checkParameters(),
      readOnly: false,
      languages: Intl.getCanonicalLocales(globalThis.navigator?.languages ?? []),
    }
    expect(check.checkMemoryOptions()).toEqual(defaults)
    expect(check.checkMemoryOptions(check.checkMemoryOptions({}))).toEqual(defaults)
    expect(check.checkMemoryOptions({ name: undefined } as never).name).toBe('default')
  })

  it.each([
    [{ name: 'x'.repeat(100) }, 'accepted'],
    [{ name: 'x'.repeat(101) }, 'InvalidArgument'],
    [{ name: '' }, 'InvalidArgument'],
    [{ name: 3 }, 'InvalidArgument'],
    [{ nmae: 'alice' }, 'UnknownOption'],
    [{ languages: ['zh-Hant-TW', 'EN'] }, 'accepted'],
    [{ languages: [] }, 'accepted'],
    [{ languages: 'zh' }, 'InvalidArgument'],
    [{ languages: ['not a language'] }, 'InvalidArgument'],
    [{ assets: '/assets/' }, 'accepted'],
    [{ assets: new URL('https://example.org/a/') }, 'accepted'],
    [{ assets: '' }, 'InvalidArgument'],
    [{ device: 'cpu' }, 'InvalidArgument'],
    [{ granularity: 'sentence' }, 'InvalidArgument'],
    [{ controller: 'llm' }, 'InvalidArgument'],
    [{ readOnly: 'yes' }, 'InvalidArgument'],
    [{ onProgress: 'log' }, 'InvalidArgument'],
    [{ signal: {} }, 'InvalidArgument'],
    [{ signal: new AbortController().signal }, 'accepted'],
    [{ parameters: { gateLow: 0.25 } }, 'accepted'],
    [{ parameters: { gateLow: 'low' } }, 'InvalidArgument'],
    [{ parameters: { gate: 0.2 } }, 'UnknownOption'],
    [{ models: { lm: false } }, 'accepted'],
    [{ models: { reader: false } }, 'UnknownOption'],
    [{ models: { embedder: { hub: 'owner/name', revision, pooling: 'mean', queryPrefix: 'query: ' } } }, 'accepted'],
    [{ models: { nli: { hub: 'owner/name', revision, pooling: 'mean' } } }, 'UnknownOption'],
    [{ models: { nli: { hub: 'owner/name', revision: 'main' } } }, 'InvalidArgument'],
    [{ models: { nli: { hub: 'https://example.org/model', revision } } }, 'InvalidArgument'],
    [null, 'InvalidArgument'],
    [[], 'InvalidArgument'],
  ])('%j: %s', (options, code) => {
    expect(codeOf(() => check.checkMemoryOptions(options as never))).toBe(code)
  })
})

describe('parameters', () => {
  it('are complete, and each default lies within its own range', () => {
    const all = check.checkParameters()
    expect(Object.keys(all).sort()).toEqual(Object.keys(parameterTable).sort())
    expect(check.checkParameters(all)).toEqual(all)
  })

  it.each(Object.entries(parameterTable))('%s is refused outside its range', (name, row) => {
    const attempt = (value: number) => codeOf(() => check.checkParameters({ [name]: value } as Partial<Parameters>))
    expect(attempt(row.min)).toBe('accepted')
    expect(attempt(row.max)).toBe('accepted')
    expect(attempt(row.min - 1)).toBe('InvalidArgument')
    expect(attempt(row.max + 1)).toBe('InvalidArgument')
    expect(attempt(NaN)).toBe('InvalidArgument')
    if (row.integer) expect(attempt(row.min + 0.5)).toBe('InvalidArgument')
  })
})

describe('a turn', () => {
  it('is the user’s by default, and its time becomes a number', () => {
    expect(check.checkTurn({ text: '' })).toEqual({ role: 'user', text: '' })
    const turn = { role: 'assistant', text: 'hi', id: 'm1', at: 1000, speaker: 'Ada', conversation: 'c' } as const
    expect(check.checkTurn({ ...turn, at: new Date(1000) })).toEqual(turn)
    expect(check.checkTurn(check.checkTurn(turn))).toEqual(turn)
  })

  it.each([
    [{}, 'InvalidArgument'],
    [{ text: 5 }, 'InvalidArgument'],
    [{ text: 'x', content: 'x' }, 'UnknownOption'],
    [{ text: 'x', role: 'human' }, 'InvalidArgument'],
    [{ text: 'x', id: '' }, 'InvalidArgument'],
    [{ text: 'x', id: 7 }, 'InvalidArgument'],
    [{ text: 'x', at: 'yesterday' }, 'InvalidArgument'],
    [{ text: '🦊 漢字 \ud800' }, 'accepted'],
    [{ text: 'x'.repeat(1_000_000) }, 'accepted'],
    [{ text: 'x'.repeat(1_000_001) }, 'InvalidArgument'],
  ])('%#: %s', (turn, code) => {
    expect(codeOf(() => check.checkTurn(turn as never))).toBe(code)
  })

  it('is not repeated in the message', () => {
    try {
      check.checkTurn({ text: 'hello', id: 'ok', at: 'my secret' })
    } catch (error) {
      expect((error as Error).message).not.toContain('my secret')
      expect((error as Error).message).toContain('turn.at')
      return
    }
    expect.unreachable()
  })
})

describe('what is refused', () => {
  const messageOf = (check: () => unknown) => {
    try {
      check()
    } catch (error) {
      return (error as Error).message.replace('credence: ', '')
    }
    return 'accepted'
  }

  it.each<[string, () => unknown]>([
    ['languages must be an array of BCP 47 tags, not a string of 2 characters', () => languages('zh')],
    ['languages[1] must be a BCP 47 tag, not a string of 14 characters', () => languages(['en', 'not a language'])],
    ['languages[0] must be a BCP 47 tag, not 7', () => languages([7])],
    ['options must be an array of 2 to 20 texts, not an array of 1', () => check.checkAnswerOptions({ options: ['one'] })],
    ['items must be an array, not an object', () => check.checkItems({} as never)],
    ['recall.beliefs must be an array, not undefined', () => check.checkAnswerOptions({ recall: {} as never })],
    ['at must be a valid Date, an ISO 8601 string or milliseconds since 1970, not an object', () => check.checkTime(new Date(NaN), 'at')],
    ['target must be an id, { turn } or { since }, and only one of them', () => check.checkForget({ turn: 't', since: 0 })],
    ['text must be more than white space (use retract or forget to be rid of a belief)', () => check.checkText(' ')],
  ])('%s', (message, call) => expect(messageOf(call)).toBe(message))

  const languages = (given: unknown) => check.checkMemoryOptions({ languages: given } as never)
})

describe('a time', () => {
  it.each([
    ['2026-11-29T10:00:00Z', 1795946400000],
    ['2026-11-29T10:00:00.250+02:00', 1795939200250],
    ['2026-11-29', 1795910400000],
    ['2026', 1767225600000],
    [1795946400000.7, 1795946400000],
    [new Date(5), 5],
    [0, 0],
  ])('%s', (at, ms) => expect(check.checkTime(at, 'at')).toBe(ms))

  it.each([['May 1'], ['1'], [''], ['2026-13-01'], ['29.11.2026'], [NaN], [Infinity], [9e15], [new Date(NaN)], [null], [{}]])(
    '%s is refused',
    at => {
      expect(codeOf(() => check.checkTime(at as never, 'at'))).toBe('InvalidArgument')
    },
  )
})

describe('other arguments', () => {
  it('of recall and augment', () => {
    expect(check.checkRecallOptions()).toEqual({ budget: 400 })
    expect(check.checkRecallOptions({ budget: 0, limit: 50, at: '2026-11-29' })).toEqual({ budget: 0, limit: 50, at: 1795910400000 })
    expect(check.checkAugmentOptions({ window: 0 })).toEqual({ budget: 400, window: 0 })
    for (const wrong of [{ budget: -1 }, { budget: 1.5 }, { limit: 0 }, { limit: 51 }, { limit: '5' }]) {
      expect(codeOf(() => check.checkRecallOptions(wrong as never))).toBe('InvalidArgument')
    }
    expect(codeOf(() => check.checkRecallOptions({ window: 3 } as never))).toBe('UnknownOption')
    expect(codeOf(() => check.checkAugmentOptions({ window: -1 }))).toBe('InvalidArgument')
    expect(codeOf(() => check.checkAugmentOptions({ place: 'end' } as never))).toBe('InvalidArgument')
    expect(codeOf(() => check.checkQuery(undefined as never))).toBe('InvalidArgument')
  })

  it('of answer, and what a block is written from', () => {
    expect(check.checkAnswerOptions()).toEqual({ budget: 400, tokens: 48 })
    const options = ['tea', 'coffee']
    const recall = { needed: false, strategy: 'none' as const, beliefs: [], turns: [], prompt: '', trace: {} as never }
    expect(check.checkAnswerOptions({ options, tokens: 256, limit: 1, recall })).toEqual({
      budget: 400,
      limit: 1,
      tokens: 256,
      options,
      recall,
    })
    const wrong = [
      { options: ['one'] },
      { options: ['a', ''] },
      { options: ['a', ' \t'] },
      { options: 'ab' },
      { options: Array(21).fill('a') },
      { tokens: 0 },
      { tokens: 257 },
    ]
    for (const given of [...wrong, { recall: {} }, { seen: ['x'] }, { seen: [{ text: 'x', id: '' }] }]) {
      expect(codeOf(() => check.checkAnswerOptions(given as never))).toBe('InvalidArgument')
    }
    expect(codeOf(() => check.checkAnswerOptions({ option: options } as never))).toBe('UnknownOption')
    expect(check.checkBudget()).toBe(400)
    for (const items of [null, [null], [{ text: 1, at: 0 }], [{ text: 'x', at: 'soon' }]]) {
      expect(codeOf(() => check.checkItems(items as never))).toBe('InvalidArgument')
    }
  })

  it('messages, feedback, filters', () => {
    expect(codeOf(() => check.checkMessages([{ role: 'user', content: 'x', name: 'kept' } as never]))).toBe('accepted')
    expect(codeOf(() => check.checkMessages([{ role: 'user', content: [{ type: 'text', text: 'x' }, { type: 'image' }] }]))).toBe(
      'accepted',
    )
    expect(codeOf(() => check.checkMessages([{ role: 'assistant', content: null }, { role: 'developer' }]))).toBe('accepted')
    expect(codeOf(() => check.checkMessages([{ role: 'user', content: 3 } as never]))).toBe('InvalidArgument')
    expect(codeOf(() => check.checkMessages([{ role: 'user', content: ['x'] } as never]))).toBe('InvalidArgument')
    expect(codeOf(() => check.checkMessages([{ role: 'martian', content: 'x' } as never]))).toBe('InvalidArgument')
    expect(codeOf(() => check.checkMessages('x' as never))).toBe('InvalidArgument')
    expect(codeOf(() => check.checkFeedback({ query: 'q', answer: 'a', used: ['b'] }))).toBe('accepted')
    expect(codeOf(() => check.checkFeedback({ query: 'q', answer: 'a', used: 'b' } as never))).toBe('InvalidArgument')
    expect(codeOf(() => check.checkFilter({ kind: 'fact', minConfidence: 1 }))).toBe('accepted')
    expect(codeOf(() => check.checkFilter({ minConfidence: 2 }))).toBe('InvalidArgument')
    expect(codeOf(() => check.checkFilter({ kinds: 'fact' } as never))).toBe('UnknownOption')
  })

  it('what to forget is exactly one thing', () => {
    expect(check.checkForget('b1')).toBe('b1')
    expect(check.checkForget({ turn: 't1' })).toEqual({ turn: 't1' })
    expect(check.checkForget({ since: '2026-11-29' })).toEqual({ since: 1795910400000 })
    for (const wrong of ['', {}, { turn: 't', since: 0 }, { turn: '' }, { since: 'x' }, null]) {
      expect(codeOf(() => check.checkForget(wrong as never))).toBe('InvalidArgument')
    }
  })

  it('pins, texts and modes', () => {
    expect(check.checkPinned()).toBe(true)
    expect(codeOf(() => check.checkPinned(1 as never))).toBe('InvalidArgument')
    expect(codeOf(() => check.checkText('  '))).toBe('InvalidArgument')
    expect(check.checkImportMode()).toBe('skip')
    expect(codeOf(() => check.checkImportMode('merge' as never))).toBe('InvalidArgument')
    expect(codeOf(() => check.checkId(''))).toBe('InvalidArgument')
  })
})
