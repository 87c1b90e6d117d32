/** One proposition against the retrieved beliefs: the decision of PreCoMem's loop, as numbers and ids. Nothing is read or written here. */

import type { Parameters } from '../parameters.ts'
import type { Ablation } from './ablation.ts'
import { gate } from './gate.ts'
import { reliability } from './reliability.ts'
import { conflict, mostNew, namesIt, replacesIt, support, type Origin, type Relation } from './stance.ts'
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
  /**
   * The belief is latent and the statement explicit, or the belief tells of the person and the statement instructs the assistant: the statement
   * deserves a belief of its own, in its clearer words.
   */
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
  /** Beliefs that the statement speaks against without weakening them: several together may (see `overtake.ts`). */
  rivals: { id: string; severity: number }[]
  /** The belief that already says it: reinforced, or woken, in place of a new one. */
  same: string | null
  /** Whether a new belief is made. */
  creates: boolean
}

/** Conflict from which a hint counts, together with others (see `overtake.ts`). */
const hinted = 0.2

/** Steps 3 to 5 of design §3. `retrieved` best first; `origin` of the proposition. */
export function decide(retrieved: readonly Retrieved[], origin: Origin, p: Parameters, without?: Ablation): Decision {
  if (without === 'directWrite') return directWrite(retrieved)
  // What is plainly about somebody or something else was not met by the statement, however alike it is built.
  const awake = retrieved.filter(r => !r.dormant && !r.ofOthers)
  // A statement of change says what it replaces, and one that differs in the value alone is built like what it refutes: which belief it is about is
  // not in doubt then, and where such a belief is, no other is refuted.
  const replaced = awake.filter(
    r =>
      !r.same && (replacesIt(r) || (origin === 'explicit' && (r.ofTheSame || r.otherValue) && conflict(r, origin) >= p.conflictThreshold)),
  )
  const scores = awake.map(r => r.score)
  const rho = without === 'withoutReliability' || replaced.length > 0 ? 1 : reliability(scores, p.temperature)
  const raw = rawSurprisal(
    semanticDeviation(awake.map(r => r.similarity)),
    conflictBound(awake.map(r => conflict(r, origin))),
    p.surprisalMix,
  )
  const x = without === 'withoutSurprisal' ? 0 : effectiveSurprisal(rho, raw)
  const measured = { reliability: rho, rawSurprisal: raw, surprisal: x }

  const same = retrieved.find(r => r.same && !r.dormant) ?? retrieved.find(r => r.same) ?? null
  const others = awake.filter(r => r !== same)
  const against = (replaced.length > 0 ? replaced : others).map(r => ({ id: r.id, severity: conflict(r, origin) }))
  const conflicting = against.filter(r => r.severity >= p.conflictThreshold)
  // A hint is one of several: what it says by itself may be less.
  const rivals = origin === 'latent' ? against.filter(r => r.severity >= hinted) : conflicting
  // A hint that names one belief outright (“another green tea”) is about that one, and not about what the cross-encoder takes for alike.
  const plain = origin === 'latent' && awake.some(r => namesIt(r) > 0 && support(r, origin) >= p.supportThreshold)
  const supported = others
    .filter(r => !r.onlyHint && !(plain && namesIt(r) === 0))
    .map(r => ({ id: r.id, covered: r.covered, support: support(r, origin) }))
    .filter(r => r.support >= p.supportThreshold && !conflicting.some(c => c.id === r.id))

  let route = gate(x, p.gateLow, p.gateHigh)
  // A hint is no statement: it can weaken nothing by itself, so it waits as a hypothesis until more hints come.
  const waits = origin === 'latent' && without !== 'withoutProfile'
  if (route === 'correct' && (waits || conflicting.length === 0)) route = 'profile'
  // What says the same as a belief is support, however the retrieval looks.
  if (route === 'profile' && same && !same.dormant && conflicting.length === 0) route = 'maintain'
  // Unsupported but informative: the gate sees no surprise, yet nothing retrieved says it.
  if (route === 'maintain' && !same && supported.length === 0) route = 'profile'
  if (route === 'maintain' && same?.dormant) route = 'profile'
  // What is stated outright and says more than what it supports is a belief of its own besides.
  const adds = route === 'maintain' && origin === 'explicit' && !same && supported.every(r => r.covered < 1 - mostNew)
  if (adds) route = 'profile'
  // A hint that supports something known is support for it, not a hypothesis of its own.
  if (route === 'profile' && waits && supported.length > 0) route = 'maintain'

  return {
    route,
    ...measured,
    supported: (route === 'maintain' || adds) && without !== 'withoutMaintain' ? supported.map(({ id, support }) => ({ id, support })) : [],
    conflicting: route === 'correct' && without !== 'withoutCorrect' ? conflicting : [],
    rivals: route === 'correct' ? [] : rivals,
    same: same?.id ?? null,
    creates: route !== 'maintain' && !same,
  }
}

/** The ablation in which the judge's verdict is written as it comes. */
function directWrite(retrieved: readonly Retrieved[]): Decision {
  const awake = retrieved.filter(r => !r.dormant)
  const refuted = awake.filter(r => r.contradiction > 0.5)
  const same = refuted.length > 0 ? undefined : awake.find(r => r.same || r.entailment > 0.5)
  return {
    route: same ? 'maintain' : 'correct',
    reliability: 1,
    rawSurprisal: same ? 0 : 1,
    surprisal: same ? 0 : 1,
    supported: [],
    conflicting: refuted.map(r => ({ id: r.id, severity: 1 })),
    rivals: [],
    same: same?.id ?? null,
    creates: !same,
  }
}
