/** Belief evolution on real language, by the real models. */

import { describe, expect, it } from 'vitest'
import { hour, models, open, say, start } from './open.ts'

const coffee = [
  'I like drinking coffee.',
  'I drink coffee every morning.',
  'I love my coffee.',
  'Another coffee, please, an americano as always.',
  'My stomach was upset, so I tried green tea today and it felt really good.',
  'I had another green tea this afternoon, it was lovely.',
  'Green tea again this morning.',
  'I have completely given up coffee, from now on I only drink tea.',
]

describe('from coffee to tea', () => {
  it('goes MAINTAIN, PROFILE, MAINTAIN, MAINTAIN with promotion, CORRECT', async () => {
    const { memory, clock } = await open()
    const observed = await say(memory, clock, ...coffee)
    const routes = observed.map(o => o.propositions.map(p => p.route).join())
    expect(routes.slice(3)).toEqual(['maintain', 'profile', 'maintain', 'maintain', 'correct'])

    const hypothesis = observed[4]!.changes[0]!
    expect(hypothesis).toMatchObject({ kind: 'created', before: null })
    expect(hypothesis.after).toBeGreaterThanOrEqual(0.5)
    expect(hypothesis.after).toBeLessThanOrEqual(0.59)
    expect(observed[5]!.changes).toMatchObject([{ belief: hypothesis.belief, kind: 'reinforced' }])
    expect(observed[6]!.changes).toMatchObject([{ belief: hypothesis.belief, kind: 'promoted' }])

    const last = observed[7]!.propositions[0]!
    expect(last.reliability).toBeGreaterThan(0.7)
    expect(last.surprisal).toBeGreaterThan(0.6)

    const { needed, beliefs, prompt } = await memory.recall('what do I like to drink?')
    expect(needed).toBe(true)
    expect((await memory.belief(beliefs[0]!.id)).text).toBe(coffee[7])
    expect(beliefs[0]!.text).toBe('from now on I only drink tea.')
    expect(prompt).not.toContain('I like drinking coffee.')

    const past = (await memory.beliefs({ past: true, text: 'coffee' })).find(b => b.text === coffee[0])!
    expect(past.supersededBy).toBe(beliefs[0]!.id)
    expect(past.confidence).toBeLessThan(0.3)
    const { evidence } = await memory.explain(past.id)
    expect(evidence[0]).toMatchObject({ stance: 'supports', quote: coffee[0] })
    expect(evidence.at(-1)).toMatchObject({ stance: 'contradicts', quote: coffee[7] })
  })

  it('gives the same bank bit for bit for the same turns in the same order', async () => {
    const banks = []
    for (let run = 0; run < 2; run++) {
      const { memory, clock } = await open()
      await say(memory, clock, ...coffee)
      banks.push(await memory.export())
    }
    expect(banks[0]).toEqual(banks[1])
  })
})

