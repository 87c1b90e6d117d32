/** What the wording of a statement shows, beside its embedding. The order is the order of the trained weights. */

import type { Proposition } from './propositions.ts'

const IN_STATEMENT: readonly RegExp[] = [
  // who it is about
  /\b(?:I|me|my|mine|myself)\b|\bi['’]?(?:m|ve|d|ll)?\b/,
  /^(?:I|i)\b/,
  /^(?:my|our|My|Our|We|we)\b/,
  /\b(?:we|our|us|ours)\b/i,
  /\b(?:you|your|yours|u|ur)\b/i,
  /\b(?:he|she|they|him|her|his|their|them)\b/i,
  /^(?:that|this|it|those|these)\b|^(?:that|it)['’]s\b/i,
  /^(?:the|a|an|there)\b/i,
  /^\p{Lu}[\p{L}]+ (?:\p{Lu}[\p{L}]+ )?(?:is|was|are|were|has|plays|works|lives|died|speaks|wrote)\b/u,
  /\b(?:my|our) (?:wife|husband|partner|girlfriend|boyfriend|son|daughter|kids?|children|mom|mum|mother|dad|father|parents|brother|sister|dog|cat|boss|flatmate|roommate|friend|doctor|coach)\b/i,
  // what kind of verb
  /\b(?:like|love|hate|prefer|enjoy|dislike|adore|favou?rite|can['’]?t stand|fan of|allergic|avoid|rather|fond|into|interested|trust)\b/i,
  /\b(?:am|['’]m|have|['’]ve|live|work|own|use|drive|study|speak|play|go|take|eat|drink|run|keep)\b/i,
  /\b(?:was|were|did|had|got|went|made|took|\w{2,}ed)\b/i,
  /\b(?:will|['’]ll|going to|gonna|plan(?:ning)?|tomorrow|next (?:week|month|year)|soon)\b/i,
  /\b(?:might|may|maybe|perhaps|could|would|should|if|wonder|imagine|suppose)\b/i,
  /\b(?:trying to|want to|need to|looking (?:for|to)|wondering|hoping to|would like to|struggling|having trouble|not sure|kinda worried)\b/i,
  /^(?:\p{L}+ly |please |then |now |just |ok |can you |could you |let['’]?s )?(?:write|give|make|show|tell|list|explain|create|generate|find|suggest|recommend|help|translate|compare|describe|provide|complete|continue|rewrite|plan|identify|calculate|summari[sz]e|add|use|do|try|design|draft|let|lets|set|turn|play|book|order|remind|convert|name|consider|reconsider|look|take|go|enjoy|keep)\b/iu,
  /^(?:what|who|where|when|why|how|which|is|are|do|does|did|can|could|would|will|should|any|have you)\b/i,
  // time and change
  /\b(?:now|no longer|any ?more|no more|switched|moved|quit|stopped|these days|from now on|from here on|instead|lately|started|changed|given up|gave up|used to|became|new)\b/i,
  /\b(?:always|usually|every|often|never|each|weekly|daily|regularly|mostly|as usual|most of|weekends?|mornings?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b/i,
  /\b(?:again|another|one more|usual|still|third|in a row|running)\b/i,
  /\b(?:today|this morning|tonight|just|yesterday|right now|last (?:week|night|weekend|month)|this (?:week|weekend))\b/i,
  /\b(?:for \w+ years|since|years? ago|years old|born|grew up|named|called|name is)\b/i,
  // talk
  /^(?:thanks?|thank you|wow|yeah|yes|yep|no|nope|haha|sure|great|nice|oh|aw+|congrats|congratulations|sounds|looks|definitely|absolutely|totally|exactly|agreed?|of course|cool|awesome|amazing|glad|sorry|good|way to go|bye|take care|hope|can['’]t wait|right|true|for sure|welcome|no (?:problem|worries))\b/i,
  /\b(?:great|awesome|amazing|inspiring|wonderful|special|beautiful|important|incredible|fun|nice|cool|rewarding|support(?:ive)?|journey|dreams?|motivat\w+|passion\w*|express\w*|appreciate|grateful|proud|excited|hope|glad|feeling?s?)\b/i,
  /[,!] ?\p{Lu}\p{Ll}+[!.?]?$|^(?:hey|hi|thanks|wow|yeah|yep|sure|congrats|cool|nice),? \p{Lu}\p{Ll}+/u,
  /!/,
  /\d/,
  /["“”]/,
  /:/,
  /\b(?:please|pls)\b/i,
  /\b(?:from now on|going forward|in (?:the )?future|call me|remember|don['’]t (?:mention|bring up|suggest|use|call)|when(?:ever)? I ask|to me|your (?:answers|replies|responses)|with me)\b/i,
  /\b(?:says?|said|told|tells|asked|wrote|heard|read that|according to)\b/i,
  /[{}<>=_\\|]|https?:/,
  /\p{Ll}\p{L}* \p{Lu}\p{Ll}+/u,
  /^\P{Lu}*$/u,
]

/** Told by the rest of the message: talk between people about each other, or a task around the statement. */
const IN_REST: readonly RegExp[] = [
  /^(?:\s*)(?:thanks?|thank you|wow|yeah|yep|haha|sure|great|nice|aw+|congrats|sounds|definitely|absolutely|totally|agreed?|cool|awesome|glad|sorry|no (?:problem|worries))\b/i,
  /(?:^|[,!.] ?)(?:hey|hi|thanks|thank you|wow|yeah|yep|sure|congrats|cool|nice|bye|agree|sorry)?,? ?\p{Lu}\p{Ll}+[!,.?] /u,
  /[?？]/,
  /!/,
  /\b(?:can|could|would) you\b|\bhelp me\b|\bhow (?:do|can|should) I\b/i,
]

/** Number of features besides the embedding. */
export const SURFACE = IN_STATEMENT.length + IN_REST.length + 6

/** 0 or 1 each. Only the first 400 units of the statement and of the message around it count. */
export function surface(p: Proposition, message: string): number[] {
  const text = p.text.slice(0, 400)
  const rest = (message.slice(Math.max(0, p.span[0] - 200), p.span[0]) + ' ' + message.slice(p.span[1], p.span[1] + 200)).trimStart()
  const words = text.split(/\s+/).length
  return [
    ...IN_STATEMENT.map(pattern => (pattern.test(text) ? 1 : 0)),
    ...IN_REST.map(pattern => (pattern.test(rest) ? 1 : 0)),
    rest.trim() === '' ? 1 : 0,
    words <= 3 ? 1 : 0,
    words > 3 && words <= 6 ? 1 : 0,
    words > 6 && words <= 12 ? 1 : 0,
    words > 20 ? 1 : 0,
    p.span[0] === 0 ? 1 : 0,
  ]
}
