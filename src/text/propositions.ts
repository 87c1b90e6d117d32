/** A chat message, taken apart into statements that stand by themselves. */

import type { Span } from '../memory.ts'
import { blocks, type BlockKind } from './blocks.ts'
import { clauses } from './clauses.ts'
import { sentences } from './sentences.ts'

/**
 * `statement`: a sentence or clause. The others are taken as one unit whatever their length: `code`, `quotation` (lines that begin with `>`),
 * `table`, `document` (pasted text), `transcript` (lines that imitate roles) and `recalled` (our own prompt block).
 */
export type PropositionKind = 'statement' | BlockKind

export interface Proposition {
  /** Exactly `message.slice(...span)`. */
  text: string
  /** UTF-16 offsets in the message, end exclusive. */
  span: Span
  kind: PropositionKind
}

/** More statements than a person writes in one message: what follows is one `document`. */
export const MAX_PROPOSITIONS = 200

/**
 * The statements of a message, in its order, without overlap. Only white space, list marks and words that join (“and”, “by the way”) lie between
 * them. At most `MAX_PROPOSITIONS` statements; the rest of a longer message is one unit of kind `document`. Time is linear in the length.
 */
export function propositions(message: string): Proposition[] {
  const found: Proposition[] = []
  const add = (start: number, end: number, kind: PropositionKind) => {
    const span = trim(message, start, end)
    if (span[0] < span[1]) found.push({ text: message.slice(...span), span, kind })
  }
  for (const block of blocks(message)) {
    if (block.kind !== 'prose') add(block.start, block.end, block.kind)
    else {
      for (const sentence of sentences(message, block.start, block.end)) {
        for (const clause of clauses(message, sentence)) {
          if (found.length >= MAX_PROPOSITIONS) {
            add(clause[0], message.length, 'document')
            return found
          }
          add(clause[0], clause[1], 'statement')
        }
      }
    }
  }
  return found
}

/** The whole message as one unit, for `granularity: 'turn'`; null when it is blank. */
export function wholeMessage(message: string): Proposition | null {
  const span = trim(message, 0, message.length)
  if (span[0] === span[1]) return null
  const kinds = new Set(blocks(message).map(block => block.kind))
  const only = kinds.size === 1 ? [...kinds][0]! : 'prose'
  return { text: message.slice(...span), span, kind: only === 'prose' ? 'statement' : only }
}

function trim(text: string, start: number, end: number): Span {
  while (start < end && /\s/.test(text[start]!)) start++
  while (start < end && /\s/.test(text[end - 1]!)) end--
  return [start, end]
}
