import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Models } from '../../../src/engine/ports.ts'
import { openNodeModels } from '../../../src/models/node.ts'

const modelsDir = 'models'
let models: Models

beforeAll(async () => {
  models = await openNodeModels({ modelsDir })
})

afterAll(() => models.dispose())

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, k) => sum + value * b[k]!, 0)
const greatest = (a: ArrayLike<number>, b: ArrayLike<number>) => Math.max(...Array.from(a, (value, k) => Math.abs(value - b[k]!)))

/** What the neighbours in a run may change. */
const tiny = 1e-5

const odd = [
  '',
  ' \n\t',
  '🍵🫖 tea 👩‍👩‍👧',
  '我喜欢喝茶，不喜欢咖啡。',
  'half \uD83D and \uDE00 half',
  '\u0000\uFFFD\u200B',
  'x'.repeat(5000),
  '[SEP] [CLS] <|im_end|>',
]

test('every model answers as its reference says', () => {
  const { models: loaded, missing } = models.status()
  expect(missing).toEqual([])
  expect(loaded.map(({ role, device, selfTest }) => [role, device, selfTest])).toEqual(
    ['embedder', 'embedder-zh', 'nli', 'evidence', 'lm'].map(role => [role, 'cpu', 'passed']),
  )
  expect(models.has).toEqual({ embedder: true, 'embedder-zh': true, nli: true, evidence: true, lm: true })
  expect(models.vectorStamp).toMatch(/^[\w.-]+@[0-9a-f]+\/\w+\+[\w.-]+@[0-9a-f]+\/\w+$/)
})

test('a model that is left out is neither there nor missing, and its call is refused', async () => {
  const small = await openNodeModels({ modelsDir, roles: ['evidence'] })
  expect(small.has).toEqual({ embedder: false, nli: false, evidence: true, lm: false })
  expect(small.status().missing).toEqual([])
  expect(small.dimensions).toBe(0)
  expect(small.countTokens('tea 🍵')).toBe(3)
  await expect(small.embed(['a'], 'query')).rejects.toMatchObject({ code: 'ModelMissing' })
  await small.dispose()
  await expect(small.relevance('a', ['b'])).rejects.toMatchObject({ code: 'Closed' })
})

describe('embedder', () => {
  test('vectors have length 1 and nearness follows meaning', async () => {
    const [coffee, espresso, tax] = await models.embed(
      ['I like drinking coffee.', 'Espresso is what I love.', 'My tax return is late.'],
      'passage',
    )
    expect(coffee).toHaveLength(models.dimensions)
    expect(Math.hypot(...coffee!)).toBeCloseTo(1, 5)
    expect(cosine(coffee!, espresso!)).toBeGreaterThan(cosine(coffee!, tax!) + 0.1)
  })

  test('a vector does not depend on what else is embedded', async () => {
    const texts = [
      'tea',
      'I like drinking coffee.',
      'A much longer text about a walk along the canal with the dog on a rainy day in March.',
    ]
    const together = await models.embed([...texts, ...odd], 'passage')
    for (const [k, text] of texts.entries()) expect(greatest(together[k]!, (await models.embed([text], 'passage'))[0]!)).toBeLessThan(tiny)
  })

  test('queries carry the prefix', async () => {
    const [query] = await models.embed(['what do I drink?'], 'query')
    const [passage] = await models.embed(['what do I drink?'], 'passage')
    const [prefixed] = await models.embed(['Represent this sentence for searching relevant passages: what do I drink?'], 'passage')
    expect(greatest(query!, prefixed!)).toBeLessThan(tiny)
    expect(greatest(query!, passage!)).toBeGreaterThan(0.001)
  })

  test('what lies beyond the longest input changes nothing', async () => {
    const long = 'the tide comes in and the tide goes out again '.repeat(60)
    const [a, b, c] = await models.embed([long, `${long} and something wholly different`, `wholly different ${long}`], 'passage')
    expect(greatest(a!, b!)).toBeLessThan(tiny)
    expect(greatest(a!, c!)).toBeGreaterThan(0)
  })

  test('200 kB of text give the vector of their first page', async () => {
    const text = 'a quiet morning by the sea '
    const [page, book] = await models.embed([text.repeat(200), text.repeat(7500)], 'passage')
    expect(greatest(page!, book!)).toBeLessThan(tiny)
  })

  test('any text gives a vector', async () => {
    for (const vector of await models.embed(odd, 'passage')) expect(Math.hypot(...vector)).toBeCloseTo(1, 4)
    expect(await models.embed([], 'passage')).toEqual([])
  })

  test('a lone surrogate is the replacement character', async () => {
    const [lone, replaced] = await models.embed(['half \uD83D of it', 'half \uFFFD of it'], 'passage')
    expect(greatest(lone!, replaced!)).toBeLessThan(tiny)
  })
})

describe('nli', () => {
  test('contradiction, entailment and neither are told apart', async () => {
    const [moved, same, other] = await models.entail([
      ['I moved to Denver last week.', 'I live in Boston.'],
      ['I drink green tea every morning.', 'I drink tea.'],
      ['My brother plays the cello.', 'I have a dog.'],
    ])
    expect(moved!.contradiction).toBeGreaterThan(0.5)
    expect(same!.entailment).toBeGreaterThan(0.5)
    expect(other!.neutral).toBeGreaterThan(0.5)
  })

  test('probabilities add up to 1 for any text, alone or among others', async () => {
    const pairs = odd.flatMap(a => odd.slice(0, 4).map(b => [a, b] as const))
    const together = await models.entail(pairs)
    for (const { contradiction, entailment, neutral } of together) expect(contradiction + entailment + neutral).toBeCloseTo(1, 6)
    const [alone] = await models.entail([pairs[13]!])
    expect(greatest(Object.values(alone!), Object.values(together[13]!))).toBeLessThan(tiny)
  })

  test('an empty hypothesis is still a pair', async () => {
    const [empty, full] = await models.entail([
      ['I like tea.', ''],
      ['I like tea.', 'I like tea.'],
    ])
    expect(empty!.entailment).toBeLessThan(full!.entailment)
  })
})

