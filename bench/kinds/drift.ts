/** `drift`: a person who changes; after each mark the memory is asked for what holds now. */

import type { Memory, Recall, RecalledItem } from '../../src/memory.ts'
import { answeredValue, mean, median, names } from '../metrics.ts'
import { freshMemory, summarise, type BenchContext, type Result } from '../result.ts'
import type { Persona, Probe } from '../sets.ts'
import { turnTimes } from '../times.ts'

/** A change that is not answered rightly after so many turns counts as so many. */
const recoveryHorizon = 50
/** N_eff is read every so many turns. */
const sizeEvery = 50

export async function drift({ personas }: { personas: Persona[] }, context: BenchContext): Promise<Result> {
  const { limit = Infinity, progress } = context
  const total = personas.reduce((sum, persona) => sum + Math.min(limit, persona.turns.length), 0)
  let done = 0
  const rows: Parameters<typeof summarise>[0][number][] = []
  const recoveries: number[] = []
  const drifts: { mentions: number; right: boolean }[] = []
  const sizes: number[][] = []
  let noise = { turns: 0, beliefs: 0 }

  for (const persona of personas) {
    const { memory, clock } = await freshMemory(context)
    const turns = persona.turns.slice(0, limit)
    const times = turnTimes(turns.map(turn => turn.time))
    const stated = new Map(turns.map(turn => [id(turn.t), turn.value]))
    const ask = async (probe: Pick<Probe, 'query' | 'current' | 'stale'>) =>
      verdict(await memory.recall(probe.query), probe, turn => stated.get(turn))
    const probes = persona.probes.filter(probe => !(probe.open ?? false) && probe.at <= turns.length)
    const lastMark = Math.max(...probes.map(probe => probe.at))
    let waiting: { since: number; probe: Probe }[] = []
    const drifting = new Map<string, { probe: Probe; mentions: number; right: boolean }>()

    for (const [i, turn] of turns.entries()) {
      clock.now = times[i]!
      const { changes } = await memory.observe({ id: id(turn.t), text: turn.text, at: clock.now })
      if (turn.act === 'noise')
        noise = { turns: noise.turns + 1, beliefs: noise.beliefs + changes.filter(c => c.kind === 'created').length }

      if (turn.act === 'change' && turn.value !== undefined) {
        recoveries.push(...waiting.filter(w => w.probe.slot === turn.slot).map(() => recoveryHorizon))
        waiting = waiting.filter(w => w.probe.slot !== turn.slot)
        const probe = afterChange(persona.probes, turn.slot, turn.value, turn.t)
        if (probe !== undefined) waiting.push({ since: turn.t, probe })
      }
      const still: typeof waiting = []
      for (const w of waiting) {
        if ((await ask(w.probe)).right) recoveries.push(turn.t - w.since)
        else if (turn.t - w.since >= recoveryHorizon) recoveries.push(recoveryHorizon)
        else still.push(w)
      }
      waiting = still

      // A drift: a new value is hinted at, once and again, until it is what is answered.
      const key = `${turn.slot}: ${turn.value}`
      if (turn.act === 'cue' && turn.value !== undefined && !drifting.has(key)) {
        const probe = afterChange(persona.probes, turn.slot, turn.value, turn.t)
        if (probe !== undefined) drifting.set(key, { probe, mentions: 0, right: false })
      }
      const drift = drifting.get(key)
      if (drift && !drift.right && (turn.act === 'cue' || turn.act === 'support')) {
        drift.mentions++
        drift.right = (await ask(drift.probe)).right
      }

      for (const probe of probes.filter(p => p.at === turn.t + 1)) {
        const { right, rightUngated, stale } = await ask(probe)
        rows.push({
          category: probe.kind,
          values: {
            finalAccuracy: probe.at === lastMark ? Number(right) : null,
            trajectoryAccuracy: Number(right),
            trajectoryAccuracyUngated: Number(rightUngated),
            staleInContext: Number(stale),
          },
        })
      }
      if ((turn.t + 1) % sizeEvery === 0) (sizes[(turn.t + 1) / sizeEvery - 1] ??= []).push(await effectiveSize(memory))
      progress(++done, total)
    }
    // Changes near the end of a persona that were not answered rightly yet.
    recoveries.push(...waiting.map(() => recoveryHorizon))
    drifts.push(...drifting.values())
    await memory.close()
  }

  const result = summarise(rows)
  const recoveryTurns = median(recoveries)
  if (recoveryTurns !== null) result.metrics['recoveryTurns'] = recoveryTurns
  const mentions = median(drifts.map(drift => (drift.right ? drift.mentions : Infinity)))
  if (mentions !== null && Number.isFinite(mentions)) result.metrics['driftMentions'] = mentions
  if (drifts.length > 0) result.metrics['driftWithin4'] = drifts.filter(d => d.right && d.mentions <= 4).length / drifts.length
  if (noise.turns > 0) result.metrics['noiseStored'] = (100 * noise.beliefs) / noise.turns
  const nEff = sizes.map(size => mean(size)!)
  result.metrics['nEff'] = nEff
  const points = nEff.map((size, i): [number, number] => [(i + 1) * sizeEvery, size])
  result.curves = [
    { name: 'n-eff', title: 'Effective size of the memory', x: 'turn', y: 'N_eff = Σ w', lines: [{ name: 'N_eff', points }] },
  ]
  return result
}

const id = (t: number) => `t${t}`

const effectiveSize = async (memory: Memory) => (await memory.status()).effectiveBeliefs

/** The memories that were returned, best first: what the assistant is shown. Ungated: every candidate, as if the gate were always open. */
const returned = ({ beliefs, turns }: Recall): RecalledItem[] => [...beliefs, ...turns].sort((a, b) => b.score - a.score)

function verdict(recall: Recall, probe: Pick<Probe, 'current' | 'stale'>, stated: (turn: string) => string | undefined) {
  const values = [probe.current, ...probe.stale]
  return {
    right: answeredValue(returned(recall), values, stated) === probe.current,
    rightUngated: answeredValue(recall.trace.candidates, values, stated) === probe.current,
    stale: probe.stale.some(value => names(recall.prompt, value)),
  }
}

/** What to ask after a change of a slot: the question of its next probe, with the new value as the right one. */
function afterChange(probes: Probe[], slot: string | undefined, value: string, t: number): Probe | undefined {
  const ofSlot = probes.filter(probe => probe.slot === slot)
  const next = ofSlot.find(probe => probe.at > t) ?? ofSlot.at(-1)
  const values = new Set(ofSlot.flatMap(probe => [probe.current, ...probe.stale]))
  return next && { ...next, current: value, stale: [...values].filter(other => other !== value) }
}
