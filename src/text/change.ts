/** Statements of change: what they put in the place of what. English; other languages are left to the NLI cross-encoder. */

export interface StatedChange {
  /** The words that name the value which no longer holds. */
  from: string
  /** The words that state what holds now; empty when nothing is put in its place. */
  to: string
}

/** The old value first, then a clause with the new one: “I quit coffee, I only drink tea now”. */
const CUE =
  /\b(?:any ?more|no longer|not any longer|gave up|given up|giving up|quit|stopped|dropped|changed my mind|over with|done with|fed up with|tired of|no more|used to|gave .{1,40}? away|got rid of|sold|left|abandoned|cancell?ed|(?:is|are|was|do|does)(?:n['’]t| not)\b.{1,40}\bnow|stop \w+ing|not an? .{1,40} but)\b/i
const CLAUSE =
  /(?:[,;:.–—-]\s*|\s)(?:(?:and|so|but|instead|now)\s+)*(?=(?:I|I['’]m|I['’]d|I['’]ve|we|my|now|from now on|from here on|these days|nowadays|only|just|it['’]s|they(?:['’]re| are)|please|use|give|the \w+(?: \w+)? (?:is|are))\b)/gi
/** Verbs that take the old value and then the new one. */
const PAIRS = [
  /\b(?:mov(?:e|ed|ing)|switch(?:ed|ing)|chang(?:ed|ing)|transferred|went|going|convert(?:ed|ing)|upgrad(?:ed|ing)|migrat(?:ed|ing)|relocat(?:ed|ing))\b.{0,40}?\bfrom\s+(?<from>.{1,60}?)\s+(?:over\s+)?to\s+(?<to>.+)/i,
  /\b(?:replac(?:ed|ing)|swapp(?:ed|ing)|exchang(?:ed|ing)|trad(?:ed|ing))\s+(?<from>.{1,60}?)\s+(?:with|for|by)\s+(?<to>.+)/i,
  /\b(?:pulled|took|moved|got|shifted|withdrew|cashed)\b.{0,30}?\bout of\s+(?<from>.{1,60}?)\s+(?:and|to)\s+(?<to>(?:put|moved|placed|invested|joined|went|bought|into)\b.+)/i,
  /^(?:instead of|rather than|in place of)\s+(?<from>[^,]{1,60}),\s+(?<to>.{5,})$/i,
  /^(?<to>.{3,}?)\s+(?:instead of|rather than|in place of)\s+(?<from>.{1,60}?)(?:\s+(?:now|when|whenever|these days)\b.*)?[.!]*$/i,
]
/** Whatever is said before it, the last clause states what holds “now”. */
const NOW = /^(?<from>.{3,}?)[,;:–—]\s*(?:(?:and|so|but)\s+)?(?<to>[^,;:–—]{5,}\bnow)[.!]*$/i
/** The last clause tells of the present, whatever its subject: “I quit the flute; the piano is what I play these days”. */
const THESE_DAYS =
  /^(?<from>.{3,}?)[,;:–—]\s*(?:(?:and|so|but)\s+)?(?<to>[^,;:–—]{5,}\b(?:these days|nowadays|from now on|from here on|any longer))[.!]*$/i
/** “I sold the van and now ride a bike”. */
const AND_NOW = /^(?<from>.{3,}?)\s+and\s+(?<to>(?:I\s+)?now\s+\w.{3,})$/i
/** The old value alone: “I don't drink coffee any more”. */
const ENDED = /\b(?:any ?more|no longer|not any longer|gave up|given up|giving up|quit|stopped|got rid of|used to)\b/i

/** Longer texts are no single statement, and the time that the patterns take on a run of spaces grows with its square. */
const LONGEST = 1000

/** The change a statement tells of, or null. */
export function statedChange(text: string): StatedChange | null {
  if (text.length > LONGEST) return null
  for (const pattern of [...PAIRS, NOW]) {
    const { from, to } = pattern.exec(text)?.groups ?? {}
    if (from !== undefined && to !== undefined) return { from, to }
  }
  const cue = CUE.exec(text)
  if (!cue) return null
  for (const pattern of [THESE_DAYS, AND_NOW]) {
    const { from, to } = pattern.exec(text)?.groups ?? {}
    if (from !== undefined && to !== undefined) return { from, to }
  }
  const joint = [...text.matchAll(CLAUSE)].filter(match => match.index > cue.index && /[,;:.–—-]/.test(match[0])).at(-1)
  const to = joint ? text.slice(joint.index + joint[0].length).trim() : ''
  if (joint && to.split(/\s+/).length >= 2) return { from: text.slice(0, joint.index), to }
  return ENDED.test(text) ? { from: text, to: '' } : null
}

/** A change that is ordered rather than told: “actually, make my savings goal 6,000 euros”, “move our trip to May 3”. */
const ORDERED =
  /^(?:(?:actually|ok(?:ay)?|no|so|and|but|wait|please|now)[, ]+)*(?:make|set|change|update|raise|increase|lower|reduce|cut|move|push|shift|postpone|reschedule)(?: back)? (?<name>(?:my|our) (?:[\w'’-]+ ){0,3}?(?:goal|budget|target|limit|deadline|appointment|meeting|interview|exam|trip|flight|wedding|party|birthday|rent|salary|allowance)) (?:back )?(?:to |at |for )?(?<value>.{1,40}?)(?:,? please)?[\s.!]*$/i
const VALUE =
  /^(?:[€$£]?\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|next |tomorrow|noon)/i

/** The new state that somebody orders: “my savings goal is 6,000 euros”. Null where no change to a value of theirs is ordered. */
export function orderedState(text: string): string | null {
  const { name, value } = (text.length <= LONGEST && ORDERED.exec(text)?.groups) || {}
  if (name === undefined || !VALUE.test(value!)) return null
  return `${name[0]!.toUpperCase()}${name.slice(1)} is ${value}.`
}

/** “from X” before “to Y”. */
const OUT_OF = /\s+from\s+.{1,60}?(?=\s+(?:over\s+)?to\s)/i

/**
 * A statement without the value that no longer holds: the new half of “I quit coffee, I only drink tea now”, and “we moved to Turin” of “we moved
 * from Lyon to Turin”. A belief is compared and shown by it, because the rest names a value that does not hold. Other statements come back whole.
 */
export function heldNow(text: string): string {
  const ordered = orderedState(text)
  if (ordered !== null) return ordered
  const change = statedChange(text)
  if (!change) return text
  // “My savings aren't in gold now, they are in bonds”: the new half borrows its subject from the old one.
  const subject = /^(?:my|our) [\w'’ -]{2,40}?(?= (?:is|are|was|were)(?:n['’]t| not)\b)/i.exec(change.from)?.[0]
  if (subject && /^(?:they|it)\b/i.test(change.to)) return change.to.replace(/^(?:they|it)(?=\b|['’])/i, subject)
  // A bare object (“a tram pass”) is no statement that could stand alone.
  if (
    /^(?:I|I['’]\w+|we|my|it['’]s|please|now|from now|from here|these|nowadays|only|just|the \w+(?: \w+)? (?:is|are))\b|\b(?:now|these days|nowadays|from now on|from here on)[.!]*$/i.test(
      change.to,
    )
  )
    return change.to
  if (text.startsWith(change.to) && change.to !== '') return change.to
  const without = text.replace(OUT_OF, '')
  // “I traded the van for a bike”: what cannot be left out is left blank.
  const old = change.to === '' ? -1 : without.indexOf(change.from)
  return old > 0 ? `${without.slice(0, old)}…${without.slice(old + change.from.length)}` : without
}

const BEGAN =
  /^(?:(?:I|we)(?:['’]ve| have)?|my \w+(?: has)?) (?:(?:just|also|finally|recently) )*(?:moved|relocated|switched|transferred|changed|started|became|joined|adopted)\b/i
/** When it was: “last week”, “two years ago”, “in May”, “on Monday”, “yesterday”. */
const WHEN =
  /[,\s]+(?:last|this|earlier this|the other) (?:week|weekend|month|year|spring|summer|autumn|fall|winter|morning|\p{L}+day)$|[,\s]+(?:(?:about|almost|over|just) )?(?:(?:an?|the|one|two|three|four|five|six|ten|few|some|several|couple|of|\d+) ){1,3}(?:day|week|month|year)s? ago$|[,\s]+(?:just |only )?(?:yesterday|today|recently|lately|this week)$|[,\s]+(?:in|since|on|at the (?:start|end) of) (?:early |late )?(?:january|february|march|april|may|june|july|august|september|october|november|december|\d{4}|(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?: \d{4})?$/iu

/** A statement of a new state without the time at which it began: by “last week” the NLI model takes “I moved to York last week” for an event that is over. */
export function withoutWhen(text: string): string {
  if (text.length > LONGEST || !BEGAN.test(text)) return text
  const bare = text.replace(/[\s.!]+$/, '')
  const without = bare.replace(WHEN, '')
  return without === bare ? text : `${without}.`
}
