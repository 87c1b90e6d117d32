/** N_eff and the routes over time, worked out from an export: the trails tell when each belief moved, and to what. */

import { confidenceAt, decay, decays, fading } from '../belief/lifecycle.ts'
import type { Belief, ChangeKind, PortableMemory, TrailPoint } from '../memory.ts'
import type { Parameters } from '../parameters.ts'
import { causeOf, type Cause } from './route-of.ts'

/** What happened in the messages after the one before, up to and including `tick`. */
export interface Interval {
  /** Number of the last message of the interval. */
  tick: number
  /** N_eff = Σ w after that message. */
  effective: number
  changes: Record<Cause, number>
}

type Trail = TrailPoint & { belief: string }

/** At most `limit` intervals of equal length, the last of which ends at the present. Empty when nothing has happened yet. */
export function overTime(memory: PortableMemory, parameters: Parameters, limit = 60): Interval[] {
  const trails = memory.trails as Trail[]
  if (trails.length === 0) return []
  const last = Math.max(1, memory.tick)
  const length = Math.ceil(last / limit)
  const intervals = Array.from({ length: Math.ceil(last / length) }, (_, i) => empty(Math.min(last, (i + 1) * length)))
  const times = intervals.map(() => 0)
  const intervalOf = (tick: number) => Math.max(0, Math.ceil(tick / length) - 1)

  const trailOf = new Map<string, Trail[]>()
  for (const point of trails) {
    const i = intervalOf(point.tick)
    times[i] = Math.max(times[i]!, point.at)
    intervals[i]!.changes[causeOf(point, parameters.promoteAt)]++
    const own = trailOf.get(point.belief)
    if (own) own.push(point)
    else trailOf.set(point.belief, [point])
  }
  times.forEach((time, i) => (times[i] = Math.max(time, times[i - 1] ?? 0)))
  times[times.length - 1] = Date.parse(memory.exportedAt)
  for (const belief of memory.beliefs as Belief[]) {
    const own = (trailOf.get(belief.id) ?? []).sort((a, b) => a.tick - b.tick)
    let next = 0
    let then: Belief = { ...belief, kind: 'hypothesis', pinned: false }
    for (let i = own[0] ? intervalOf(own[0].tick) : intervals.length; i < intervals.length; i++) {
      const interval = intervals[i]!
      for (; next < own.length && own[next]!.tick <= interval.tick; next++) then = after(then, own[next]!, parameters)
      interval.effective += confidenceAt(then, interval.tick, parameters.decayRate, times[i])
    }
  }
  return intervals
}

const unsupporting: ReadonlySet<ChangeKind> = new Set(['weakened', 'expired', 'retracted', 'merged'])

/** The belief as it stood after one change. */
function after(belief: Belief, { kind, tick, at, confidence }: Trail, { promoteAt, decayRate }: Parameters): Belief {
  const fact = kind === 'promoted' || kind === 'edited' || ((kind === 'created' || kind === 'woken') && confidence >= promoteAt)
  const next: Belief = {
    ...belief,
    kind: fact ? 'fact' : belief.kind,
    pinned: kind === 'pinned' || (belief.pinned && kind !== 'unpinned'),
  }
  // What is no support does not begin decay and fading anew.
  if (unsupporting.has(kind)) {
    const left = (decays(next) ? decay(tick - next.lastSupported, decayRate) : 1) * (next.fades ? fading(next.fades, at) : 1)
    return { ...next, confidence: left > 0 ? Math.min(1, confidence / left) : confidence }
  }
  return { ...next, confidence, lastSupported: tick, ...(next.fades && { fades: { ...next.fades, from: at } }) }
}

const empty = (tick: number): Interval => ({
  tick,
  effective: 0,
  changes: { maintain: 0, profile: 0, correct: 0, lifecycle: 0, hand: 0 },
})
