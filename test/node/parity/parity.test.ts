import { expect, it } from 'vitest'
import { browse, ensureBuilt, type PageGlobals } from '../../../bench/browser.ts'
import { freshMemory } from '../../../bench/result.ts'
import { at } from '../../../scripts/layout.mjs'
import type { Memory, Turn } from '../../../src/memory.ts'
import { openNodeModels } from '../../../src/models/node.ts'

/** The same int8 graphs run on other kernels; a surprisal, a reliability or a confidence may differ by so much. */
const tolerance = 0.02
/**
 * The same for scores (log-odds): a cosine may differ by .01 and counts seven times, a logit of the evidence model by .12 and counts .6 times.
 * Memories whose scores are nearer to each other than this may change places.
 */
const scoreTolerance = 0.25

const texts: [Turn['role'], string][] = [
  ['user', 'I have lived in Tampere for six years.'],
  ['user', 'I work as a bicycle mechanic, and my sister Ilse is a judge.'],
  ['assistant', 'That must be a busy household.'],
  ['user', 'I love coffee, I always start the day with an espresso.'],
  ['user', 'Can you translate this letter for me?'],
  ['user', 'Another espresso before work this morning, as always.'],
  ['user', 'Please always answer me in short sentences.'],
  ['user', 'We have moved, I live in Turku now.'],
  ['user', 'I stopped drinking coffee, tea is what I drink.'],
  ['user', 'thanks!'],
  ['user', 'My flight to Madrid leaves on 3 May at nine.'],
  ['user', 'I am allergic to walnuts.'],
]
const turns = texts.map(([role, text], i): Turn => ({ role: role!, text, id: `m${i}`, at: Date.UTC(2026, 3, 1, 8, i), conversation: 'c' }))
const queries = [
  'What do I like to drink?',
  'Where do I live?',
  'What should I not eat?',
  'What is 17 times 23?',
  'Where did I live before?',
]
const now = Date.UTC(2026, 3, 2)

/** Runs in the page too, so it uses nothing but its arguments. */
async function run(memory: Memory, turns: Turn[], queries: string[], at: number) {
  const propositions = []
  for (const turn of turns) propositions.push(...(await memory.observe(turn)).propositions)
  const recalls = []
  for (const query of queries) recalls.push(await memory.recall(query, { at }))
  return {
    propositions: propositions.map(({ text, route, reason, surprisal, reliability, changes }) => ({
      decided: { text, route, reason, changes: changes.map(({ kind, text }) => `${kind} ${text}`) },
      numbers: [surprisal, reliability, ...changes.flatMap(({ before, after }) => [before ?? 0, after ?? 0])],
    })),
    recalls: recalls.map(({ needed, strategy, prompt, trace }) => ({
      decided: { needed, strategy, prompt },
      candidates: trace.candidates.map(({ kind, text, score }) => ({ memory: `${kind} ${text}`, score })),
    })),
  }
}

it('Node and Chromium make the same of the same chat', async () => {
  const models = await openNodeModels({ modelsDir: at('models') })
  expect(models.status().missing).toEqual([])
  const { memory, clock } = await freshMemory({ models })
  clock.now = now
  const node = await run(memory, turns, queries, now)
  await models.dispose()

  await ensureBuilt()
  await using browsing = await browse()
  const page = await browsing.newPage()
  const opened = await page.evaluateHandle((): Promise<Memory> =>
    (globalThis as unknown as PageGlobals).openMemory({ name: 'parity', device: 'wasm', controller: 'learned' }),
  )
  // The LM may still be loading; it has no part in the learned controller's decisions.
  expect((await opened.evaluate(async m => (await m.status()).missing)).filter(({ role }) => role !== 'lm')).toEqual([])
  const browser = (await page.evaluate(([memory, source, ...rest]) => (new Function(`return ${source}`)() as typeof run)(memory, ...rest), [
    opened,
    run.toString(),
    turns,
    queries,
    now,
  ] as const)) as Awaited<ReturnType<typeof run>>

  expect(browser.propositions.map(p => p.decided)).toEqual(node.propositions.map(p => p.decided))
  expect(new Set(node.propositions.map(p => p.decided.route)).size).toBeGreaterThanOrEqual(3)
  browser.propositions.forEach(({ numbers }, i) =>
    numbers.forEach((value, j) => expect(Math.abs(value - node.propositions[i]!.numbers[j]!)).toBeLessThanOrEqual(tolerance)),
  )

  // The prompt block holds the chosen memories in their order, so these are the same and ranked the same.
  expect(browser.recalls.map(r => r.decided)).toEqual(node.recalls.map(r => r.decided))
  browser.recalls.forEach(({ candidates }, i) => {
    const scores = new Map(node.recalls[i]!.candidates.map(c => [c.memory, c.score]))
    expect(candidates.map(c => c.memory).sort()).toEqual([...scores.keys()].sort())
    candidates.forEach(({ memory, score }, rank) => {
      expect(Math.abs(score - scores.get(memory)!)).toBeLessThanOrEqual(scoreTolerance)
      const above = rank === 0 ? Infinity : scores.get(candidates[rank - 1]!.memory)!
      expect(above).toBeGreaterThanOrEqual(scores.get(memory)! - scoreTolerance)
    })
  })
})
