/** Clauses of a sentence that are statements of their own. */

import type { Span } from '../memory.ts'

/** A subject with the beginning of its verb: “I moved”, “my wife works”, “it is”. */
const SUBJECT = String.raw`(?:I(?:['’](?:m|ve|d|ll))?|we(?:['’](?:re|ve|d|ll))?|my|our|he|she|they|there)\b`
const POSSESSIVE = /^(?:my|our)\b/i
const FINITE =
  /\b(?:is|isn['’]?t|are|aren['’]?t|was|were|has|have|had|does|do|doesn['’]?t|don['’]?t|did|can|can['’]?t|will|won['’]?t|would|must|should|works?|lives?|likes?|loves?|hates?|prefers?|wants?|needs?|goes|go|comes?|plays?|makes?|says?|thinks?|keeps?|gets?|got|went|made|took|left|came|bought|\w{2,}ed)\b/i

const FINITE_OR_PRONOUN = new RegExp(`^(?:I|we)\\b|${FINITE.source}`, 'i')

/** Joints before a further statement. The words between (“and”, “but also”) belong to neither side. */
const JOINT = new RegExp(
  String.raw`(?:\s*[,;]\s*|\s+|\s+[–—-]+\s+|\s*—\s*)(?:and(?:\s+(?:also|then|now))?|but(?:\s+also)?|plus|also|while)\s+(?=${SUBJECT})|\s*;\s*(?=${SUBJECT})`,
  'gi',
)
/** Joints before a question or request: “I'm vegan, can you…”, “I live in Denver so what…”. */
const ASK =
  /(?:\s*[,;]\s*|\s+|\s+[–—-]+\s+|\s*—\s*)(?:(?:so|and|but|also|then|now)[,\s]+){0,2}(?=(?:can|could|would|will)\s+(?:you|i|we)\b|(?:do|did|does|is|are|should|shall|may)\s+(?:you|i|we|it|there|that|this|they)\b|what(?:['’]s|\s+(?:is|are|do|does|did|should|would|can|could|might|kind|sort|about|if|time|else))\b|how\s+(?:do|does|did|can|could|should|would|is|are|about|much|many|long|might)\b|(?:where|when|which|who|why|what)\s+(?:\w+\s+){0,2}(?:do|does|did|can|could|should|would)\b|any\s+(?:ideas?|tips?|suggestions?|recommendations?|advice)\b|please\b|(?:help me|tell me|give me|show me|suggest|recommend|explain|write|make me|find me|plan)\b)/gi
/** A reason put before a question holds by itself: “Since I'm vegan, what should I eat?”. */
const REASON = /^\s*(?:(?:since|because|as|given(?: that)?|considering(?: that)?|seeing (?:that|as)|now that)\s+)(?=(?:I|we|my|our)\b)/i
/** And one put after it: “What should I eat, considering that I'm vegan?”. */
const REASON_AFTER =
  /,?\s+(?:especially\s+)?(?:since|because|considering(?: that| how)?|given(?: that)?|seeing (?:that|as)|now that)\s+(?=(?:I|we|my|our)\b)/i
/** List marks, and words that open a sentence and say nothing. */
const OPENER =
  /^\s*(?:(?:[-*•–·]|\(?\d{1,3}[.)])\s+)?(?:(?:by the way|btw|fyi|for the record|just so you know|so you know|as you know|actually|also|anyway|oh|well|hmm+|hm|um+|uh|and|so|but|ok(?:ay)?|yeah|yes|yep|no(?=,)|nope|hey|hi|hello|good morning)\b[\s,:;.!…–—-]*)*(?:(?:please\s+)?(?:remember|note|keep in mind|bear in mind|be aware|don['’]t forget)(?:\s+that)?[\s,:]+(?=(?:I|we|my|our)\b))?/i
/** A sentence about one change is one statement: the new value makes no sense without the old one. */
const CHANGE =
  /\b(?:quit|stopped|gave up|given up|giving up|give up|dropped|done with|no more|no longer|not any ?more|any ?more|changed my mind|switched|swapped|replaced|instead|rather than|used to|from now on|from here on|sold|left|moved from|transferred|closed|ended|broke up|these days|agreed)\b/i
/** What follows hangs on the condition. */
const CONDITION =
  /^\s*(?:if|when|whenever|unless|suppose|imagine|in case|until|once|after|before|wenn|falls|si|cuando|如果|假如|要是)\b|^\s*(?:如果|假如|要是|当)/i

const CJK_JOINT = /[，,；;、]\s*(?:而且|并且|同时|还有|另外|也|但是|但|不过)?(?=我(?!们?(?:是不是|可以|能|该|应该)))/g
const CJK_ASK = /[，,；;]\s*(?:所以|那么?|请问)?(?=请|帮|你能|能不能|可以.{0,8}吗|有什么|怎么|如何|什么|哪)/g
const CJK_CHANGE = /不再|改|戒|换|现在|以前|不.{1,8}了|从.{1,6}搬/
const OTHER_JOINT = /\s*,?\s+(?:und|aber|y|e|pero)\s+(?=(?:ich|wir|mein\w*|yo|mi|nosotros)\b)/gi

/** The statements of one sentence with opening words left out; most sentences come back whole. */
export function clauses(text: string, [start, end]: Span): Span[] {
  // Longer ones are no chat sentences; looking only at this much bounds the time.
  const sentence = text.slice(start, Math.min(end, start + 1200))
  if (sentence.length < end - start) return [[start, end]]

  const found: Span[] = []
  let from = 0
  const give = (to: number, next: number) => {
    found.push([start + from, start + to])
    from = next
  }
  if (!CONDITION.test(sentence)) {
    for (const [at, to, kind] of joints(sentence)) {
      if (at < from) continue
      const left = sentence.slice(from, at)
      if (kind === 'ask' ? asksAfter(left) : standsAlone(left) && standsAlone(sentence.slice(to)) && !oneChange(sentence, at, to))
        give(at, to)
    }
  }
  const rest = sentence.slice(from)
  const reason = /\?\s*$/.test(rest) && !CONDITION.test(rest) ? REASON_AFTER.exec(rest) : null
  if (reason && reason.index > 8 && FINITE_OR_PRONOUN.test(rest.slice(reason.index + reason[0].length))) {
    // The question mark belongs to the question.
    const close = rest.replace(/[?\s]+$/, '').length
    const begin = reason.index + reason[0].length
    ASK.lastIndex = begin
    const further = ASK.exec(rest)
    found.push([start + from, start + from + reason.index], [start + from + begin, start + from + (further?.index ?? close)])
    if (further) found.push([start + from + further.index + further[0].length, end])
  } else found.push([start + from, end])
  return found.map((span, index) => closed(text, opened(text, span, index + 1 < found.length)))
}

function joints(sentence: string): [at: number, to: number, kind: 'ask' | 'and'][] {
  const all: [number, number, 'ask' | 'and'][] = []
  for (const [pattern, kind] of [
    [JOINT, 'and'],
    [OTHER_JOINT, 'and'],
    [CJK_JOINT, 'and'],
    [ASK, 'ask'],
    [CJK_ASK, 'ask'],
  ] as const) {
    for (const match of sentence.matchAll(pattern)) all.push([match.index, match.index + match[0].length, kind])
  }
  return all.sort((a, b) => a[0] - b[0])
}

/** Whether a piece has a subject and a verb of its own. */
function standsAlone(piece: string): boolean {
  const text = piece.replace(OPENER, '').trim()
  if (/[\p{Script=Han}\p{Script=Hiragana}]/u.test(text)) return text.length >= 4
  const words = text.split(/\s+/)
  if (words.length < 3) return false
  if (/\b(?:I|he|she|they|we|you|than|that|between|with|because|since|if|when|think|said|says|told)\s*$/i.test(text)) return false
  return POSSESSIVE.test(text) || !/^(?:I|we|he|she|they|there|ich|wir|yo|mi|mein\w*)\b|^(?:I|we|he|she|they)['’]/i.test(text)
    ? FINITE.test(text)
    : true
}

/** Before a question: something said about the speaker, at least. */
function asksAfter(left: string): boolean {
  const text = left.replace(REASON, '').replace(OPENER, '').trim()
  if (/[\p{Script=Han}\p{Script=Hiragana}]/u.test(text)) return /我|[是在有]/.test(text) && text.length >= 3
  if (
    /\b(?:know|sure|wondering|wonder|see|understand|tell|ask|me|you|figure out|decide|about|on|of|to|for|in|with|is|and|or|not|matter|idea)\s*$/i.test(
      text,
    )
  )
    return false
  return /^(?:I|we|my|our|ich|wir|mein\w*|yo|mi)\b/i.test(text) && text.split(/\s+/).length >= 2
}

function oneChange(sentence: string, at: number, to: number): boolean {
  if (CJK_CHANGE.test(sentence) && /[\p{Script=Han}]/u.test(sentence)) return true
  // “I moved to Denver and I started a job” are two changes, “I quit swimming; I row these days” is one.
  return (
    CHANGE.test(sentence.slice(0, at)) ||
    /^(?:now|instead|only|just|I(?:['’]m| am)? (?:now|only|just|rather)|I['’]d rather)\b|\binstead\b/i.test(sentence.slice(to))
  )
}

/** Words that close a sentence and say nothing. */
const CLOSER = /\s*,\s*(?:by the way|btw|fyi|just so you know|as you know|you know|actually|though|haha|lol)[\s.!…]*$/i

/** Leaves out what says nothing at the end, unless hardly anything else is there. */
function closed(text: string, [start, end]: Span): Span {
  const from = Math.max(start, end - 60)
  const tail = CLOSER.exec(text.slice(from, end))
  return tail && from + tail.index - start >= 8 ? [start, from + tail.index] : [start, end]
}

/** Leaves out what says nothing at the beginning, unless nothing else is there. */
function opened(text: string, [start, end]: Span, beforeMore: boolean): Span {
  const piece = text.slice(start, Math.min(end, start + 200))
  const lead = OPENER.exec(piece)?.[0].length ?? 0
  const reason = beforeMore ? (REASON.exec(piece.slice(lead))?.[0].length ?? 0) : 0
  const cut = lead + reason
  return cut > 0 && /[\p{L}\p{N}]{2}/u.test(text.slice(start + cut, end)) && /^\s*\S+\s+\S/.test(text.slice(start + cut, end))
    ? [start + cut, end]
    : [start, end]
}
