/** What an assistant said back to a person, as the person would say it: “So you moved to Denver?” → “I moved to Denver”. English. */

import type { Span } from '../memory.ts'
import { propositions } from './propositions.ts'

export interface Restatement {
  /** In the first person. */
  text: string
  /** Where it stands in the message: UTF-16 offsets, end exclusive. */
  span: Span
}

const LEAD_IN =
  /^(?:(?:so|ok(?:ay)?|got it|i see|right|well|ah|oh|understood|just to (?:confirm|check|be sure)|to (?:confirm|be sure)|noted|if i understand (?:you )?(?:correctly|right)|(?:it )?(?:sounds|seems|looks) like|i (?:understand|believe|think|gather|remember|recall)(?: that)?|correct me if i'm wrong|(?:as )?you (?:also |just |already )?(?:told me|said|mentioned|shared)(?: earlier| before)?(?: that)?)[\s,:;–—-]+)+/i
const TAG =
  /[\s,;–—-]+(?:(?:is|isn't|was) (?:that|it) (?:right|so|correct|true)|(?:am i|is that) (?:right|correct)|right|correct|yes|don't you|aren't you|haven't you|didn't you|won't you|do i have that right|did i get that right)\s*\?*$/i
const ABOUT_YOU = /^(?:you(?!'d (?:like|rather|prefer)\b| (?:can|could|may|might|should|want me|are welcome|know|see)\b)|your)\b/i

const FORMS: readonly [RegExp, string][] = [
  [/\byou are\b/gi, 'I am'],
  [/\byou were\b/gi, 'I was'],
  [/\byou're\b/gi, "I'm"],
  [/\byou've\b/gi, "I've"],
  [/\byou'll\b/gi, "I'll"],
  [/\byou'd\b/gi, "I'd"],
  [/\byourself\b/gi, 'myself'],
  [/\byours\b/gi, 'mine'],
  [/\byour\b/gi, 'my'],
  [
    /\b(to|for|with|about|of|at|from|by|on|give|gives|gave|tell|tells|told|makes?|made|suits?|helps?|lets?|keeps?|call|calls) you\b/gi,
    '$1 me',
  ],
  [/\byou\b/gi, 'I'],
]

/** The statements about the reader in a message, without what only frames them. Questions proper and offers are none. */
export function restatements(message: string): Restatement[] {
  return propositions(message)
    .filter(({ kind }) => kind === 'statement')
    .flatMap(({ text, span }) => {
      const plain = text.replaceAll('’', "'")
      const start = LEAD_IN.exec(plain)?.[0].length ?? 0
      const core = plain
        .slice(start)
        .replace(TAG, '')
        .replace(/[\s?.!]+$/, '')
      if (!ABOUT_YOU.test(core) || core.split(/\s+/).length < 3) return []
      const own = FORMS.reduce((all, [from, to]) => all.replace(from, to), core)
      return [{ text: `${own[0]!.toUpperCase()}${own.slice(1)}.`, span: [span[0] + start, span[0] + start + core.length] as const }]
    })
}