describe('evidence', () => {
  test('what bears on the request is above what does not', async () => {
    const [cat, printer] = await models.relevance('What is the name of my cat?', [
      'We called the kitten Biscuit.',
      'The printer is out of ink.',
    ])
    expect(cat!).toBeGreaterThan(printer! + 2)
  })

  test('any text gives a number, alone or among others', async () => {
    const logits = await models.relevance('tea?', odd)
    for (const logit of logits) expect(Number.isFinite(logit)).toBe(true)
    expect(greatest(await models.relevance('tea?', [odd[3]!]), [logits[3]!])).toBeLessThan(tiny)
    expect(await models.relevance('tea?', [])).toEqual([])
  })
})

describe('lm', () => {
  test('what fits the context is likelier than what does not, and likelier than without it', async () => {
    const context = 'I moved to Lisbon and learn Portuguese.'
    const [fits, strange, prior] = await models.logProbability([
      [context, 'Which language do I learn?'],
      [context, 'purple seven of fridge quickly?'],
      ['', 'Which language do I learn?'],
    ])
    expect(fits!).toBeGreaterThan(strange!)
    expect(fits!).toBeGreaterThan(prior!)
  })

  test('the chain rule holds: p(a⏎b | c) = p(a⏎ | c) · p(b | c⏎a)', async () => {
    const [context, said] = ['My sister works as a nurse.', 'She told me about her long nights.']
    const [near, far] = ['She likes the hospital.', 'Seven purple boats.']
    const [bothNear, bothFar, onlyNear, onlyFar] = (await models.logProbability([
      [context, `${said}\n${near}`],
      [context, `${said}\n${far}`],
      [`${context}\n${said}`, near],
      [`${context}\n${said}`, far],
    ])) as [number, number, number, number]
    // p(a⏎ | c) is the same for both, and it is a probability.
    expect(bothNear - onlyNear).toBeCloseTo(bothFar - onlyFar, 2)
    expect(bothNear).toBeLessThan(onlyNear)
    expect(onlyNear).toBeGreaterThan(onlyFar)
  })

  test('the prior is the same however often and beside whatever it is asked', async () => {
    const pair = ['', 'What do I drink in the morning?'] as const
    const [alone] = await models.logProbability([pair])
    const [, beside] = await models.logProbability([['I drink tea.', pair[1]], pair])
    await models.logProbability([['', 'Another question.']])
    const [again] = await models.logProbability([pair])
    expect(greatest([beside!, again!], [alone!, alone!])).toBeLessThan(1e-3)
  })

  test('an empty target has probability 1, any other text less', async () => {
    const short = odd.filter(text => text.length < 100)
    const values = await models.logProbability(short.map(text => ['I like tea.', text] as const))
    for (const [k, value] of values.entries()) {
      if (short[k]!.trim() === '') expect(value).toBe(0)
      else expect(value).toBeLessThan(0)
    }
  })

  test('a context or a target beyond the longest input is cut, not refused', async () => {
    const long = 'and then we walked on along the river '.repeat(130)
    const [context, target] = await models.logProbability([
      [long, 'Where did we walk?'],
      ['We walked.', long],
    ])
    expect(context!).toBeLessThan(0)
    expect(target!).toBeLessThan(context!)
  })

  test('tokens are counted', () => {
    expect(models.countTokens('')).toBe(0)
    expect(models.countTokens('tea')).toBeGreaterThan(0)
    expect(models.countTokens('I like tea. '.repeat(10))).toBeGreaterThan(5 * models.countTokens('I like tea.'))
  })

  test('a greedy continuation ends at the end of the turn and obeys the limit', async () => {
    const prompt = '<|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\n'
    const answer = await models.generate(prompt, 30)
    expect(answer).toContain('Paris')
    expect(answer).not.toContain('<|')
    const short = await models.generate(prompt, 2)
    expect(models.countTokens(short)).toBeLessThanOrEqual(2)
    expect(answer.startsWith(short)).toBe(true)
    expect(await models.generate(prompt, 0)).toBe('')
  })

  test('each step of a continuation is the likeliest, by the scores of the same model', async () => {
    const [said, others] = ['The capital of France is', [' London', ' a', ' Rome']]
    const [written] = [await models.generate(`\n${said}`, 1)]
    const values = await models.logProbability([written, ...others].map(next => ['', said + next] as const))
    expect(Math.max(...values)).toBe(values[0])
  })
})

test('100 calls at once all answer', async () => {
  const calls = Array.from({ length: 25 }, (_, k) => [
    models.embed([`text ${k}`], 'passage'),
    models.entail([[`I am ${k}.`, 'I am old.']]),
    models.relevance('how old am I?', [`I am ${k}.`]),
    models.logProbability([['', `I am ${k}.`]]),
  ])
  for (const answer of await Promise.all(calls.flat())) expect(answer).toHaveLength(1)
})

test('an abort ends a call between two runs, and later calls answer', async () => {
  const control = new AbortController()
  const texts = Array.from({ length: 200 }, (_, k) => `sentence number ${k} of many`)
  const call = models.embed(texts, 'passage', control.signal)
  setTimeout(() => control.abort(), 20)
  expect(await call.catch(cause => cause)).toBe(control.signal.reason)
  await expect(models.entail([['a', 'b']], AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  expect(await models.embed(['tea'], 'passage')).toHaveLength(1)
})
