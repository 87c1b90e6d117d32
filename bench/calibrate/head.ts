/** The learned head and τ (src/evidence/head.ts, parameters): signals of a candidate to the log-odds that it is evidence. */

import { join } from 'node:path'
import type { Models } from '../../src/engine/ports.ts'
import { features } from '../../src/evidence/head.ts'
import type { Memory, RecalledItem } from '../../src/memory.ts'
import { freshMemory } from '../result.ts'
import { benchRoot, readSet, type Chat, type Persona } from '../sets.ts'
import { turnTimes } from '../times.ts'
import { fit, type Sample } from './logistic.ts'

/** A query with its candidates: which of them are evidence; `needed` null where the set does not say. */
interface Asked {
  set: string
  odd: boolean
  needed: boolean | null
  candidates: { features: number[]; evidence: boolean }[]
}

const retrieval = [
  { set: 'locomo', chats: 4, queries: 60 },
  { set: 'beam100k', chats: 6, queries: 20 },
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

  const samples = asked.filter(a => !a.odd).flatMap(toSamples(asked))
  const head = fit(samples)
  console.log(`head: [${head.map(w => w.toFixed(3)).join(', ')}]   (n ${samples.length} candidates of the even half)`)
  for (const odd of [false, true]) {
    console.log(odd ? 'odd half, not fitted:' : 'even half, fitted:')
    for (const set of new Set(asked.map(a => a.set)))
      report(
        set,
        asked.filter(a => a.set === set && a.odd === odd),
        head,
      )
  }
  return asked
}

/** Each set weighs the same; within it each query, and within that the evidence as much as the rest. */
function toSamples(asked: Asked[]) {
  const perSet = new Map<string, number>()
  for (const { set } of asked) perSet.set(set, (perSet.get(set) ?? 0) + 1)
  return ({ set, candidates }: Asked): Sample[] => {
    const positive = candidates.filter(c => c.evidence).length
    const weight = 1 / perSet.get(set)!
    return candidates.map(c => ({
      features: c.features,
      target: c.evidence ? 1 : 0,
      weight: c.evidence ? weight / positive : weight / (candidates.length - positive),
    }))
  }
}

function report(set: string, asked: Asked[], head: readonly number[]): void {
  if (asked.length === 0) return
  const score = (f: number[]) => head.reduce((sum, w, i) => sum + w * f[i]!, 0)
  const best = asked.map(a => ({ ...a, top: Math.max(-Infinity, ...a.candidates.map(c => score(c.features))) }))
  const found = asked.filter(a => a.candidates.some(c => c.evidence))
  const ranks = found.map(a => {
    const sorted = [...a.candidates].sort((x, y) => score(y.features) - score(x.features))
    return sorted.findIndex(c => c.evidence)
  })
  const rate = (list: typeof best, tau: number) => (list.length > 0 ? (list.filter(a => a.top > tau).length / list.length).toFixed(2) : '–')
  const taus = [-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2]
  const curve = taus.map(
    tau =>
      `${tau}: ${rate(
        best.filter(a => a.needed !== false),
        tau,
      )}/${rate(
        best.filter(a => a.needed === false),
        tau,
      )}`,
  )
  const hit1 = ranks.filter(r => r === 0).length / Math.max(1, ranks.length)
  const hit5 = ranks.filter(r => r < 5).length / Math.max(1, ranks.length)
  console.log(
    `  ${set} n ${asked.length}: first hit at 1 ${hit1.toFixed(3)}, in 5 ${hit5.toFixed(3)} of ${found.length}; share needed by τ (needs/needless) ${curve.join(' ')}`,
  )
}

const signals = ({ parts }: RecalledItem) => features(parts)

async function askChat(models: Models, set: string, chat: Chat, limit: number, odd: boolean | undefined): Promise<Asked[]> {
  const { memory, clock } = await freshMemory(models)
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
  const { memory } = await freshMemory(models)
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
    const { memory } = await freshMemory(models)
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
