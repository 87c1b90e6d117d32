/**
 * Words for the lexical index. MiniSearch's own tokenizer splits at spaces and so finds nothing in Chinese, Japanese and Korean: runs of those
 * scripts become single characters and pairs of neighbours. English words are reduced to their Porter stem.
 */

import { stemmer } from 'stemmer'

const words = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]+|[\p{L}\p{M}\p{N}]+(?:['’][\p{L}]+)*/gu
const cjk = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]/u

/** Words so common in English talk that sharing them says nothing. */
const common = new Set(
  (
    'a an the and or but if so as of at by for from in into on onto to up with about is am are was were be been being do does did done have has had ' +
    'having i me my mine myself you your yours we us our ours they them their he him his she her it its this that these those there here what which ' +
    'who whom whose when where why how can could will would shall should may might must not no yes just really very too also than then some any ' +
    "i'm i've i'd i'll it's that's don't doesn't didn't can't what's let's please thanks thank hey hi oh well"
  ).split(' '),
)

/** Terms of a text, in its order, repeated as often as they stand there. */
export function tokenize(text: string): string[] {
  const terms: string[] = []
  for (const [match] of text.normalize('NFKC').toLowerCase().matchAll(words)) {
    if (cjk.test(match)) {
      const characters = [...match]
      for (let i = 0; i < characters.length; i++) {
        terms.push(characters[i]!)
        if (i + 1 < characters.length) terms.push(characters[i]! + characters[i + 1]!)
      }
      continue
    }
    const word = match.replaceAll('’', "'")
    if (common.has(word)) continue
    const bare = word.replace(/'.*$/, '').normalize('NFD').replace(/\p{M}/gu, '')
    if (bare) terms.push(/^[a-z]+$/.test(bare) ? stemmer(bare) : bare)
  }
  return terms
}
