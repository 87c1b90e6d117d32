/** Is a statement worth remembering? Certain rules first, then a small linear classifier over the statement's embedding and wording. */

import type { IgnoredReason } from '../memory.ts'
import { classify, type StatementClass } from './classifier.ts'
import { orderedState } from './change.ts'
import { language, type Language } from './language.ts'
import type { Proposition } from './propositions.ts'

export interface ScreenContext {
  /** The whole message the statement stands in. */
  message: string
  /** Embedding of the statement alone, as a passage, normalised, by bge-small-en-v1.5. Without it the wording alone decides, less well. */
  embedding?: Float32Array | undefined
  /** Set in a chat between people: what reads as addressed to an assistant is then said to a person. */
  speaker?: string | undefined
}

export interface Kept {
  keep: true
  /** `latent`: a single act that hints at something lasting. */
  origin: 'explicit' | 'latent'
  /** A standing instruction to the assistant. */
  instruction: boolean
  /** Passes by itself, a mood within a day or so, a `spell` (an illness, a journey, what is said of this week) within weeks. */
  passing: 'mood' | 'spell' | null
  /** Probability of being worth keeping, ∈ [0,1]; 1 where a rule decided. */
  probability: number
}

export interface Dropped {
  keep: false
  reason: IgnoredReason
  /** As above; 0 where a rule decided. */
  probability: number
}

export type Screening = Kept | Dropped

/** Least probability of the classes worth keeping; the bench `admission` and the noise of `drift` set it. */
export const KEEP_THRESHOLD = 0.6

