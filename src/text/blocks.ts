/** The parts of a message that are not the person's own sentences: code, quotations, tables, pasted documents, role markers, our own prompt block. */

export type BlockKind = 'code' | 'quotation' | 'table' | 'document' | 'transcript' | 'recalled'

export interface Block {
  kind: BlockKind | 'prose'
  /** UTF-16 offsets, end exclusive. Blocks cover the message without gap. */
  start: number
  end: number
}

/** The delimiters of the block that `recall` puts into a prompt. */
export const RECALLED_OPEN = '<credence-memory>'
export const RECALLED_CLOSE = '</credence-memory>'

const FENCE = /^\s{0,3}(```|~~~|""")/
const ROLE =
  /^\s*(?:<\|[a-z_]+\|>|\[\/?INST\]|<<\/?SYS>>|#{2,}\s*(?:system|instructions?|response|assistant|user|human)\b|(?:system|assistant|user|human|ai|chatgpt|tool|developer)(?:\s*\([^)]*\))?\s*:)/i
const QUOTE = /^\s*>/
const TABLE = /^\s*\|.*\|\s*$|^[^\t]*\t[^\t]*\t/
const CODE =
  /[;{}]\s*$|^\s*(?:import\s+[\w{*"'.]+|from\s+\S+\s+import\b|def\s+\w+\s*\(|class\s+\w+.*[:{]\s*$|function\b.*\(|#include\b|public\s|private\s|return\b.*[;()]|(?:const|let|var)\s+\w+\s*=|<\/?[a-z][\w-]*(?:\s[^>]*)?>|\$ |SELECT\s.*\sFROM\b|\/\/|\/\*|\*\/|@\w+\()|^\s*[\w.]+\([^)]*\)\s*:?\s*$|^\s*\w+(?:\[[^\]]*\])?\s*[-+*/]?=\s*\S/

/** The blocks of a message, in order. */
export function blocks(message: string): Block[] {
  return byLines(message).flatMap(block => (block.kind === 'prose' ? pasted(message, block) : [block]))
}

/** A task about a text that comes with it: “Summarize this: …”, “is this sentence correct: …”. */
const TEXT_WORK =
  /\b(?:summari[sz]e|simplify|translate|re-?write|re-?phrase|paraphrase|proof-?read|correct|grammar|fix|improve|edit|shorten|expand|polish|analy[sz]e|review|classify|continue|complete|explain|other ways? to say|how (?:do|would|to) (?:i |you )?say|what does|meaning of|übersetz\w*|korrigier\w*|zusammenfass\w*|fass|traduce|resume|corrige|翻译|总结|润色|改写|修改|概括)\b|翻译|总结|润色|改写|概括/i
const TEXT_NAME =
  /\b(?:text|following|below|above|paragraphs?|sentences?|e-?mail|article|essay|poem|passage|letter|abstract|story|document|review|this|it|texto|satz)\b|下面|以下|这段|这句/i
/** From where a paragraph without a word about its writer is a document: words, or Chinese and Japanese characters. */
const LONG = 120
const LONG_CJK = 300

/** Prose with the text that was only pasted in marked as `document`. */
function pasted(message: string, block: Block): Block[] {
  const text = message.slice(block.start, block.end)
  const split = (from: number, to = block.end): Block[] =>
    [
      { kind: 'prose' as const, start: block.start, end: from },
      { kind: 'document' as const, start: from, end: to },
      { kind: 'prose' as const, start: to, end: block.end },
    ].filter(part => part.start < part.end) as Block[]

  // The task comes first, and the text after a colon, a line feed or an opening quotation mark.
  const opening = /^[^:：\n"“「]{2,160}(?:[:：]|\n|(?=["“「]))/.exec(text)
  if (opening && opening[0].length < text.trimEnd().length && TEXT_WORK.test(opening[0])) {
    const from = block.start + opening[0].length
    const quote = '"””」'['"“”「'.indexOf(text[opening[0].length]!)]
    const close = quote === undefined ? -1 : message.indexOf(quote, from + 1)
    if (close > 0 && close < block.end) return split(from, close + 1)
    if (TEXT_NAME.test(opening[0]) || !/\n$|\b(?:I|my|me|we|our)\b/i.test(opening[0])) return split(from)
  }
  // The text comes first.
  const last = text.trimEnd().lastIndexOf('\n')
  if (last > 200) {
    const task = text.slice(last, last + 300)
    if (TEXT_WORK.test(task) && TEXT_NAME.test(task)) return split(block.start, block.start + last)
  }
  if (/^\s*(?:dear\s+[\w.]+[^\n]{0,40},|subject:|from:|to whom it may concern)/i.test(text)) return split(block.start)
  return paragraphs(message, block)
}

/** Long paragraphs in which nobody says “I” were written elsewhere. */
function paragraphs(message: string, block: Block): Block[] {
  const found: Block[] = []
  let start = block.start
  while (start < block.end) {
    const gap = message.indexOf('\n\n', start)
    const end = gap < 0 || gap + 2 >= block.end ? block.end : gap + 2
    // Enough to tell.
    const head = message.slice(start, Math.min(end, start + 4000))
    const cjk = head.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0
    const words = cjk > 50 ? cjk : (head.match(/\S+/g)?.length ?? 0)
    const own = head.match(/\b(?:I|I['’]\w+|me|my|mine|we|our|us|ich|mich|mir|mein\w*|yo|mi|mis)\b|我|私/g)?.length ?? 0
    const kind = words >= (cjk > 50 ? LONG_CJK : LONG) && own * 60 < words ? 'document' : 'prose'
    const last = found.at(-1)
    if (last && last.kind === kind) last.end = end
    else found.push({ kind, start, end })
    start = end
  }
  return found
}

function byLines(message: string): Block[] {
  const found: Block[] = []
  let fence = ''
  let recalled = false
  for (const [start, end] of lines(message)) {
    // Only the beginning of a line tells its kind; this bounds the work on a line of a megabyte.
    const line = message.slice(start, Math.min(end, start + 400))
    let kind: Block['kind']
    const previous = found.at(-1)?.kind
    if (recalled || line.includes(RECALLED_OPEN)) {
      kind = 'recalled'
      recalled = !message.slice(start, end).includes(RECALLED_CLOSE)
    } else if (fence !== '') {
      kind = 'code'
      if (line.includes(fence)) fence = ''
    } else if (FENCE.test(line)) {
      kind = 'code'
      const mark = FENCE.exec(line)![1]!
      if (!line.slice(line.indexOf(mark) + 3).includes(mark)) fence = mark
    } else if (ROLE.test(line)) kind = 'transcript'
    else if (QUOTE.test(line)) kind = 'quotation'
    else if (TABLE.test(line)) kind = 'table'
    else if (CODE.test(line)) kind = 'code'
    else if (line.trim() === '') kind = previous === 'transcript' ? 'prose' : (previous ?? 'prose')
    else if (previous === 'transcript') kind = 'transcript'
    else if (previous === 'code' && /^(?:\s{4,}|\t)\S/.test(line)) kind = 'code'
    else kind = 'prose'
    const last = found.at(-1)
    if (last && last.kind === kind) last.end = end
    else found.push({ kind, start, end })
  }
  return found
}

/** Lines with their line ends. */
function* lines(text: string): Generator<[number, number]> {
  let start = 0
  while (start < text.length) {
    const feed = text.indexOf('\n', start)
    const end = feed < 0 ? text.length : feed + 1
    yield [start, end]
    start = end
  }
}
