/** The route by which a belief moved. A trail names what happened, from which the gate's decision follows. */

import type { ChangeKind, Route, TrailPoint } from '../memory.ts'

/** PreCoMem's three mechanisms, what comes by itself, and the person's own hand. */
export type Cause = Exclude<Route, 'ignored'> | 'lifecycle' | 'hand'

const causes: { readonly [K in ChangeKind]?: Cause } = {
  reinforced: 'maintain',
  promoted: 'maintain',
  weakened: 'correct',
  pruned: 'lifecycle',
  expired: 'lifecycle',
  merged: 'lifecycle',
}

/** `promoteAt` is τ_promote: what PROFILE makes begins below it, what CORRECT makes begins above it. */
export function causeOf({ kind, confidence }: Pick<TrailPoint, 'kind' | 'confidence'>, promoteAt: number): Cause {
  if (kind === 'created' || kind === 'woken') return confidence >= promoteAt ? 'correct' : 'profile'
  return causes[kind] ?? 'hand'
}