describe('invariants', () => {
  it('observing a turn again changes nothing', async () => {
    const { memory } = await open()
    const turn = { id: 'a', text: 'I live in Boston.', at: start }
    await memory.observe(turn)
    const before = await memory.export()
    expect(await memory.observe(turn)).toEqual({ turn: 'a', repeated: true, propositions: [], changes: [] })
    expect(await memory.observe({ ...turn, text: 'something else' })).toMatchObject({ repeated: true })
    expect(await memory.export()).toEqual(before)
  })

  it('recall alone never changes a confidence', async () => {
    const { memory, clock } = await open()
    await say(memory, clock, 'I am allergic to peanuts.')
    const before = await memory.export()
    for (let i = 0; i < 5; i++) await memory.recall('Can I eat this peanut bar?')
    expect(await memory.export()).toEqual(before)
  })

  it('the same words twice are one belief, surer than before', async () => {
    const { memory, clock } = await open()
    await say(memory, clock, 'I play the cello.', 'I play the cello.')
    const beliefs = await memory.beliefs()
    expect(beliefs).toHaveLength(1)
    const { evidence, trail } = await memory.explain(beliefs[0]!.id)
    expect(evidence).toHaveLength(2)
    expect(trail[1]!.confidence).toBeGreaterThan(trail[0]!.confidence)
  })

  it.each([
    ['I live in Boston.', 'My dog is called Rex.'],
    ['I like coffee.', 'I like tea.'],
    ['I work as a nurse.', 'I am allergic to peanuts.'],
    ['My brother lives in Madrid.', 'I have never been to Spain.'],
    ['I play the cello.', 'I drive an old Volvo.'],
  ])('two unrelated statements stay two beliefs: %s %s', async (first, second) => {
    const { memory, clock } = await open()
    await say(memory, clock, first, second)
    const beliefs = await memory.beliefs()
    expect(beliefs.map(b => b.text).sort()).toEqual([first, second].sort())
    expect(beliefs.every(b => b.confidence >= 0.6)).toBe(true)
  })

  it.each([
    ['I live in Boston.', 'I moved to Denver last week.', 'Where do I live?', 'Boston'],
    [
      'Please write to me in tables.',
      "I've changed my mind about tables, I want bullet points instead.",
      'How should the reply be formatted?',
      'in tables',
    ],
    ['I drive an old Volvo.', 'I sold the Volvo, I ride a bike now.', 'How do I get to work?', 'an old Volvo'],
  ])('a superseded value never reaches the prompt: %s → %s', async (old, now, query, stale) => {
    const { memory, clock } = await open({ parameters: { learnedThreshold: -100 } })
    await say(memory, clock, old, now)
    const { prompt, beliefs, trace } = await memory.recall(query)
    expect((await memory.belief(beliefs[0]!.id)).text).toBe(now)
    expect(prompt).not.toContain(stale)
    expect(trace.candidates.some(c => c.text === old)).toBe(false)
    expect((await memory.history(beliefs[0]!.id)).map(b => b.text)).toEqual([old, now])
  })

  it('a contradiction leaves a belief about the subject', async () => {
    const { memory, clock } = await open()
    await say(memory, clock, 'I live in Boston.', 'I moved to Denver last week.', 'I moved to Lyon yesterday.')
    const current = await memory.beliefs()
    expect(current.map(b => b.text)).toEqual(['I moved to Lyon yesterday.'])
  })

  it('wakes the old belief when the old value comes back, instead of making a third', async () => {
    const { memory, clock } = await open()
    await say(memory, clock, 'I live in Boston.', 'I moved to Denver last week.', 'I live in Boston.')
    expect((await memory.beliefs()).map(b => b.text)).toEqual(['I live in Boston.'])
    expect(await memory.beliefs({ past: true })).toHaveLength(2)
  })

  it('only the words of the user become beliefs', async () => {
    const { memory } = await open()
    const observed = [
      await memory.observe({ role: 'assistant', text: 'I live in Boston and you are allergic to nuts.' }),
      await memory.observe({ role: 'system', text: 'The user is allergic to nuts.' }),
      await memory.observe({ role: 'tool', text: 'I live in Boston.' }),
    ]
    expect(observed.flatMap(o => o.propositions.map(p => p.reason))).toEqual(['not-user', 'not-user', 'not-user'])
    expect(await memory.beliefs()).toEqual([])
    // What the assistant said can be found again, as a turn.
    expect((await memory.recall('Where do you live?')).trace.candidates.map(c => c.kind)).toEqual(['turn'])
  })

  it('what came out of our own prompt block is never stored', async () => {
    const { memory, clock } = await open({ parameters: { learnedThreshold: -100 } })
    await say(memory, clock, 'I am allergic to peanuts.')
    const { prompt } = await memory.recall('Can I eat peanuts?')
    expect(prompt).toContain('peanuts')
    const before = await memory.beliefs()
    const observation = await memory.observe({ text: `${prompt}\nMy dog is called Rex.` })
    expect(observation.propositions.map(p => p.reason ?? p.text)).toEqual(['recalled', 'My dog is called Rex.'])
    expect((await memory.beliefs()).length).toBe(before.length + 1)
  })

  it('no single observation makes a hypothesis a fact, and confidences stay in (0, 1]', async () => {
    const { memory, clock } = await open()
    for (const observation of await say(memory, clock, ...coffee, 'I have two sisters.', 'I moved to Denver last week.')) {
      for (const { kind, before, after } of observation.changes) {
        if (after !== null) expect(after > 0 && after <= 1).toBe(true)
        if (kind === 'promoted') expect(before).toBeGreaterThan(0)
      }
    }
  })
})

