/** What a statement gives a value to: two budgets, two birthdays and two appointments are no two values of one thing. English. */

import { statesValue } from './value.ts'

const NAME = String.raw`(?<name>[\p{L}\p{N}'’ -]{2,60}?)`
/** “My travel budget is …”, “our Spanish class starts …”. */
const SUBJECT = new RegExp(
  String.raw`^(?:(?:and|so|but|also|now),? )*(?:my|our) ${NAME} (?:is|are|was|were|has|have|had|will|starts?|started|begins?|ends?|expires?|expired|moved|changed|went|goes|got|gets|costs?|takes|lasts?|runs?|opens?|closes?|arrives?|leaves?)\b`,
  'iu',
)
/** “I raised my savings goal to …”. */
const OBJECT = new RegExp(
  String.raw`^(?:I|we)(?:['’]ve| have)? (?:\w+ )?(?:raised|increased|cut|lowered|reduced|decreased|moved|changed|set|rescheduled|extended|updated|postponed|shifted|pushed|bumped|adjusted|doubled) (?:my|our|the) ${NAME} (?:to|from|by|down|up|at|for|until|till|on|back|forward)\b`,
  'iu',
)
/** What is said of a place or a companion is no part of the name. */
const BESIDES = / (?:in|at|on|with|from|near|by|to) .*$/i
/** Words that tell nothing apart: the new budget is the budget. */
const IDLE = /^(?:a|an|the|of|for|new|current|present|usual|main|latest|regular|daily|own|favou?rite|preferred|best|choice|go|now|target)$/
/** The first car is not the car. */
const EARLIER = /^(?:first|second|third|old|previous|former|last|next|ex|future)$/

/** For messages of what sort an instruction is: “when I ask for code, …”. */
const CONDITION =
  /\b(?:when(?:ever)?|if|any ?time|every ?time|each time) (?:I|we|you)\b(?:['’]\w+| am| are| ever)? (?<name>[^,;.!?]{2,80})/i
const ASKING = /^(?:ask|asking|asks|about|me|you|to|want|need|please|in|on|something)$/

/** “I drink coffee every morning”, “I drink tea in the evening”: an act of the present, and when. */
const ACT = /^(?:I|we) (?<verb>(?!\w+ed\b)\w+) (?<name>.{2,80}?)[.!]*$/i
const WHEN =
  /^(?:mornings?|afternoons?|evenings?|nights?|noon|breakfast|lunchtime|dinner|weekends?|weekdays?|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|\d+)$/
const AROUND = /^(?:every|each|in|at|on|am|pm|my|the|to|for)$/

/** Whether two statements give values to two things, not to one. */
export function differentMatters(first: string, second: string): boolean {
  const [a, b] = [named(first), named(second)]
  if (a && b) {
    const [onlyA, onlyB] = [a.filter(word => !b.includes(word)), b.filter(word => !a.includes(word))]
    if ([...onlyA, ...onlyB].some(word => EARLIER.test(word))) return true
    if (onlyA.length === 0 || onlyB.length === 0) return false
    // “My job is …”, “my profession is …”: other words may name the same, but seldom for a number or a date.
    return onlyA.length < a.length || (statesValue(first) && statesValue(second))
  }
  if (otherActAtOtherTime(first, second)) return true
  const [c, d] = [condition(first), condition(second)]
  return c !== null && d !== null && c.some(word => !d.includes(word)) && d.some(word => !c.includes(word))
}

function otherActAtOtherTime(first: string, second: string): boolean {
  const [a, b] = [ACT.exec(first)?.groups, ACT.exec(second)?.groups]
  if (!a || !b || a['verb'] !== b['verb'] || /\b(?:now|only|just|always|instead|these days)\b/i.test(`${first} ${second}`)) return false
  const [allA, allB] = [a, b].map(({ name }) => words(name!, AROUND, IDLE)) as [string[], string[]]
  const when = (all: string[]) => all.filter(word => WHEN.test(word))
  const what = (all: string[]) => all.filter(word => !WHEN.test(word))
  const apart = (x: string[], y: string[]) => x.length > 0 && y.length > 0 && !x.some(word => y.includes(word))
  return apart(when(allA), when(allB)) && apart(what(allA), what(allB))
}

function named(text: string): string[] | null {
  const name = (SUBJECT.exec(text) ?? OBJECT.exec(text))?.groups?.['name']?.replace(BESIDES, '')
  return name === undefined ? null : words(name, IDLE)
}

function condition(text: string): string[] | null {
  const name = CONDITION.exec(text)?.groups?.['name']
  return name === undefined ? null : words(name, ASKING, IDLE)
}

const words = (name: string, ...without: RegExp[]) =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}'’]+/u)
    .map(word => word.replace(/['’]s?$/, '').replace(/(?<=\w{3})s$/, ''))
    .filter(word => word !== '' && !without.some(pattern => pattern.test(word)))
