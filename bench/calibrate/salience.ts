/**
 * The likelihood controller: how a memory is put before the query for Sal_q, and whether Sal_q is summed or per token. By which memory comes first
 * for a message that needs one, and by how well the best Sal_q tells messages that need a memory from those that do not.
 */

import { join } from 'node:path'
import type { Models } from '../../src/engine/ports.ts'
import { salienceOfQuery } from '../../src/evidence/salience.ts'
import { freshMemory } from '../result.ts'
import { benchRoot, readSet, spread, type Shapes } from '../sets.ts'

/** A memory as context; without one the context of the prior. */
const forms: Record<string, (memory?: string) => string> = {
  'plain: memory ⏎ query': (memory = '') => memory,
  'labelled: "A note about the user: …" ⏎ query': memory => (memory === undefined ? '' : `A note about the user: ${memory}`),
  'dialogue: "The user said: …" ⏎ "The user asks:" ⏎ query': memory =>
    `${memory === undefined ? '' : `The user said: ${memory}\n`}The user asks:`,
}
/** Candidates that are read, as `parameters.salienceCandidates`. */
const read = 8

export async function calibrateSalience(models: Models, lm: Models, limit = 40): Promise<unknown> {
  const set = readSet(join(benchRoot(), 'sets', 'gate.json.gz')) as Shapes['gate']
  const { memory } = await freshMemory({ models })
  for (const [i, text] of set.memory.entries()) await memory.observe({ id: `m${i}`, text, at: i })
  // The i-th query needs the i-th memory.
  const needs = spread([...set.needs.entries()], limit).map(([i, query]) => ({ query, gold: `m${i}` as string | null }))
  const queries = [...needs, ...spread(set.needless, limit).map(query => ({ query, gold: null }))]

  const rows = []
  for (const [n, { query, gold }] of queries.entries()) {
    const { trace } = await memory.recall(query)
    const best = [...trace.candidates].sort((a, b) => (b.parts.evidence ?? -99) - (a.parts.evidence ?? -99)).slice(0, read)
    const pairs = Object.values(forms).flatMap(form =>
      [undefined, ...best.map(({ text }) => text)].map(text => [form(text), query] as const),
    )
    const values = await lm.logProbability(pairs)
    const saliences = Object.keys(forms).map((_, f) => {
      const [prior, ...given] = values.slice(f * (best.length + 1), (f + 1) * (best.length + 1))
      return given.map(value => salienceOfQuery(value, prior!))
    })
    rows.push({ gold, tokens: lm.countTokens(query), right: best.map(({ turns }) => turns.includes(gold ?? '')), saliences })
    console.error(`${n + 1} of ${queries.length}`)
  }

  const found = rows.filter(({ right }) => right.includes(true))
  console.log(
    `n ${needs.length} messages that need a memory, ${queries.length - needs.length} that do not; ${found.length} have theirs among the ${read} read`,
  )
  for (const [f, name] of Object.keys(forms).entries()) {
    const ranks = found.map(({ right, saliences }) => {
      const own = Math.max(...saliences[f]!.filter((_, i) => right[i]))
      return saliences[f]!.filter(value => value > own).length + 1
    })
    const first = mean(ranks.map(rank => Number(rank === 1)))
    console.log(`${name}\n  first ${first.toFixed(3)}, mean 1/rank ${mean(ranks.map(rank => 1 / rank)).toFixed(3)}`)
    for (const [unit, of] of [
      ['summed', () => 1],
      ['per token', (tokens: number) => tokens],
    ] as const) {
      const tops = rows.map(({ gold, tokens, saliences }) => ({
        needed: gold !== null,
        top: Math.max(-Infinity, ...saliences[f]!) / of(tokens),
      }))
      const [yes, no] = [true, false].map(needed => tops.filter(t => t.needed === needed).map(({ top }) => top)) as [number[], number[]]
      console.log(`  ${unit}: area under the curve of the gate ${auc(yes, no).toFixed(3)}; missed ${best(yes, no)}`)
    }
  }
  return rows
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length)

/** How often a message that needs a memory stands above one that does not. */
const auc = (yes: readonly number[], no: readonly number[]) => mean(yes.flatMap(a => no.map(b => (a > b ? 1 : a === b ? 0.5 : 0))))

/** At the lowest τ that lets at most 3 % of the needless through. */
function best(yes: readonly number[], no: readonly number[]): string {
  const tau = [...no].sort((a, b) => b - a)[Math.floor(no.length * 0.03)] ?? -Infinity
  return `${mean(yes.map(value => Number(value <= tau))).toFixed(3)} at τ ${tau.toFixed(2)}, where 3 % are needless`
}