describe('life cycle', () => {
  it('lets a hint fade and prunes it, and keeps what was stated', async () => {
    const { memory, clock } = await open({ parameters: { decayRate: 0.05 } })
    await say(memory, clock, 'I am allergic to peanuts.', 'Had a green smoothie today and it felt really good.')
    const [hint] = await memory.beliefs({ kind: 'hypothesis', text: 'smoothie' })
    expect(hint).toMatchObject({ origin: 'latent', protected: false })
    const changes = (await say(memory, clock, ...Array<string>(12).fill('Thanks!'))).flatMap(o => o.changes)
    expect(changes).toMatchObject([{ belief: hint!.id, kind: 'pruned', after: null }])
    expect((await memory.beliefs()).map(b => b.text)).toEqual(['I am allergic to peanuts.'])
    await expect(memory.explain(hint!.id)).rejects.toMatchObject({ code: 'NotFound' })
  })

  it('a dated event ends by its date', async () => {
    const { memory, clock } = await open({ parameters: { learnedThreshold: -100 } })
    await say(memory, clock, 'I have a dentist appointment tomorrow.')
    expect((await memory.recall('When is my dentist appointment?')).beliefs).toHaveLength(1)
    clock.now += 72 * hour
    expect(await memory.beliefs()).toEqual([])
    const [observation] = await say(memory, clock, 'Thanks!')
    expect(observation!.changes).toMatchObject([{ kind: 'expired' }])
    expect((await memory.recall('When is my dentist appointment?')).beliefs).toEqual([])
  })
})

describe('granularity', () => {
  it('by turn, the whole message is one unit', async () => {
    const text = 'I live in Boston. I play the cello.'
    const byTurn = await (await open({ granularity: 'turn' })).memory.observe({ text })
    const byProposition = await (await open()).memory.observe({ text })
    expect(byTurn.propositions.map(p => p.text)).toEqual([text])
    expect(byProposition.propositions.map(p => p.text)).toEqual(['I live in Boston.', 'I play the cello.'])
  })

  it('cites the exact place of each statement', async () => {
    const { memory } = await open()
    const text = 'Hi! I live in Boston, by the way. What is the weather like?'
    const { propositions } = await memory.observe({ id: 'm', text })
    for (const p of propositions) expect(text.slice(...p.span)).toBe(p.text)
    const [belief] = await memory.beliefs()
    const { evidence } = await memory.explain(belief!.id)
    expect(evidence).toMatchObject([{ turn: 'm', quote: belief!.text, role: 'user' }])
  })
})

describe('several speakers', () => {
  it('never contradict each other', async () => {
    const { memory } = await open()
    await memory.observe({ text: 'I live in Boston.', speaker: 'Ann', at: start })
    await memory.observe({ text: 'I live in Denver.', speaker: 'Ben', at: start + hour })
    expect((await memory.beliefs()).map(b => [b.speaker, b.text])).toEqual(
      expect.arrayContaining([
        ['Ann', 'I live in Boston.'],
        ['Ben', 'I live in Denver.'],
      ]),
    )
    await memory.observe({ text: 'I moved to Lyon last week.', speaker: 'Ann', at: start + 2 * hour })
    expect((await memory.beliefs({ speaker: 'Ben' })).map(b => b.text)).toEqual(['I live in Denver.'])
    expect((await memory.beliefs({ speaker: 'Ann' })).map(b => b.text)).toEqual(['I moved to Lyon last week.'])
  })
})

describe('a language that the NLI model cannot read', () => {
  it('goes through every step without it, and both statements are kept rather than one guessed away', async () => {
    const { memory, clock } = await open()
    const observed = await say(memory, clock, '我住在北京。', '我搬到上海了。', '我喜欢喝茶。', '谢谢！')
    expect(observed.map(o => o.propositions.map(p => p.route).join())).toEqual(['profile', 'profile', 'profile', 'ignored'])
    expect((await memory.beliefs()).map(b => b.text).sort()).toEqual(['我住在北京。', '我搬到上海了。', '我喜欢喝茶。'].sort())
    const recalled = await memory.recall('我喜欢喝什么茶？')
    expect(recalled).toMatchObject({ needed: true, trace: { controller: 'lexical' } })
    expect(recalled.beliefs[0]!.text).toBe('我喜欢喝茶。')
    const readers = (await memory.status()).models.filter(model => model.languages.includes('zh'))
    expect(readers.map(model => model.role)).toEqual(['embedder-zh'])
  })
})

