/** Life cycle of a hypothesis (PreCoMem, design §3.6). */

import type { Belief } from '../memory.ts'

/**
 * Factor after n turns without support: the decay w ← w·exp(−γ·a) of every turn a = 1 … n multiplies up to exp(−γ·n(n+1)/2). In closed
 * form nothing has to be written for the passing of a turn.
 */
export function decay(turnsWithoutSupport: number, rate: number): number {
  const n = Math.max(0, turnsWithoutSupport)
  return Math.exp((-rate * n * (n + 1)) / 2)
}

/** Only an unprotected, unpinned hypothesis decays; facts and explicit statements stay. */
export function decays(belief: Pick<Belief, 'kind' | 'protected' | 'pinned'>): boolean {
  return belief.kind === 'hypothesis' && !belief.protected && !belief.pinned
}

/** What is true for a while only (a mood, a journey) halves with every half-life since it was last said; all else keeps its weight with time. */
export function fading({ from, halfLife }: NonNullable<Belief['fades']>, at: number): number {
  return 2 ** (-Math.max(0, at - from) / halfLife)
}

/** w at turn t and time `at`, from the confidence w_ℓ at the turn ℓ of the last support. Without a time nothing fades. */
export function confidenceAt(
  belief: Pick<Belief, 'kind' | 'protected' | 'pinned' | 'confidence' | 'lastSupported' | 'fades'>,
  tick: number,
  rate: number,
  at = -Infinity,
): number {
  const decayed = decays(belief) ? decay(tick - belief.lastSupported, rate) : 1
  const faded = belief.fades && !belief.pinned ? fading(belief.fades, at) : 1
  return decayed * faded === 1 ? belief.confidence : Math.max(Number.MIN_VALUE, belief.confidence * decayed * faded)
}

/** At τ_promote a hypothesis becomes a fact, once and one way. */
export function promoted(belief: Pick<Belief, 'kind'>, confidence: number, promoteAt: number): boolean {
  return belief.kind === 'hypothesis' && confidence >= promoteAt
}

/** A decaying hypothesis below the pruning threshold goes; facts never do. */
export function prunable(belief: Pick<Belief, 'kind' | 'protected' | 'pinned'>, confidence: number, pruneBelow: number): boolean {
  return decays(belief) && confidence < pruneBelow
}

/** Whether it holds at a time: not replaced, not withdrawn, not over. */
export function isCurrent(belief: Pick<Belief, 'supersededBy' | 'retracted' | 'expiresAt'>, at: number): boolean {
  return belief.supersededBy === undefined && belief.retracted !== true && !(belief.expiresAt !== undefined && belief.expiresAt < at)
}

/** N_eff = Σ w. */
export function effectiveSize(confidences: Iterable<number>): number {
  let sum = 0
  for (const w of confidences) sum += w
  return sum
}
