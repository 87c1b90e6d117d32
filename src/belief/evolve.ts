/** One proposition against the retrieved beliefs: the decision of PreCoMem's loop, as numbers and ids. Nothing is read or written here. */

import type { Parameters } from '../parameters.ts'
import { gate } from './gate.ts'
import { reliability } from './reliability.ts'
import { conflict, replacesIt, support, type Origin, type Relation } from './stance.ts'
import { conflictBound, effectiveSurprisal, rawSurprisal, semanticDeviation } from './surprisal.ts'

/** A belief as retrieved for a proposition. */
export interface Retrieved extends Relation {
  id: string
  /** s(m), with the confidence in it. */
  score: number
  /** Superseded or withdrawn: can be woken, but takes no part in ρ and x. */
  dormant: boolean
  /** The two say the same: each follows from the other. */
  same: boolean
  /** The belief is latent and the statement explicit: the statement deserves a belief of its own, in its clearer words. */
  onlyHint: boolean
}

export interface Decision {
  route: 'maintain' | 'profile' | 'correct'
  /** ρ, S_raw and x. */
  reliability: number
  rawSurprisal: number
  surprisal: number
  /** Beliefs to reinforce, with the support that η is made of. */
  supported: { id: string; support: number }[]
  /** Beliefs to weaken, with the severity ζ. */
  conflicting: { id: string; severity: number }[]
  /** The belief that already says it: reinforced, or woken, in place of a new one. */
  same: string | null
  /** Whether a new belief is made. */
  creates: boolean
}

/** Steps 3 to 5 of design §3. `retrieved` best first; `origin` of the proposition. */
export function decide(retrieved: readonly Retrieved[], origin: Origin, p: Parameters): Decision {
  const awake = retrieved.filter(r => !r.dormant)
  const rho = reliability(
    awake.map(r => r.score),
    p.temperature,
  )
  const raw = rawSurprisal(
    semanticDeviation(awake.map(r => r.similarity)),
    conflictBound(awake.map(r => conflict(r, origin))),
    p.surprisalMix,
  )
  const x = effectiveSurprisal(rho, raw)
  const measured = { reliability: rho, rawSurprisal: raw, surprisal: x }

  const same = retrieved.find(r => r.same && !r.dormant) ?? retrieved.find(r => r.same) ?? null
  const others = awake.filter(r => r !== same)
  // A statement of change says what it replaces: where such a belief is, no other is refuted by it.
  const named = others.filter(replacesIt)
  const conflicting = (named.length > 0 ? named : others)
    .map(r => ({ id: r.id, severity: conflict(r, origin) }))
    .filter(r => r.severity >= p.conflictThreshold)
  const supported = others
    .filter(r => !r.onlyHint)
    .map(r => ({ id: r.id, support: support(r, origin) }))
    .filter(r => r.support >= p.supportThreshold && !conflicting.some(c => c.id === r.id))

  let route = gate(x, p.gateLow, p.gateHigh)
  // A hint is no statement: it can weaken nothing by itself, so it waits as a hypothesis until more hints come.
  if (route === 'correct' && (origin === 'latent' || conflicting.length === 0)) route = 'profile'
  // What says the same as a belief is support, however the retrieval looks.
  if (route === 'profile' && same && !same.dormant && conflicting.length === 0) route = 'maintain'
  // Unsupported but informative: the gate sees no surprise, yet nothing retrieved says it.
  if (route === 'maintain' && !same && supported.length === 0) route = 'profile'
  if (route === 'maintain' && same?.dormant) route = 'profile'
  // A hint that supports something known is support for it, not a hypothesis of its own.
  if (route === 'profile' && origin === 'latent' && supported.length > 0 && conflicting.length === 0) route = 'maintain'

  return {
    route,
    ...measured,
    supported: route === 'maintain' ? supported : [],
    conflicting: route === 'correct' ? conflicting : [],
    same: same?.id ?? null,
    creates: route !== 'maintain' && !same,
  }
}
