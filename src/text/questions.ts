/** A message that asks several things at once. */

import { sentences } from './sentences.ts'

/** Characters of a message that are looked at. */
const look = 2000
/** Questions that are taken from one message. */
const most = 8
/** It has question marks that ask nothing. */
const address = /https?:[!-~]+/g
const asks = /[?？][\s"'“”‘’「」『』（）()]*$/

/** The questions of a message that has two or more, in their order; none of a message that has one, which stands for itself. */
export function questionsOf(text: string): string[] {
  const head = text.slice(0, look).replace(address, '')
  const found: string[] = []
  for (const span of sentences(head)) {
    const sentence = head.slice(...span).trim()
    if (asks.test(sentence)) found.push(sentence)
  }
  return found.length > 1 ? found.slice(0, most) : []
}
