/** Where two statements of the same build differ. */

/** A stretch of words of the one statement where the other has other words; either may be empty. */
interface Place {
  a: string[]
  b: string[]
  /** Words of the first statement before it, and after it. */
  before: string[]
  after: string[]
}

/** The places where two statements differ, in order. Null when less than half of the words are in common: they are not of the same build. */
function places(first: string, second: string): Place[] | null {
  const [a, b] = [words(first), words(second)]
  if (a.length > longest || b.length > longest) return null
  const common = commonLengths(a, b)
  if (2 * common[0]![0]! < Math.max(a.length, b.length)) return null
  const found: Place[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [fromA, fromB] = [i, j]
    while ((i < a.length || j < b.length) && a[i] !== b[j]) {
      if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) i++
      else j++
    }
    if (i > fromA || j > fromB) found.push({ a: a.slice(fromA, i), b: b.slice(fromB, j), before: a.slice(0, fromA), after: a.slice(i) })
    while (i < a.length && a[i] === b[j]) {
      i++
      j++
    }
  }
  return found
}

/** What may be added at the end without another value: “… every year”, “… with my brother”, “… now”. */
const ADVERBIAL =
  /^(?:again|already|also|always|any|anymore|around|as|at|by|currently|daily|each|every|for|from|here|in|instead|lately|last|nearly|never|next|no|nowadays|now|often|on|since|sometimes|still|there|these|this|today|together|too|twice|until|usually|when|where|while|with|yet)$/

/**
 * In how many places one statement has other words than the other: 1 for “the capital of Peru is Lima” and “the capital of Peru is Quito”, 2 for
 * “the capital of Peru is Lima” and “the capital of Chile is Quito”. A longer name at the end counts (“rugby”, “rugby union”), other words that only
 * one of them has do not. Null when they are not of the same build.
 */
export function substitutions(first: string, second: string): number | null {
  return places(first, second)?.filter(counts).length ?? null
}

function counts({ a, b, before, after }: Place): boolean {
  const more = a.length > 0 ? a : b
  return (a.length > 0 && b.length > 0) || (after.length === 0 && before.length > 0 && !ADVERBIAL.test(more[0]!))
}

/** “Is the”, which one thing alone can be: who comes before it is the value then, not the subject. */
const ONE_ALONE = /\b(?:is|was|are|were) (?:the|my|our)\b/i
const COPULA = /^(?:is|was|are|were)$/

/**
 * Whether two statements of the same build say the same of two different subjects: “Ada is a citizen of Peru” and “Jon is a citizen of Peru”, “my
 * sister is a nurse” and “my brother is a nurse”, but not “Lima is the capital of Peru” and “Quito is the capital of Peru”.
 */
export function sameOfOthers(first: string, second: string): boolean {
  const found = places(first, second)?.filter(counts)
  if (found?.length !== 1 || ONE_ALONE.test(first)) return false
  const [{ before, after }] = found as [Place]
  return after.length > 0 && (before.length === 0 || after.some(word => COPULA.test(word)))
}

