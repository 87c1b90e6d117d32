/**
 * Whether a message is of a kind that is answered better by knowing the person: a linear logistic classifier over the wording and the
 * embedding that recall has at hand anyway. It knows no memory: recall adds it to what the evidence says.
 */

import { NEED_SCALE, NEED_WEIGHTS } from './need-weights.ts'

const DIMENSIONS = 384
/** Log-odds are cut here: a kind of message is a hint, and evidence must be able to overrule it. */
const MOST = 4
/** What the certain rules say. */
const CERTAIN = 3
/** The least for a message that says whose case it is about. */
const PERSONAL = 2
const personal = /\bmy own\b|\bin my (?:own )?(?:case|situation|position|place|shoes)\b|\b(?:someone|somebody|a person|people) like me\b/i

const leadIn =
  /^(?:(?:hi|hey|hello|ok|okay|so|now|then|and|also|please|pls|great|thanks|well)[,!.]? +|(?:can|could|would|will) (?:you|u) (?:please |also )?|i(?:['’]d| would) like you to |i (?:want|need) you to |(?:tell|show) me how to |how (?:to|do you|can (?:i|we)) |help me (?:to )?|let['’]?s )+/i

const PATTERNS: readonly RegExp[] = [
  // the person
  /\b(?:I|me|mine|myself)\b|\bi['’]?(?:m|ve|d|ll)?\b/,
  /\bmy\b/i,
  /\b(?:ich|mir|mich|mein\w*|yo|mis?|je|moi|mon|mes)\b|[我咱]/i,
  /\b(?:we|our|us|ours)\b/i,
  /\b(?:for|suits?|suit|fits?|tell|show|find|give|get) (?:me|us)\b/i,
  /\b(?:should|shall|would|could|can|might) (?:I|we)\b/i,
  /\b(?:am|do|did|have|was|had|were) (?:I|we)\b/i,
  /\bI (?:should|could|might|can|need|want|like|love|prefer|usually|enjoy|plan|planned|said|told|mentioned|have|had|did|use|own)\b/i,
  /\bI(?:['’]m| am|['’]ve| have| was|['’]d)\b/i,
  /\bmy (?:wife|husband|partner|girlfriend|boyfriend|sons?|daughters?|kids?|child|children|mom|mum|mother|dad|father|parents|brother|sister|dogs?|cats?|pets?|boss|roommate|friends?|family|home|house|flat|car|job|work|holiday|trip|birthday|budget|health|garden|phone|computer|diet)\b/i,
  /\b(?:remind|remember|earlier|last time|usual|usually|as always|favou?rite|told you|mentioned|we (?:talked|discussed)|know about me|(?:way|how|as) I (?:like|prefer))\b/i,
  // advice and choice
  /\b(?:recommend\w*|suggest(?:ions?)?|advi[cs]e|tips?|ideas?|options?)\b/i,
  /^(?:recommend|suggest|plan|pick|choose|book|order|find|help|put|play|set|turn|remind)\b/i,
  /\b(?:looking (?:for|to)|planning|plan to|thinking (?:of|about)|considering|want to|need (?:a|to|some)|would like|['’]d like|going (?:to|on)|interested in|in the mood)\b/i,
  /\b(?:best|good|top|great|ideal|popular|must-\w+|worth|right|better)\b/i,
  /\b(?:what|which|where|who|how|when)\b.{0,60}\b(?:should|would you|could|can) /i,
  // self-contained work
  /^(?:write|give|make|create|generate|draft|compose|list|enumerate|complete|continue|tell|show)\b/i,
  /^(?:re-?write|rephrase|paraphrase|translate|correct|fix|proof-?read|edit|shorten|expand|summari[sz]e|improve|simplify|convert|format|sort|extract|classify|traduce|traduis|übersetze|翻译)\b/i,
  /^(?:implement|refactor|debug|optimi[sz]e|code|test|run|simulate|execute|print|add|remove|use|install|solve|calculate|compute|evaluate|prove|find the|count)\b/i,
  /^(?:explain|define|describe|compare|discuss|analy[sz]e|identify|what does|what is|what are|what['’]s|who (?:is|was|are)|why|where (?:is|does)|how (?:many|much|does|did|is|are)|is|are|does|did|was|were)\b/i,
  /\b(?:act as|pretend|role-?play|you are (?:a|an|now|the)|your task is|as an ai|ignore (?:all|the|your)|in the style of|from the perspective of)\b/i,
  /\b(?:the (?:following|above|below|previous|code|text|sentence|function|article|paragraph|output|table)|this (?:code|text|sentence|function|one|paragraph|passage|error|line|word|article|email)|below|these)\b/i,
  /\b(?:python|java(?:script)?|typescript|c\+\+|c#|rust|golang|sql|html|css|react|regex|json|yaml|api|bash|linux|docker|git|excel|class(?:es)?|functions?|method|variable|algorithm|loop|compile|unit tests?|exception|code|script|lines?)\b/i,
  /\b(?:essay|poem|story|haiku|lyrics|song|joke|blog|article|headline|slogan|caption|synonyms?|antonyms?|grammar|grammatical\w*|sentences?|words?|translation)\b/i,
  /`{3}|"{3}|[{}<>\\|]|[=;]\s*$|\w\(.*\)|=>|^\s*(?:import|def|class|function|const|public|return|#include)\b/m,
  /_{2,}|\d ?[+*/^=×÷] ?\d|\bx ?=/,
  /https?:|www\./i,
  /["“”«»]/,
  /:/,
  /\n/,
  /\n[^]*\n[^]*\n/,
  // talk
  /^(?:hi|hello|hey|good (?:morning|evening|night)|thanks?|thank you|bye|ok(?:ay)?|yes|no|sure|cool|great|wow|nice|go on|next|more|continue|again)\b/i,
  /\b(?:you|your|yours)\b/i,
  // a told event or a named person
  /\b(?:did|was|were|had|ago|last|yesterday|since|happened|went|met|said)\b/i,
  /[^.?!\s] (?!I\b)\p{Lu}\p{Ll}+/u,
  /\?/,
  /\d/,
  /^\P{Lu}*$/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}]/u,
]
const LENGTHS = [2, 4, 7, 12, 20, 40, 100]

/** A constant, the wording, the embedding. */
export const NEED_FEATURES = 1 + PATTERNS.length + LENGTHS.length + DIMENSIONS

const weights = Int8Array.from(atob(NEED_WEIGHTS), char => char.charCodeAt(0))

export function needFeatures(query: string, embedding: Float32Array): Float32Array {
  // Where a message is longer, its first part says what is wanted; the rest only counts as length.
  const text = query.slice(0, 1000).trim()
  const bare = text.slice(leadIn.exec(text)?.[0].length ?? 0)
  const words = query.slice(0, 4000).split(/\s+/).filter(Boolean).length
  const all = new Float32Array(NEED_FEATURES)
  all[0] = 1
  // Rules that look at the start see it without its lead-in too ("can you please …").
  PATTERNS.forEach((pattern, i) => (all[1 + i] = pattern.test(text) || (pattern.source.startsWith('^(') && pattern.test(bare)) ? 1 : 0))
  LENGTHS.forEach((length, i) => (all[1 + PATTERNS.length + i] = words > length ? 1 : 0))
  // A normalised embedding's components are about 1/√384: brought to the size of the other features.
  for (let i = 0; i < DIMENSIONS; i++) all[NEED_FEATURES - DIMENSIONS + i] = 4 * embedding[i]!
  return all
}

/** Nothing but a greeting, thanks or assent. */
const courtesy =
  /^\s*(?:(?:hi|hello|hey|good (?:morning|afternoon|evening|night)|thank(?:s| you)(?: so much| very much| a lot)?|(?:good)?bye|ok(?:ay)?|yes|no|cool|great|nice|continue|go on|more please)[\s,.!]*){1,4}$/i

const chineseCourtesy =
  /^(?:早安|[早下晚]上?午?好|晚安|再见|拜拜|多?谢|感谢|明白|知道|没问题|不客气|继续|[你您请好的了啊呀哈嗯哦行\s，。、,.!！~～]){1,20}$/

/** Whether a Chinese message is a greeting, thanks, a farewell or assent and nothing else: no model that says so reads it. */
export const isChineseCourtesy = (query: string): boolean => chineseCourtesy.test(query.trim())

/**
 * Log-odds, from −4 to 4, that a message of this kind is answered better by knowing the person (advice, choices, plans, questions about
 * the person or about what was told) than without (code, rewriting, general knowledge, greetings), where both are equally frequent.
 * `embedding` is the message's, embedded as a query. Without one the answer is 0 unless the wording alone is certain.
 */
export function need(query: string, embedding?: Float32Array): number {
  if (query.trim() === '') return 0
  if (query.length < 100 && courtesy.test(query)) return -CERTAIN
  if (embedding?.length !== DIMENSIONS) return query.includes('```') ? -CERTAIN : 0
  const x = needFeatures(query, embedding)
  let score = 0
  for (let k = 0; k < NEED_FEATURES; k++) score += weights[k]! * x[k]!
  score *= NEED_SCALE
  if (!Number.isFinite(score)) return 0
  return Math.max(personal.test(query.slice(0, 400)) ? PERSONAL : -MOST, Math.min(MOST, score))
}