/** What the certain rules say, or null when the classifier must decide: only then is an embedding needed. */
export function screenByRule(p: Proposition, context: ScreenContext): Screening | null {
  if (p.kind === 'recalled') return drop('recalled')
  if (p.kind === 'transcript' || STEERING.test(p.text)) return drop('instruction-like')
  if (p.kind === 'quotation') return drop('quotation')
  if (p.kind !== 'statement') return drop('pasted')
  if (!/[\p{L}\p{N}]/u.test(p.text)) return drop('empty')
  // An exercise with a gap to fill.
  if (/_{3,}|\[blank\]/i.test(p.text)) return drop('pasted')
  const text = p.text.trim().replaceAll('’', "'")
  const tongue = language(text)
  if (tongue !== 'en') return foreign(text, tongue)

  if (context.speaker === undefined && orderedState(text) !== null) return keep(text, {})
  if (isStanding(text, context)) return /https?:|www\./i.test(text) ? drop('instruction-like') : keep(text, { instruction: true })
  if (SMALL_TALK.test(text)) return drop('small-talk')
  const told = toldInQuestion(text)
  if (!told && isQuestion(text))
    return drop(/^(?:can|could|would|will) you\b|^(?:can|could|may) (?:i|we) (?:get|have)\b/i.test(text) ? 'request' : 'question')
  if (told) return keep(text, {})
  // A message that is a quotation as a whole quotes its writer.
  if (QUOTED.test(text) && !(p.text.length === context.message.trim().length && /^["“«„']\s*(?:i|my|we|our)\b/i.test(text)))
    return drop('quotation')
  // “Here is my current code:” belongs to what follows it.
  if (/:$/.test(text) && context.message.slice(p.span[1]).trim() !== '') return drop('request')
  if (HYPOTHETICAL.test(text)) return drop('hypothetical')
  if (MOVED.test(text)) return keep(text, {})
  // Somebody not named in the same statement: nobody could tell later who was meant. “You” is whoever reads it.
  if (/^(?:he|she|they|you)\b|^(?:he|she|they|you)'/i.test(text) && !FIRST_PERSON.test(text)) return drop('other-people')
  return null
}

/** The rules, and where they leave it open the classifier. */
export function screen(p: Proposition, context: ScreenContext): Screening {
  const ruled = screenByRule(p, context)
  if (ruled) return ruled
  const text = p.text.trim().replaceAll('’', "'")
  // “I'm coeliac, what bread can I bake?”: the question beside it makes no task of a statement about the speaker. “I'm trying to…” is one.
  const before = context.message.slice(Math.max(0, p.span[0] - 20), p.span[0])
  const next = context.message.slice(p.span[1], p.span[1] + 200)
  const beside =
    /\b(?:since|because|considering|given|as|that|how|now)\s+$/i.test(before) || (/^[^.!?\n]+\?/.test(next) && !/[.!]$/.test(text))
  const alone = beside && ABOUT_SELF.test(text) && !TASK.test(text)
  const { probability, best } = alone
    ? classify({ ...p, span: [0, p.text.length] }, p.text, context.embedding)
    : classify(p, context.message, context.embedding)
  if (probability < KEEP_THRESHOLD) return { keep: false, reason: reasonOf(best, text), probability }
  return { ...keep(text, { instruction: best === 'instruction', latent: best === 'latent' }), probability }
}

/** A new home, however it is worded. */
const MOVED = /^(?:I|We)(?:'ve| have)? (?:just |finally |recently |now |already )?(?:moved|relocated)(?: over| back| away)? to [A-Z]/

const ABOUT_SELF = /^(?:i|i'(?:m|ve)|we|we'(?:re|ve)|my|our)\b/i
const TASK =
  /\b(?:trying|try|want|need|looking|wonder(?:ing)?|wondered|hoping|sure|unsure|trouble|struggling|stuck|kinda|confused|curious|worried|planning|would like|should|could|error|issue|code|app|problem)\b/i
const FIRST_PERSON = /\b(?:i|i'(?:m|ve|d|ll)|me|my|mine|myself|we|our|us)\b/i

/** Tries to take over the assistant, or talks to the memory as a third party. */
const STEERING =
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|above|earlier|preceding|system|your|all)\b.{0,20}\b(?:instructions?|prompts?|rules|guidelines|messages|directives|context)\b|\b(?:system|developer) prompt\b|\byou are now (?:in )?(?:dan|an? (?:unrestricted|unfiltered)|developer mode|jailbroken)|\b(?:enter|enable|activate) (?:developer|dan|god) mode\b|\bnew (?:system )?instructions?:|^(?:note|message|attention|instructions?) (?:to|for) (?:the )?(?:ai|assistant|model|llm|chatbot)\b|<\/?(?:system|credence-memory|instructions?)\b|<\|(?:im_start|im_end|system|user|assistant)\|>|\[\/?INST\]|忽略(?:之前|以上|前面|所有|上面).{0,8}(?:指令|提示|规则|内容)|ignorier\w* .{0,20}(?:anweisung|instruktion|regel)\w*|ignora\w* .{0,25}(?:instruccion|reglas)\w*/i

/** Nothing but politeness. Names may follow. */
const TALK_WORD =
  "thanks?|thank you|thx|ty|cheers|hi|hiya|hello|hey|yo|good (?:morning|evening|afternoon|night|day|one|point|idea|job|luck)|morning|bye|goodbye|see you|see ya|talk (?:to you )?(?:soon|later)|take care|ok|okay|k|alright|sure|yes|yeah|yep|yup|no|nope|nah|right|exactly|correct|great|nice|cool|awesome|amazing|perfect|wonderful|lovely|excellent|fantastic|brilliant|sweet|wow|oh|ah|aw+|haha+|lol|hmm+|welcome|you're welcome|no (?:problem|worries)|of course|got it|i see|i understand|understood|makes sense|agreed|i agree|totally|definitely|absolutely|indeed|please|again|so much|very much|a lot|for (?:that|this|everything|your help|the help|sharing|asking|the tips?|the info(?:rmation)?)|that helps?|sounds? (?:good|great|fun|nice|like a plan|amazing|awesome|interesting|delicious)|that(?:'s| is| sounds| was)? (?:so |really |very |pretty |just |a )?(?:great|good|nice|cool|awesome|amazing|perfect|wonderful|lovely|helpful|interesting|funny|true|right|fine|impressive|inspiring|beautiful|sad|awful|terrible|fun)|how are you(?: doing)?|what's up|nice to (?:meet|hear from) you|have a (?:great|good|nice|lovely) (?:day|one|evening|weekend|time)|well done|congrats|congratulations|sorry|more please|go on|continue|next|and|but|too|there|all|everyone|guys|man|buddy|my friend|friend|assistant|in advance"
const SMALL_TALK = new RegExp(`^(?:(?:${TALK_WORD}|[A-Z][a-z]+(?=[!.,]*$))[\\s,.!?;:~)(😀-🙏-]*)+$`, 'iu')

const QUOTED =
  /^["“«„'].*["”»“'][.!?]?$|^(?:he|she|they|someone|somebody|people|my \w+|\w+) (?:said|says|told me|wrote|asked|goes)[:,]? ["“'«]/is
const HYPOTHETICAL =
  /^(?:if(?! (?:i|you)(?:['’]m| am| ever)? ask)|imagine|suppose|assume|assuming|pretend|hypothetically|let's (?:say|pretend|imagine)|say (?:i|that|you)|what if|in case)\b|\b(?:if (?:i|we) were|i wish (?:i|we|that)|i would have|i'd have (?:been|done|gone)|if only)\b/i

const TAG = /,? (?:right|remember|ok(?:ay)?|you know|huh|yeah|correct|isn't it|don't you|haven't i|aren't i|don't i|didn't i)\s*\?+$/i

/** A statement in the coat of a question: “I'm vegan, remember?”, “Did you know that I moved?”. */
function toldInQuestion(text: string): boolean {
  if (TAG.test(text) && /^(?:i|my|we|our)\b/i.test(text)) return true
  return /^(?:did you know|do you know|you know|have i (?:told|mentioned)(?: you)?|did i (?:tell|mention)(?: you)?|can you remember|could you (?:remember|note)|do you remember)\s+(?:that\s+)?(?:i|my|we|our)(?:'\w+)?\s+(?!like to|should|can|do\b)\w+/i.test(
    text,
  )
}

function isQuestion(text: string): boolean {
  if (/[?]["')\s]*$/.test(text)) return true
  if (/^(?:what|how) (?:a|an)\b/i.test(text)) return false
  return /^(?:(?:and|but|so|ok|also|please)[, ]+)*(?:what(?:'s| is| are| was| were| do| does| did| would| should| can| could| will| kind| type| time| other| else| about| if| arte)?|who(?:'s| is| was| are)?|whom|whose|where(?:'s| is| are| do| does| did| can)?|when (?:is|are|do|does|did|was|will|should|can)|why|how|which)\b(?! (?:i|my|we) (?:like|love|want|hate|need|prefer|do|am|have|enjoy)\b)/i.test(
    text,
  ) && !/^when\b/i.test(text)
    ? true
    : /^(?:is|are|was|were|do|does|did|can|could|would|should|will|has|have|am|may|shall) (?:i|you|he|she|it|they|we|there|this|that|these|those|the|my|your|a|an|any|anyone|someone|people)\b/i.test(
        text,
      ) && !/^(?:do not|did (?:my|our|the|some|a))\b/i.test(text)
}

/** Characters of a message in which “for salads, use a large bowl” is an order to the assistant, and not a line of a recipe. */
const longestOrder = 200
const ORDER =
  "(?:please |always |never )*(?:use|write|give|keep|show|stick to|prefer|avoid|include|add|sign|answer|reply|respond|suggest|recommend|list|put|make it|start|end|skip|leave out|mention|don't|do not)\\b"
/** What holds for one kind of task: “when drafting emails, sign as Jo”, “for recipes, use metric units”, “keep it vegan when I ask what to cook”. */
const FOR_A_KIND = new RegExp(
  `^(?:(?:please|and|also|so),? )*(?:(?:when(?:ever)? (?:drafting|writing|answering|replying|suggesting|recommending|summari[sz]ing|explaining|translating|planning|quoting|describing)\\b[^,.!?]{0,60}, |for (?:my |our |all )*(?!th|example)[a-z]+s, )${ORDER}|${ORDER}.* when(?:ever)? i ask\\b)`,
  'i',
)

/** A standing instruction to the assistant. */
function isStanding(text: string, context: ScreenContext): boolean {
  if (context.speaker !== undefined) return false
  const lead =
    "^(?:(?:please|pls|and|so|also|ok(?:ay)?|hey|can you|could you|would you|will you|i want you to|i'd like you to|i would like you to|you should|you must)[, ]+(?:please )?)*"
  const asked = new RegExp(
    `${lead}(?:always\\b(?! (?:wanted|been|a|an|the|had|felt|thought|good|great|nice|fun|happy|glad|so|there|up|in|on|something)\\b| (?:love|hate|lik|dream))|never (?!been|had|mind|again|heard|seen|knew|thought|a\\b|the\\b)\\w+|from now on\\b,? (?!i\\b|my\\b|it\\b)|going forward\\b,? (?!i\\b|my\\b)|in (?:the )?future,? (?!i\\b|my\\b)|whenever i |(?:when(?:ever)?|if) (?:i|you)(?:['’]m| am| ever)? (?:ask|asking|write|answer|reply|respond|talk|recommend|suggest|give|send|say|mention)\\b|every time (?:i|you) |call me (?!back|when|later|if|tomorrow|a\\b|crazy)|address me |refer to me |(?:answer|reply|respond|write|speak|talk) (?:to me|me)? ?(?:only |always )?(?:in|with|using|like)\\b.{0,40}(?:from now on|always|please\\.?$)|(?:please )?(?:write|speak|talk) to me (?:in|with|like)|(?:don't|do not|stop|never) (?:mention|mentioning|bring(?:ing)? up|remind(?:ing)? me|suggest(?:ing)?|recommend(?:ing)?|call(?:ing)? me|ask(?:ing)? me|us(?:e|ing) (?:emojis?|bullet|tables?|markdown|jargon|slang|my )))`,
    'i',
  )
  if (asked.test(text) || (context.message.length <= longestOrder && FOR_A_KIND.test(text))) return true
  if (
    /\b(?:from now on|going forward|in future|always|every time|by default)\b/i.test(text) &&
    new RegExp(
      `${lead}(?:answer|reply|respond|write|speak|talk|use|give|keep|make|include|add|put|start|end|show|explain|format|be|avoid|skip)\\b`,
      'i',
    ).test(text)
  )
    return true
  return /\b(?:i(?:'d)? (?:like|prefer|want|love|need)|i would (?:like|prefer)) (?:your|you to|the) (?:answers?|replies|responses?|answer|reply|respond|write|messages?|call|use|keep|be)\b|\bi(?:'d)? (?:like|prefer|want) (?:short|long|brief|concise|detailed|direct) (?:answers|replies|responses)\b/i.test(
    text,
  )
}

/** Languages that the classifier was not trained on: rules only, and in doubt a declarative sentence is kept. */
function foreign(text: string, tongue: Language): Screening {
  if (/[?？]["'”」)\s]*$|^¿/.test(text)) return drop('question')
  if (tongue === 'zh' || tongue === 'ja') {
    if (
      /^(?:谢谢|多谢|你好|您好|早上好|晚上好|晚安|再见|好的?|嗯+|哈哈+|对|是的|没错|不客气|ありがとう\S*|こんにちは|おはよう\S*|はい|いいえ)[\p{P}\s]*(?:你|您|啊|呀|了)?[\p{P}\s]*$/u.test(
        text,
      )
    )
      return drop('small-talk')
    if (
      /(?:吗|么|か)[。！\s]*$|(?:谁|哪|什么|怎|几|多少).*呢[。！\s]*$|^(?:什么|怎么|怎样|如何|为什么|谁|哪|几|多少|何|なぜ|どう|どこ|誰)/.test(
        text,
      )
    )
      return drop('question')
    const standing =
      /(?:以后|今后|从现在(?:起|开始)|每次|总是|一直|永远|これから).{0,12}(?:请|回答|回复|用|叫|称呼|不要|别|答え)|^(?:请|请你)?(?:叫我|称呼我|记住)|^(?:请)?(?:不要|别)(?:再)?(?:提|说|用|叫|推荐)/.test(
        text,
      )
    if (standing && !/^我/.test(text)) return keep(text, { instruction: !/^(?:请)?记住.{0,3}我/.test(text) })
    if (
      /^(?:请|帮我|帮忙|给我|告诉我|教我|麻烦)|^(?:推荐|翻译|总结|写|列出|解释|介绍|生成)(?=[一下这以个几些我：:出段篇首份]|$)|(?:てください|して下さい|教えて)/.test(
        text,
      )
    )
      return drop('request')
    if (/^(?:如果|假如|要是|假设|もし)/.test(text)) return drop('hypothetical')
    if (/^(?:他|她|他们|她们|你|您|彼|彼女|あなた)(?!的)/.test(text) && !/我|私/.test(text)) return drop('other-people')
    return text.replace(/[\p{P}\s]/gu, '').length < 3 ? drop('small-talk') : keep(text, {})
  }
  const lower = text.toLowerCase()
  if (
    /^(?:danke\w*|vielen dank|hallo|guten (?:morgen|tag|abend)|tschüss|ja|nein|gut|super|gracias|muchas gracias|hola|buenos días|buenas (?:tardes|noches)|adiós|sí|vale|merci|bonjour|salut|obrigad[oa]|olá)[\p{P}\s]*$/u.test(
      lower,
    )
  )
    return drop('small-talk')
  if (
    /^(?:was|wer|wo|wann|warum|wieso|wie|welche\w*|kannst du|können sie|qué|quién|dónde|cuándo|por qué|cómo|cuál|puedes|pourquoi|comment|quel\w*|quoi|qual|como|quem|onde)\b/.test(
      lower,
    )
  )
    return drop('question')
  if (
    /\b(?:immer|ab jetzt|von nun an|nie|siempre|a partir de ahora|nunca|toujours|jamais|sempre)\b.{0,40}\b(?:antworte|schreib|nenn|benutze|verwende|responde|escribe|llámame|usa|réponds|écris)\w*|^(?:bitte )?(?:nenn mich|sag .{0,6}zu mir)|^(?:por favor,? )?llámame|\b(?:antworte|schreib|responde|escribe)\b.{0,30}\b(?:immer|ab jetzt|siempre)\b/.test(
      lower,
    )
  )
    return keep(text, { instruction: true })
  if (/^(?:wenn ich|falls|angenommen|stell dir|si (?:yo|fuera)|imagina|supongamos)\b/.test(lower)) return drop('hypothetical')
  const own =
    /\b(?:ich|mich|mir|mein\w*|wir|unser\w*|yo|mis?|me|nos|nuestr\w*|soy|estoy|tengo|vivo|trabajo|prefiero|odio|bebo|voy|hablo|estudio|uso|llevo|dejé|je|j'\w+|mon|ma|mes|nous|eu|meu|minha|moro|tenho|gosto|io|mio|mia|ik|mijn)\b/.test(
      lower,
    )
  const fact = /\b(?:ist|sind|war|hat|heißt|liegt|wurde|es|son|era|fue|está|tiene|est|sont|était|é|foi|è)\b/.test(lower)
  const asked =
    /^(?:bitte|schreib\w*|gib|zeig\w*|erklär\w*|nenne|mach\w*|übersetz\w*|por favor|escribe|dame|dime|muestra|explica|haz|traduce|recomienda|écris|donne|explique|faça|faz|sugira|escreva|me (?:dê|diga|mostre))\b/.test(
      lower,
    )
  if (asked) return drop('request')
  return own || (fact && text.split(/\s+/).length >= 3) ? keep(text, {}) : drop('not-lasting')
}

const LATENT =
  /^(?:another|one more|the usual|same again|just (?:had|got|made|finished|ordered|bought)|had|got|made|bought|ordered|finished|went|took|ended up|spent|fell asleep)\b|\b(?:again (?:today|tonight|this (?:morning|week|evening))|third (?:day|time) in a row|i could get used to|sat (?:really )?well with me|felt (?:really |so )?good|keep reaching for)\b/i

/** A single occasion: what was done then says little of what one does. */
const OCCASION =
  /\b(?:today|tonight|yesterday|this (?:morning|afternoon|evening|noon|weekend)|last (?:night|evening|weekend)|the other day|(?:I|we) just (?:had|took|made|ate|drank))\b/i
/** What happens once and holds from then on. */
const TURN =
  /\b(?:(?:I|we)(?:['’]ve| have)?(?: (?:just|finally|also|already|officially))* (?:moved|quit|stopped|started|began|switched|changed|became|joined|got|bought|sold|hired|left|broke up|split|separated|decided|signed|adopted|retired|graduated|cancell?ed|gave|turned|finished|completed|accepted|resigned|deleted|replaced|upgraded|learn\w+|found out|set)|born|died|passed away|diagnosed|married|divorced|engaged|promoted|fired|raised|lowered|increased|reduced|postponed|rescheduled|extended|moved to|now|any ?more|no longer|as of|from now on)\b/i

/** Whether a statement tells of one time only, and not of what began then. English. */
export const isOccasion = (text: string): boolean => OCCASION.test(text) && !TURN.test(text)

function keep(text: string, how: { instruction?: boolean; latent?: boolean }): Kept {
  return {
    keep: true,
    origin: !how.instruction && (how.latent || LATENT.test(text) || isOccasion(text)) ? 'latent' : 'explicit',
    instruction: how.instruction ?? false,
    passing: how.instruction
      ? null
      : MOOD.test(text)
        ? 'mood'
        : AILING.test(text) || (PASSING.test(text) && !DONE.test(text))
          ? 'spell'
          : null,
    probability: 1,
  }
}

/** Moods and ailments pass by themselves, and so does what is said of the present days. */
const MOOD =
  /\bi(?:'m| am| feel| felt|'ve been feeling)\b(?: \w+){0,2} (?:tired|exhausted|sad|happy|stressed|anxious|hungry|bored|angry|excited|nervous|sleepy|busy|upset|down|lonely|worried|sore|hungover)\b|(?:我|我今天)(?:很|有点)?(?:累|饿|困|难过|开心|生气)/i
const AILING =
  /\bi(?:'m| am| feel|'ve been(?: feeling)?)\b(?: \w+){0,2} (?:sick|ill|unwell|under the weather)\b|\b(?:have|got|caught) (?:a|the) (?:bad |terrible |mild )?(?:cold|fever|headache|flu|migraine|cough|stomach bug)\b|(?:我|我今天)(?:生病|感冒|发烧)了?/i
const PASSING =
  /\b(?:right now|at the moment|currently (?:in|at|visiting|travell?ing)|on (?:holiday|vacation|a (?:business )?trip)|visiting|staying (?:in|at|with)|for (?:the|this) (?:day|week|weekend)|this (?:week|weekend|month)|today|tonight)\b|今天|这周|正在|heute|diese woche|hoy|esta semana/i
/** What was done today may hold for good (“I quit smoking today”). */
const DONE =
  /\b(?:\w{2,}ed|quit|got|had|went|made|became|began|bought|left|gave|took|did|was|were)\b|了|\b(?:habe|bin|wurde)\b.*\b(?:ge\w+|\w+iert)\b|\b(?:he|fui|dejé|empecé)\b/i

function drop(reason: IgnoredReason): Dropped {
  return { keep: false, reason, probability: 0 }
}

function reasonOf(best: StatementClass, text: string): IgnoredReason {
  if (best === 'question') return 'question'
  if (best === 'request') return 'request'
  if (best === 'talk') return 'small-talk'
  if (/["“]/.test(text)) return 'quotation'
  if (/\b(?:might|maybe|perhaps|wonder|would|could)\b/i.test(text)) return 'hypothetical'
  if (!FIRST_PERSON.test(text) && /\b(?:he|she|they|you|his|her|their)\b/i.test(text)) return 'other-people'
  return 'not-lasting'
}
