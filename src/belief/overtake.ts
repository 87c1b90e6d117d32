/** Hints add up: what several of them say against a belief, when none could refute it alone (PreCoMem's PROFILE, then CORRECT). */

/** Conflict of independent hints together: 1 − Π(1 − c_i), the probability that at least one of them is right. */
export function accumulatedConflict(conflicts: readonly number[]): number {
  return 1 - conflicts.reduce((none, c) => none * (1 - c), 1)
}

/** Hints that it takes, so that no single act ever overturns what was said outright. */
const leastHints = 2

/** Whether hints that made a fact of one belief (`holder`) overturn its rival. `conflicts`: theirs with the rival, since it was last supported. */
export function overtakes(holder: { kind: 'fact' | 'hypothesis' }, conflicts: readonly number[], threshold: number): boolean {
  return holder.kind === 'fact' && conflicts.length >= leastHints && accumulatedConflict(conflicts) >= threshold
}
