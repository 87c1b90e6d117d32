/** Messages that ask several things at once, and questions that describe what they ask about. */

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

/** Counts, comparisons and lists are about several memories at once. */
const several = /有几|多少[个位家]|哪些|谁|[更比]|最[^近后]/u

/** Whether a Chinese question asks for one thing about one. */
export const asksForOne = (question: string): boolean => !several.test(question)

/** A question with the words of a memory in the place of those that the two share. */
export const inItsPlace = (memory: string, question: string): string => without(memory, question) + without(question, memory)

/** The characters of a Chinese text that share no pair of neighbours with another. */
function without(text: string, other: string): string {
  const characters = [...text.slice(0, look)]
  const shared = characters.map((character, i) => i + 1 < characters.length && other.includes(character + characters[i + 1]!))
  return characters.filter((_, i) => !shared[i] && !(i > 0 && shared[i - 1])).join('')
}
