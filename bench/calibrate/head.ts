/** The learned head and τ (src/evidence/head.ts, parameters): signals of a candidate to the log-odds that it is evidence. */

import { join } from 'node:path'
import type { Models } from '../../src/engine/ports.ts'
import { features } from '../../src/evidence/head.ts'
import type { Memory, RecalledItem } from '../../src/memory.ts'
import { freshMemory } from '../result.ts'
import { benchRoot, readSet, type Chat, type Persona } from '../sets.ts'
import { turnTimes } from '../times.ts'
import { dot, fitChoice, type Choice } from './choice.ts'

/** A query with its candidates: which of them are evidence; `needed` null where the set does not say. */
interface Asked {
  set: string
  odd: boolean
  needed: boolean | null
  candidates: { features: number[]; evidence: boolean }[]
}

const retrieval = [
  { set: 'locomo', chats: 4, queries: 60 },
  { set: 'beam100k', chats: 10, queries: 20 },
  { set: 'prefeval-one', chats: 40, queries: 1 },
  { set: 'prefeval-all', chats: 1, queries: 120 },
  { set: 'memdaily', chats: 4, queries: 20 },
]

export async function calibrateHead(models: Models): Promise<Asked[]> {
  const asked: Asked[] = []
  for (const { set, chats, queries } of retrieval) {
    const all = (readSet(join(benchRoot(), 'sets', `${set}.json.gz`)) as Chat[]).slice(0, chats)
    for (const [i, chat] of all.entries()) asked.push(...(await askChat(models, set, chat, queries, chats > 1 ? i % 2 === 1 : undefined)))
    console.error(`${set}: ${asked.length} queries so far`)
  }
  asked.push(...(await askGate(models)))
  asked.push(...(await askPersonas(models)))

  const choices = toChoices(asked.filter(a => !a.odd))
  const head = fitChoice(choices)
  console.log(`head: [${head.map(w => w.toFixed(3)).join(', ')}]   (n ${choices.length} queries of the even half)`)
  for (const odd of [false, true]) {
    console.log(odd ? 'odd half, not fitted:' : 'even half, fitted:')
    for (const set of [...new Set(asked.map(a => a.set))]) report(set, asked.filter(a => a.set === set && a.odd === odd), head) // prettier-ignore
  }
  return asked
}

/** Each set weighs the same. Queries whose evidence was not found teach nothing. */
function toChoices(asked: readonly Asked[]): Choice[] {
  const usable = asked.filter(a => a.candidates.length > 0 && (a.needed === false || a.candidates.some(c => c.evidence)))
  return usable.map(({ set, candidates }) => ({
    features: candidates.map(c => c.features),
    right: candidates.map(c => c.evidence),
    weight: 1 / usable.filter(a => a.set === set).length,
  }))
}

function report(set: string, asked: readonly Asked[], head: readonly number[]): void {
  if (asked.length === 0) return
  const scored = asked.map(a => ({ ...a, scores: a.candidates.map(c => dot(head, c.features)) }))
  const ranks = scored
    .filter(a => a.candidates.some(c => c.evidence))
    .map(({ candidates, scores }) => {
      const right = Math.max(...scores.filter((_, i) => candidates[i]!.evidence))
      return scores.filter(s => s > right).length
    })
  const within = (k: number) => (ranks.filter(r => r < k).length / Math.max(1, ranks.length)).toFixed(3)
  const rank = (ranks.reduce((sum, r) => sum + 1 / (r + 1), 0) / Math.max(1, ranks.length)).toFixed(3)
  const needed = (wanted: boolean, tau: number) => {
    const list = scored.filter(a => (a.needed !== false) === wanted)
    return list.length > 0 ? (list.filter(a => Math.max(-Infinity, ...a.scores) > tau).length / list.length).toFixed(2) : '–'
  }
  const curve = [-1, -0.5, 0, 0.5, 1, 1.5].map(tau => `${tau}: ${needed(true, tau)}/${needed(false, tau)}`)
  console.log(`  ${set}: n ${ranks.length}, first hit at 1 ${within(1)}, in 5 ${within(5)}, in 10 ${within(10)}, mean 1/rank ${rank}`)
  console.log(`    called needed by τ, of those that need memory / that do not: ${curve.join('  ')}`)
}

const signals = ({ parts }: RecalledItem) => features(parts)

async function askChat(models: Models, set: string, chat: Chat, limit: number, odd: boolean | undefined): Promise<Asked[]> {
  const { memory, clock } = await freshMemory({ models })
  const times = turnTimes(chat.turns.map(turn => turn.time))
  for (const [i, turn] of chat.turns.entries()) {
    clock.now = times[i]!
    const speaker = turn.speaker === undefined ? {} : { speaker: turn.speaker }
    await memory.observe({ id: `${turn.id}`, text: turn.text, role: turn.role ?? 'user', at: clock.now, ...speaker })
  }
  const asked: Asked[] = []
  for (const [i, query] of chat.queries.slice(0, limit).entries()) {
    const gold = new Set((query.evidence ?? []).map(String))
    asked.push(await ask(memory, set, odd ?? i % 2 === 1, query.text, c => c.turns.some(t => gold.has(t)), query.answerable ?? true))
  }
  return asked
}

async function ask(
  memory: Memory,
  set: string,
  odd: boolean,
  query: string,
  evidence: (c: RecalledItem) => boolean,
  needed: boolean | null,
): Promise<Asked> {
  const { trace } = await memory.recall(query)
  return { set, odd, needed, candidates: trace.candidates.map(c => ({ features: signals(c), evidence: evidence(c) })) }
}

async function askGate(models: Models): Promise<Asked[]> {
  const set = readSet(join(benchRoot(), 'sets', 'gate.json.gz')) as { memory: string[]; needs: string[]; needless: string[] }
  const { memory } = await freshMemory({ models })
  for (const [i, text] of set.memory.entries()) await memory.observe({ id: `m${i}`, text, at: i })
  const asked: Asked[] = []
  // The i-th query needs the i-th memory.
  for (const [i, query] of set.needs.entries())
    asked.push(await ask(memory, 'gate', i % 2 === 1, query, c => c.turns.includes(`m${i}`), true))
  for (const [i, query] of set.needless.entries()) asked.push(await ask(memory, 'gate', i % 2 === 1, query, () => false, false))
  return asked
}

async function askPersonas(models: Models): Promise<Asked[]> {
  const { personas } = readSet(join(benchRoot(), 'sets', 'drift-5x350.json.gz')) as { personas: Persona[] }
  const asked: Asked[] = []
  for (const [i, persona] of personas.slice(0, 2).entries()) {
    const { memory } = await freshMemory({ models })
    for (const turn of persona.turns) {
      await memory.observe({ id: `t${turn.t}`, text: turn.text, at: turn.t * 60_000 })
      for (const probe of persona.probes.filter(p => p.at === turn.t + 1 && !p.open)) {
        const gold = new Set(
          persona.turns.filter(t => t.t <= turn.t && t.slot === probe.slot && t.value === probe.current).map(t => `t${t.t}`),
        )
        asked.push(await ask(memory, 'drift', i % 2 === 1, probe.query, c => c.turns.some(t => gold.has(t)), true))
      }
    }
  }
  return asked
}
