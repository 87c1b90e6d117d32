/** Is a statement worth remembering? Certain rules first, then a small linear classifier over the statement's embedding. */

import type { IgnoredReason, Role } from '../memory.ts'
import type { Proposition } from './propositions.ts'

export interface ScreenContext {
  /** The whole message the statement stands in. */
  message: string
  /** Embedding of the statement alone (as a passage, normalised). Without it, or for another model's vectors, only rules and surface features decide. */
  embedding?: Float32Array | undefined
  /** The message before this one in the conversation. */
  previous?: { role: Role; text: string } | undefined
  /** Set in a chat between people: what reads as addressed to an assistant is then said to a person. */
  speaker?: string | undefined
}

export interface Kept {
  keep: true
  /** `latent`: a single act that hints at something lasting. */
  origin: 'explicit' | 'latent'
  /** A standing instruction to the assistant. */
  instruction: boolean
  /** What the person says no longer holds, when the statement puts nothing in its place (“I don't drink coffee any more”). */
  retraction?: string
  /** True at most for days (mood, a current trip): its confidence falls with time. */
  volatile: boolean
  /** Probability of being worth keeping, ∈ [0,1]; 1 where a rule decided. */
  probability: number
}

export interface Dropped {
  keep: false
  reason: IgnoredReason
  /** As above; 0 where a rule decided. */
  probability: number
}

export type Screening = Kept | Dropped

/** What the certain rules say, or null when the classifier must decide: only then is an embedding needed. */
export function screenByRule(p: Proposition, context: ScreenContext): Screening | null {
  void context
  if (p.kind === 'recalled') return drop('recalled')
  if (p.kind === 'transcript') return drop('instruction-like')
  if (p.kind === 'quotation') return drop('quotation')
  if (p.kind !== 'statement') return drop('pasted')
  if (!/[\p{L}\p{N}]/u.test(p.text)) return drop('empty')
  if (/[?？]\s*$/.test(p.text)) return drop('question')
  return null
}

export function screen(p: Proposition, context: ScreenContext): Screening {
  return screenByRule(p, context) ?? { keep: true, origin: 'explicit', instruction: false, volatile: false, probability: 1 }
}

function drop(reason: IgnoredReason): Dropped {
  return { keep: false, reason, probability: 0 }
}