/** “The capital of Peru is …”, “the type of music that Jon plays is …”: what is described has one value. */
const DESCRIBED = /^the (?!other |second |third )[^,]*\b(?:of|that|where|in|for)\b[^,]*\b(?:is|was)\b/
/** “… was born in the city of …”, “… is associated with the sport of …”: the name of what is described. */
const NAMED = /\b(?:is|was)\b.*\bthe \p{L}+ of\b/u
const NUMBER = /^(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/
/** What was done so often once may have been done otherwise another time. */
const PAST = /^(?:\w{2,}ed|was|were|had|did|went|got|ran|saw|made|took|ate|drank|bought|read|met|won|lost|spent|scored)$/

/** Whether two statements of the same build differ in the value alone of what has one value only, or in a number, so that both cannot hold. */
export function otherValue(first: string, second: string): boolean {
  const [a, b] = [words(first), words(second)]
  let same = 0
  while (same < Math.min(a.length, b.length) && a[same] === b[same]) same++
  const prefix = a.slice(0, same).join(' ')
  const [valueA, valueB] = [a, b].map(all => all.slice(same).filter(word => !ADVERBIAL.test(word)))
  if (valueA!.length > 0 && valueB!.length > 0 && valueA!.join() !== valueB!.join() && (DESCRIBED.test(prefix) || NAMED.test(prefix)))
    return true
  const found = places(first, second)
  if (found?.length !== 1) return false
  const [{ a: one, b: other, before, after }] = found as [Place]
  // “Locker number 5”, “room 5 is cold”: a number that tells things apart is no value of theirs.
  const name = before.at(-1) === 'number' || after.some(word => COPULA.test(word))
  // “800 euros”, “850”: the unit may go without saying, but is not another one.
  const numbers = [one, other].every(stretch => NUMBER.test(stretch[0] ?? '')) && one.length + other.length <= 3
  return numbers && !name && !before.some(word => PAST.test(word))
}

/** Verbs that one says of many things at once. */
const MANY =
  /^(?:i|we) (?:(?:also|really|can|do|often|sometimes) )*(?:like|love|enjoy|hate|dislike|adore|loathe|fear|miss|play|speak|understand|know|collect|own|have|read|watch|grow|bake|brew|visited|saw|met|tried|learned|studied|can \w+)(?: (?:the|an?|some|to|playing|doing))?$/
const PERSON =
  /^(?:mothers?|mum|mom|father|dad|sisters?|brothers?|sons?|daughters?|wife|husband|partner|aunt|uncle|cousin|niece|nephew|grand\w+|boss|colleague|neighbou?r|flatmate|roommate|doctor|dentist|teacher|coach|dog|cat)$/
/** One meets many people, at many times. */
const MEETING = /^(?:i|we) have (?:an? )?(?:\w+ )?(?:meeting|appointment|class|lesson|call|date|exam|interview|shift)\b/i
const WITH_TIME_OR_PLACE = /^(?:on|in|at|during|before|after|every|each|when|while|to|with|for|from)$/
/** Leaves no room beside it, or takes something back. */
const EXCLUDES =
  /\b(?:no|not|never|none|nothing|without|any ?more|no longer|quit|stopped|instead|now|nowadays|these days|from now on|only|just|mostly|mainly|always|exclusively|favou?rite)\b|n['’]t\b/i

/**
 * Whether two statements of the speaker of the same build add up: they tell of other acts (“I run on Mondays”, “I swim on Mondays”), of other things
 * that one has or likes beside each other (“I play the guitar”, “I play the piano”), of another thing at another time or place (“I use Linux at
 * home”, “I use Windows at work”), or of other people (“my sister lives in Leeds”, “my brother lives in York”).
 */
export function addsUp(first: string, second: string): boolean {
  if (EXCLUDES.test(first) || EXCLUDES.test(second)) return false
  const found = places(first, second)
  if (!found || found.length === 0) return false
  if (found.length > 1 && MEETING.test(first)) return true
  if (found.length > 2) return false
  const [{ a, b, before, after }, next] = found as [Place, Place?]
  if (before.join() === 'my' && a.length === 1 && b.length === 1 && PERSON.test(a[0]!) && PERSON.test(b[0]!)) return true
  if (!/^(?:i|we)$/.test(before[0] ?? '') || a.length === 0 || b.length === 0) return false
  const adjunct = WITH_TIME_OR_PLACE.test(after[0] ?? '')
  if (next) {
    // The same act with another object at another time; what the verb needs a preposition for is no object.
    const object = before.length === 2 || (before.length === 3 && /^(?:the|an?)$/.test(before[2]!))
    return object && adjunct && next.after.length === 0 && WITH_TIME_OR_PLACE.test(next.before.at(-1)!)
  }
  if (before.length === 1) return adjunct && a.length === 1 && b.length === 1 && !opposite(a[0]!, b[0]!)
  return MANY.test(before.join(' ')) && (after.length === 0 || adjunct)
}

/** “Agree”, “disagree”. */
function opposite(a: string, b: string): boolean {
  return [`${a} ${b}`, `${b} ${a}`].some(pair => /^(?:un|dis|mis)(\S+) \1$/.test(pair))
}

/** Longer ones are no plain statements; the table grows with the square. */
const longest = 60

const words = (text: string) => text.toLowerCase().match(/[\p{Script=Han}]|[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu) ?? []

/** Length of the longest common subsequence of a from i on and b from j on. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => Array<number>(b.length + 1).fill(0))
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i]![j] = a[i] === b[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!)
    }
  }
  return table
}
