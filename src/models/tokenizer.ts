/** Texts to token ids and back. */

import { Tokenizer } from '@huggingface/tokenizers'

/** A row of a graph's input. */
export interface Encoded {
  ids: readonly number[]
  /** 1 for the second text of a pair and what closes it, else 0. */
  types: readonly number[]
}

export interface TextTokenizer {
  /** Tokens of the text alone, at most `limit`. */
  ids(text: string, limit?: number): number[]
  /** With special tokens, truncated at the end. */
  single(text: string, maxTokens: number): Encoded
  /** With special tokens; the longer text is truncated first. */
  pair(first: string, second: string, maxTokens: number): Encoded
  /** Special tokens are left out. */
  text(ids: readonly number[]): string
}

/** More tokens than one word can have: truncating the text itself changes no token before these. */
const wordTokens = 128

export function createTokenizer(json: object, config: object): TextTokenizer {
  const tokenizer = new Tokenizer(json, config)
  const known = (token: string) => tokenizer.token_to_id(token) ?? tokenizer.model?.unk_token_id ?? 0

  // Without a limit on the characters, a novel would be tokenised for its first page.
  function tokens(text: string, limit: number): string[] {
    const whole = wellFormed(text)
    for (let length = (limit + wordTokens) * 6; length < whole.length; length *= 4) {
      const first = tokenizer.tokenize(whole.slice(0, length))
      if (first.length >= limit + wordTokens) return first.slice(0, limit)
    }
    return tokenizer.tokenize(whole).slice(0, limit)
  }

  function framed(first: string[], second: string[] | null): Encoded {
    const { tokens, token_type_ids: types } = tokenizer.post_processor?.post_process(first, second) ?? {
      tokens: [...first, ...(second ?? [])],
    }
    return { ids: tokens.map(known), types: types ?? tokens.map(() => 0) }
  }

  const frameOfOne = framed([], null).ids.length
  const frameOfTwo = framed([], []).ids.length

  return {
    ids: (text, limit = Infinity) => (limit === Infinity ? tokenizer.tokenize(wellFormed(text)) : tokens(text, limit)).map(known),
    single: (text, maxTokens) => framed(tokens(text, maxTokens - frameOfOne), null),
    pair(first, second, maxTokens) {
      const room = maxTokens - frameOfTwo
      return framed(...fit(tokens(first, room), tokens(second, room), room))
    },
    text: ids => (ids.length === 0 ? '' : tokenizer.decode([...ids], { skip_special_tokens: true, clean_up_tokenization_spaces: false })),
  }
}

/** Lone halves of surrogate pairs are no characters; each becomes U+FFFD. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}

/** Shortens the longer of two lists until both fit. */
export function fit<T>(first: T[], second: T[], room: number): [T[], T[]] {
  const short = Math.min(first.length, second.length)
  if (first.length + second.length <= room) return [first, second]
  const keepShort = Math.min(short, Math.floor(room / 2))
  const keepLong = room - keepShort
  return first.length > second.length
    ? [first.slice(0, keepLong), second.slice(0, keepShort)]
    : [first.slice(0, keepShort), second.slice(0, keepLong)]
}
