/** What a person says about the memory itself. */

export interface CorrectionIntent {
  /** `forget`: erase what matches `about`. `wrong`: the last thing the assistant stated does not hold. `confirm`: it does. */
  kind: 'forget' | 'wrong' | 'confirm'
  /** What it is about, in the person's words; empty for “that”, which is what was said last. */
  about: string
}

/** English, with the plainest forms in Chinese, German and Spanish; null when the message says no such thing. */
export function correctionIntent(text: string): CorrectionIntent | null {
  const head = text.trim().slice(0, 300)
  const forget = /^(?:please\s+|can you (?:please\s+)?)?forget (?:that |about |what i (?:said|told you) about )?(.+?)[.!?]*$/i.exec(head)
  if (forget) return { kind: 'forget', about: forget[1]! }
  if (/^(?:no,?\s*)?(?:that(?:'s| is)|you(?:'re| are)) (?:wrong|not (?:right|true|correct)|incorrect)\b/i.test(head)) return { kind: 'wrong', about: '' }
  if (/^(?:yes|yeah|yep|right|correct|exactly)\b/i.test(head)) return { kind: 'confirm', about: '' }
  return null
}