describe('without models', () => {
  it('stores and finds by words', async () => {
    const none = { ...(await models()), has: { embedder: false, nli: false, evidence: false, lm: false }, dimensions: 0 }
    const m = await models()
    const { memory } = await open({
      models: Object.assign(Object.create(null), {
        ...none,
        status: () => ({ models: [], missing: [] }),
        countTokens: (t: string) => m.countTokens(t),
      }),
    })
    await memory.observe({ text: 'I am allergic to peanuts.' })
    await memory.observe({ text: '我喜欢喝茶。' })
    expect(await memory.recall('peanut allergy')).toMatchObject({
      needed: true,
      beliefs: [{ text: 'I am allergic to peanuts.' }],
      trace: { controller: 'lexical' },
    })
    expect((await memory.recall('喝茶')).needed).toBe(true)
    expect((await memory.recall('the weather in Oslo')).needed).toBe(false)
  })
})

describe('two matters', () => {
  it.each([
    ['My grocery budget is 300 euros a month.', 'My travel budget is 2,000 euros a year.'],
    ["My mother's birthday is May 4.", "My father's birthday is August 19."],
    ['I drink coffee every morning.', 'I drink tea in the evening.'],
    ['My electricity bill is 120 euros.', 'My water bill is 40 euros.'],
    ['My dentist appointment was moved to March 9.', 'I moved my doctor appointment to March 20.'],
    ['Move my dentist appointment to March 9.', 'My vet appointment is on March 4.'],
    ['My Spanish class starts at 6 pm.', 'My yoga class starts at 8 am.'],
    ['I have a meeting with Bob at 3 on Fridays.', 'I have a meeting with Sue at 10 on Mondays.'],
    ['When I ask for code, use Rust.', 'When I ask for SQL, use Postgres syntax.'],
  ])('are kept side by side: %s %s', async (...texts) => {
    const { memory, clock } = await open()
    await say(memory, clock, ...texts)
    expect((await memory.beliefs()).map(b => b.text).sort()).toEqual([...texts].sort())
  })

  it.each([
    ['My savings goal is 4,000 euros.', 'I raised my savings goal to 5,500 euros.'],
    ['My dentist appointment is on March 2.', 'My dentist appointment was moved to March 9.'],
    ['My savings goal is 4,000 euros.', 'make my savings goal 5,500 euros.'],
    ['Move my dentist appointment to March 9.', 'Move my dentist appointment to March 16.'],
    ['When I ask for code, use Rust.', 'When I ask for code, use Python instead.'],
    ['My job is nursing.', 'My profession is teaching now.'],
  ])('are not one that changed: %s %s', async (...texts) => {
    const { memory, clock } = await open()
    await say(memory, clock, ...texts)
    expect((await memory.beliefs()).map(b => b.text)).toEqual([texts[1]])
  })

  it('a value that was corrected is told when the past is asked for', async () => {
    const { memory, clock } = await open()
    await say(memory, clock, 'My savings goal is 4,000 euros.', 'I raised my savings goal to 5,500 euros.')
    const { strategy, prompt } = await memory.recall('What was my savings goal before?')
    expect(strategy).toBe('past')
    expect(prompt).toContain('no longer true) My savings goal is 4,000 euros.')
    expect((await memory.recall('What is my savings goal?')).prompt).not.toContain('4,000')
  })
})

