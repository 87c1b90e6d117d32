/** `reader`: does the built-in model choose the answer that suits the person, with and without what the memory recalls? */

import type { Memory, Recall } from '../../src/memory.ts'
import { freshMemory, summarise, type BenchContext, type Result } from '../result.ts'
import { spread, type PreferenceItem, type PreferenceSet } from '../sets.ts'

/** Preferences of a run without `--limit`, spread over the topics: the language model takes seconds for each. */
export const usual = 120

export async function reader(set: PreferenceSet, context: BenchContext): Promise<Result> {
  const { items, distractors } = parts(set)
  const asked = spread(items, context.limit ?? usual)
  const rows: Parameters<typeof summarise>[0][number][] = []
  for (const [i, item] of asked.entries()) {
    const { question } = item
    const { options, right } = mixed(item, i)
    await using memory = await chatOf(item, distractors, context)
    const recall = await memory.recall(question)
    const chosen = async (recall: Recall) => (await memory.answer(question, { options, recall })).choice
    const told = [...recall.beliefs, ...recall.turns].some(({ turns }) => turns.includes('preference'))
    const alone = await chosen(nothing(recall))
    const given = recall.needed ? await chosen(recall) : alone
    rows.push({
      category: item.topic,
      values: {
        accuracyWithMemory: Number(given === right),
        accuracyWithoutMemory: Number(alone === right),
        accuracyTold: Number((await chosen(only(recall, item.preference))) === right),
        preferenceGiven: Number(told),
        missedRate: Number(!recall.needed),
      },
    })
    context.progress(i + 1, asked.length)
  }
  return summarise(rows)
}

/** A chat that begins with the preference and goes on about other things. */
export async function chatOf(item: PreferenceItem, distractors: readonly string[], context: BenchContext): Promise<Memory> {
  const { memory, clock } = await freshMemory(context)
  const turns = [['preference', item.preference] as const, ...distractors.map((text, n) => [`d${n}`, text] as const)]
  for (const [n, [id, text]] of turns.entries()) {
    clock.now = n * 60_000
    await memory.observe({ id, text, at: clock.now })
  }
  return memory
}

export function parts(set: PreferenceSet): { items: PreferenceItem[]; distractors: string[] } {
  const lists = Array.isArray(set) ? [set] : Object.values(set)
  const items = lists.find(list => Object.hasOwn(list[0] as object, 'mcq')) as PreferenceItem[]
  const chats = lists.filter(list => (list as unknown) !== items).flat() as { turns?: { role: string; text: string }[] }[]
  return { items, distractors: chats.flatMap(({ turns = [] }) => turns.flatMap(({ role, text }) => (role === 'user' ? [text] : []))) }
}

/** The right option has no place of its own. */
export function mixed({ mcq: { options, correct } }: PreferenceItem, by: number): { options: string[]; right: number } {
  const turned = options.map((_, i) => options[(i + by) % options.length]!)
  return { options: turned, right: turned.indexOf(options[correct]!) }
}

export const nothing = (recall: Recall): Recall => ({ ...recall, needed: false, strategy: 'none', beliefs: [], turns: [], prompt: '' })

/** As if this alone had been recalled. */
export function only(recall: Recall, ...texts: string[]): Recall {
  const base = { kind: 'turn', id: '', role: 'user', turns: [], at: 0, confidence: null, past: false } as const
  const parts = {
    fused: 0,
    cosine: 0,
    overlap: 0,
    held: true,
    need: 0,
    evidence: null,
    salience: null,
    confidence: 0,
    nearby: 0,
    newest: 0,
    standing: 0,
    again: 0,
  }
  const turns = texts.map((text, i) => ({ ...base, text, score: -i, parts, turns: [] }))
  return { ...nothing(recall), needed: true, strategy: 'current', turns }
}
