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
const ROLE = /^\s*(?:<\|[a-z_]+\|>|\[\/?INST\]|<<\/?SYS>>|#{2,}\s*(?:system|instructions?|response|assistant|user|human)\b|(?:system|assistant|user|human|ai|chatgpt|tool|developer)(?:\s*\([^)]*\))?\s*:)/i
const QUOTE = /^\s*>/
const TABLE = /^\s*\|.*\|\s*$|^[^\t]*\t[^\t]*\t/
const CODE =
  /[;{}]\s*$|^\s*(?:import\s+[\w{*"'.]+|from\s+\S+\s+import\b|def\s+\w+\s*\(|class\s+\w+.*[:{]\s*$|function\b.*\(|#include\b|public\s|private\s|return\b.*[;()]|(?:const|let|var)\s+\w+\s*=|<\/?[a-z][\w-]*(?:\s[^>]*)?>|\$ |SELECT\s.*\sFROM\b|\/\/|\/\*|\*\/|@\w+\()|^\s*[\w.]+\([^)]*\)\s*:?\s*$|^\s*\w+(?:\[[^\]]*\])?\s*[-+*/]?=\s*\S/

/** The blocks of a message, in order. */
export function blocks(message: string): Block[] {
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