describe('one remark overturns nothing', () => {
  it.each([
    ["I'm allergic to cats.", "The neighbour's cat sat on my lap and I was fine today."],
    ['I cycle to work.', 'My bike is at the repair shop, so I took the tram today.'],
    ['I take the train to work.', 'The train was cancelled, so I drove to the office today.'],
    ['I have muesli for breakfast.', "We're out of muesli so I just had toast."],
    ['I live alone.', 'My brother is staying with me until Sunday.'],
    ['I live with my flatmate Tom.', 'My cousin Eva is sleeping on our sofa this week.'],
    ['I have two children.', 'My nephew is staying with us this week, so there are three kids in the house.'],
    ['My office is on the third floor.', "They're painting our floor, so I'm sitting on the first floor this week."],
    ['I walk the dog at seven in the morning.', 'I overslept, so the dog went out at nine today.'],
    ['I play guitar in a band.', 'I played bass last night because our bassist was sick.'],
    ['I cook dinner every evening.', 'We ordered pizza tonight because I was too tired to cook.'],
    ['I study law.', 'Sat in on a philosophy lecture today with my roommate.'],
    ['I shop at Aldi.', 'The queue at Lidl was endless when I did my groceries.'],
    ['I work from the office.', 'My home desk is too low, my back hurts after a day of meetings.'],
    ['I use Firefox.', 'My bookmarks in Chrome are a mess.'],
  ])('%s %s', async (held, remark) => {
    const { memory, clock } = await open()
    await say(memory, clock, held, remark)
    const belief = (await memory.beliefs({ past: true })).find(b => b.text === held)!
    expect(belief.supersededBy).toBeUndefined()
    expect(belief.confidence).toBeGreaterThanOrEqual(0.5)
  })

  it.each([
    ['I live in Leeds.', 'I moved to York today.'],
    ['I smoke a pack a day.', 'I quit smoking yesterday.'],
    ['I work as a nurse.', 'I switched jobs last weekend, I am a teacher now.'],
    ['My landlady is Mara.', 'Instead of Mara, Mr Kohl gets the rent from now on.'],
  ])('a change does, whenever it was: %s %s', async (held, change) => {
    const { memory, clock } = await open()
    await say(memory, clock, held, change)
    const [belief] = (await memory.beliefs({ past: true })).filter(b => b.text === held)
    expect(belief!.supersededBy).toBeDefined()
  })
})

describe('hints', () => {
  it('in clipped sentences are of the person: three of them overturn a habit', async () => {
    const { memory, clock } = await open()
    await say(memory, clock, 'I get up at six in the morning.', 'Out of bed at six, went for a run.')
    const observed = await say(
      memory,
      clock,
      'Up at nine again, no alarm.',
      "Nine o'clock and only just out of bed.",
      'Woke up at nine once more.',
    )
    expect(observed.map(o => o.changes.map(c => c.kind))).toEqual([['created'], ['reinforced'], ['promoted', 'weakened']])
    const { beliefs, prompt } = await memory.recall('When do I get up?')
    expect(beliefs.map(b => b.text)).toEqual(['Up at nine again, no alarm.'])
    expect(prompt).not.toContain('six')
  })

  it('add up, whichever beliefs they are taken for', async () => {
    const { memory, clock } = await open()
    await say(memory, clock, 'I drive to work in my old Volvo.', 'Filled up the Volvo on the way to work.')
    const hints = ['Charged my e-bike at the office again.', 'Rode the e-bike to work in the sun.', 'Bought new tyres for the e-bike.']
    await say(memory, clock, ...hints, 'Rode to work on the e-bike once more.')
    const [volvo] = await memory.beliefs({ past: true, text: 'Volvo' })
    const against = (await memory.explain(volvo!.id)).evidence.filter(e => e.stance === 'contradicts')
    // None of them could refute it alone.
    expect(against.length).toBeGreaterThanOrEqual(2)
    expect((await memory.belief(volvo!.supersededBy!)).text).toBe(hints[0])
  })

  it('of what one does say nothing of how one wants to be answered', async () => {
    const { memory, clock } = await open()
    await say(memory, clock, 'Please keep your answers short.', 'I write all my letters by hand.')
    for (let i = 0; i < 4; i++) await say(memory, clock, 'Wrote the whole letter by hand again.', 'Still writing everything on paper.')
    const instruction = (await memory.beliefs()).find(b => b.instruction === true)!
    expect(instruction.text).toBe('Please keep your answers short.')
    expect((await memory.explain(instruction.id)).evidence.map(e => e.stance)).toEqual(['supports'])
  })
})
