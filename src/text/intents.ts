/** What a person says in the chat about the memory itself. */

export interface CorrectionIntent {
  /** `forget`: erase what matches `about`. `forget-all`: erase everything. `wrong`: what was stated last does not hold. `confirm`: it does. */
  kind: 'forget' | 'forget-all' | 'wrong' | 'confirm'
  /**
   * `forget-all`: empty. `forget`: what to erase, in the person's words (“I like tea”, “my phone number”), empty for “forget that”. `wrong`: what holds instead, or
   * what does not hold (“I never said I like tea”), empty when nothing is added. `confirm`: what is added to the yes, mostly empty.
   */
  about: string
}

/** How a person begins to ask for something. */
const ASKING =
  /^(?:please |now |ok(?:ay)?,? |(?:can|could|would|will) you (?:please )?|you (?:can|should|may) |i(?:'d| would) like you to |i want you to )+/i

const FORGET: readonly RegExp[] = [
  /^(?:forget|erase|delete|unlearn|remove|stop remembering|don't remember|do not remember)\b(?: (?:about|that|the fact that|(?:everything|all) (?:(?:(?:that )?you (?:know|remember)|(?:that )?i(?:'ve| have)? (?:said|told you)) )?about|what (?:i (?:said|told you)|you know) about|what i said|what i told you))*(?:[:, ]+(.*?))?(?: from (?:your|the) memory)?(?:,? (?:please|now))*$/i,
  /^(?:请|请你)?(?:忘(?:记|掉|了)|删除|删掉|不要记住?|别记住?)(?:关于|掉)?(.*?)(?:的?(?:事|信息|记录))?$/,
  /^(?:bitte )?(?:vergiss|lösche|vergessen sie)\b(?: bitte)?(?:,? dass| was ich über| alles über)? ?(.*)$/i,
  /^(?:por favor,? )?(?:olvida|olvídate de|borra|elimina)\b(?: que| lo que dije sobre| todo sobre)? ?(.*)$/i,
]
/** What names no thing, but all of them. */
const FORGET_ALL: readonly RegExp[] = [
  /^(?:forget|erase|delete|wipe|clear) (?:(?:(?:all|everything|what) about |about )?me|everything|(?:(?:all|everything)(?: that)? (?:you|i)|what you)(?:'ve| have)? (?:know|remember|learn(?:ed|t)|stored|said|told you)(?: about me)?|(?:all )?(?:your memory|my data))(?:,? please)?$/i,
  /^(?:请|请你)?(?:把|忘(?:记|掉|了)|删除|清除|清空)(?:关于)?我?的?(?:一切|所有|全部|你的记忆)(?:的?(?:信息|记录|数据|记忆))?(?:都?(?:忘(?:记|掉|了)|删除|清除|清空))?吧?$/,
  /^(?:vergiss|lösche) alles(?:,? was du(?: über mich)? weißt| über mich)?$|^(?:olvida|borra) todo(?: lo que sabes)?(?: (?:sobre|de) mí)?$/i,
]

/** “Forget it” changes the subject; the rest is said to a machine that is to drop its rules, or about forgetting in general. */
const NO_FORGETTING =
  /^(?:it|about it|what i asked|the (?:above|previous|last (?:question|request|message))|(?:all |any |your |the )*(?:previous |prior |above |earlier |system )+(?:instructions?|prompts?|rules|messages?|context).*|your (?:instructions|rules|training|guidelines).*|everything (?:above|before|you were told|you've been told).*|这件事吧|it,? .*|to .*|me not.*)$/i
/** Work on a text or a program. */
const NO_MEMORY =
  /\b(?:lines?|files?|rows?|columns?|words?|sentences?|paragraphs?|duplicates?|elements?|code|function|list|table|spaces?|column|string|item|background|stain)\b/i

const WRONG =
  /^(?:no[,.! ]+|sorry,? |but |wait,? |hey,? )*(?:(?:that|this|it)(?:'s| is| was)(?: just| simply| totally| completely)? (?:wrong|not (?:right|true|correct|what i (?:said|meant))|incorrect|false|a mistake|outdated|no longer (?:true|right|correct))|(?:that|this) isn't (?:right|true|correct)|you(?:'re| are) (?:wrong|mistaken)(?: about (?:that|me|this))?|you(?:'ve| have)? got (?:that|it|this|me) wrong|i never (?:said|told you)(?: that)?|i (?:didn't|did not) say (?:that|so)|wrong(?=$|\s*[,.;:!–—-]))(?![\w'])[\s,.;:!–—-]*(.*)$/i
const WRONG_OTHER =
  /^(?:不对|不是(?:的|这样)?(?=[，,。！\s]|$)|错了|你(?:记|说|搞)错了|这不对|我没(?:有)?说过?)[，,。！!\s]*(.*)$|^(?:nein,? )?(?:das (?:stimmt nicht|ist (?:falsch|nicht (?:richtig|wahr)))|falsch)[\s,.!]*(.*)$|^(?:no,? )?(?:eso (?:no es (?:cierto|verdad|correcto)|es (?:falso|incorrecto))|te equivocas)[\s,.!]*(.*)$/i

const CONFIRM =
  /^(?:yes|yeah|yep|yup|right|correct|exactly|that(?:'s| is) (?:right|correct|true|it)|you(?:'re| are) right|indeed|precisely|true|confirmed|sure (?:is|am|do))(?=$|\s*[,.;:!–—-]|\s+(?:i|that|it|you|my|we)\b)[\s,.;:!–—-]*(.*)$/i
const CONFIRM_OTHER =
  /^(?:是的|对(?:的|啊)?(?=[，,。！!\s]|$)|没错|正确|嗯，?对)[，,。！!\s]*(.*)$|^(?:ja|genau|richtig|stimmt|das stimmt)(?=[\s,.!]|$)[\s,.!]*(.*)$|^(?:sí|exacto|correcto|así es|es verdad)(?=[\s,.!]|$)[\s,.!]*(.*)$/i
/** A yes to an offer, not to a statement. */
const NO_CONFIRMING =
  /^(?:please|do\b|go (?:on|ahead)|let's|show|give|tell|write|make|can you|could you|but\b|or\b|now|and (?:then|now)|the|here|there|away|bitte|gerne|por favor|请)|\?\s*$/i

/** What the message says about the memory, or null. English, with the plainest forms in Chinese, German and Spanish. */
export function correctionIntent(text: string): CorrectionIntent | null {
  const head = text
    .slice(0, 400)
    .replaceAll('’', "'")
    .trim()
    .replace(/[\s.!。！~]+$/u, '')
  if (head === '' || head.includes('\n\n')) return null
  const request = head.replace(ASKING, '')
  if (FORGET_ALL.some(pattern => pattern.test(request))) return { kind: 'forget-all', about: '' }
  for (const pattern of FORGET) {
    const match = pattern.exec(request)
    if (!match) continue
    const about = bare(match.slice(1).find(part => part) ?? '')
    const known =
      /\b(?:I|i|my|me|you know|you remember|i told you|i said)\b|from (?:your|the) memory|我|ich|mein|yo|mi\b/.test(head) || about === ''
    if (NO_FORGETTING.test(about)) return null
    // “Delete” and “remove” are said of texts and programs too.
    const other =
      /\b(?:remove|delete|erase|unlearn)\b/i.test(head) &&
      !/from (?:your|the) memory|^(?:my (?!code|function|list|file)|i\b|me\b|everything)/i.test(head.slice(head.indexOf(about)))
    return other || (!known && NO_MEMORY.test(about)) ? null : { kind: 'forget', about }
  }
  const wrong = WRONG.exec(head) ?? WRONG_OTHER.exec(head)
  if (wrong) return { kind: 'wrong', about: bare(wrong.slice(1).find(part => part) ?? '') }
  const yes = CONFIRM.exec(head) ?? CONFIRM_OTHER.exec(head)
  if (!yes) return null
  const rest = bare(yes.slice(1).find(part => part) ?? '')
  return NO_CONFIRMING.test(rest)
    ? null
    : {
        kind: 'confirm',
        about: /^(?:that(?:'s| is)? (?:right|correct|true)|right|correct|exactly|you(?:'re| are) right)$/i.test(rest) ? '' : rest,
      }
}

/** Whether the message asks for something to be erased from the memory. */
export function wantsForgetting(text: string): boolean {
  const kind = correctionIntent(text)?.kind
  return kind === 'forget' || kind === 'forget-all'
}

function bare(text: string): string {
  return text
    .trim()
    .replace(/^[,:;，：\s]+|[\s,.;!。！，]+$/gu, '')
    .replace(/^(?:that|dass|que)\s+(?=\S)/i, '')
    .replace(/^that$/i, '')
}

const MANNER =
  /\b(?:the way|how|as|like) i (?:like|prefer|want(?:ed)?|asked|told you)\b|\bmy (?:preferred|usual|favou?rite) (?:format|style|form|tone|way|language|length)\b|\bhow (?:should|do i (?:want|like|prefer)|would i (?:want|like))\b.{0,30}\b(?:repl(?:y|ies)|answers?|responses?|summary|summaries|messages?|explanations?|address(?:ed)?|called?)\b/i

/** Whether the message asks for, or asks about, the manner in which the person wants to be answered. */
export function asksForManner(text: string): boolean {
  return MANNER.test(text.slice(0, 400).replaceAll('’', "'"))
}

const FACT =
  /^(?:and |so |please,? )?(?:(?:at|by|for|from|in|of|on|to|until|with) )?(?:what|which|who|whose|whom|where|when|how|do|did|am|have|is|are)\b.{0,60}\b(?:(?:am|do|did|have|was) I|(?:is|are|was|were) my)\b/i

const SEVERAL = /.\b(?:and|or) (?:what|which|who|where|when|how|do|did|am)\b/i

/** Whether a message asks outright for one thing about the person: “What is my blood type?”, “Where do I live?”. */
export function asksForFact(text: string): boolean {
  return text.length <= 120 && FACT.test(text.trim()) && !SEVERAL.test(text.trim())
}

const SHORT_QUESTION = /^(?:[^\s.!?…]+ ){1,7}[^\s.!?…]+\?\s*$/

/** Whether a message is one question of two to eight words and nothing else. */
export function isShortQuestion(text: string): boolean {
  return SHORT_QUESTION.test(text)
}
