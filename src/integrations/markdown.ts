/** A chat written as Markdown or plain text: `**User:** …`, `## User`, or `User: …`. */

import type { Role, Turn } from '../memory.ts'
import { tooLong, type DerivedIds, type Skip } from './conversation.ts'
import { bytesOf } from './json-items.ts'

const labels: ReadonlyMap<string, Role> = new Map([
  ...['user', 'you', 'me', 'human', 'you said', 'prompt'].map(label => [label, 'user'] as const),
  ...['assistant', 'ai', 'bot', 'model', 'chatgpt', 'chatgpt said', 'gpt', 'claude', 'gemini', 'copilot', 'response'].map(
    label => [label, 'assistant'] as const,
  ),
  ['system', 'system'],
  ['tool', 'tool'],
])

type Style = 'heading' | 'bold' | 'plain'

/** How a line may begin a message: the label, and what follows it on the same line. */
const styles: readonly (readonly [Style, RegExp])[] = [
  ['heading', /^#{1,6}\s+(?:\*\*)?([\p{L} ]{1,20}?):?(?:\*\*)?\s*$()/u],
  ['bold', /^(?:\*\*|__)([\p{L} ]{1,20}?)(?::(?:\*\*|__)|(?:\*\*|__):)(.*)$/u],
  ['plain', /^([\p{L} ]{1,20}?):(.*)$/u],
]

/** The style of the first label is the style of the chat, so that "You: …" inside a message with headings stays in it. */
export async function* markdownTurns(blob: Blob, ids: DerivedIds, skip: Skip, onBytes?: (bytes: number) => void): AsyncGenerator<Turn> {
  let style: Style | undefined
  let role: Role | undefined
  let body: string[] = []
  let fence: string | undefined

  const finish = (): Turn | undefined => {
    const text = body.join('\n').trim()
    body = []
    if (role === undefined) return text === '' ? undefined : skip('preamble')
    if (role === 'system' || role === 'tool') return skip(role)
    if (text === '') return skip('empty')
    if (tooLong(text)) return skip('too-long')
    return { role, text, id: ids.next({ role, text }) }
  }

  for await (const line of lines(blob, onBytes)) {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1]
    const label = fence === undefined && mark === undefined ? labelOf(line, style) : undefined
    if (mark !== undefined && (fence === undefined || fence === mark)) fence = fence === undefined ? mark : undefined
    if (label === undefined) {
      body.push(line)
      continue
    }
    const turn = finish()
    if (turn !== undefined) yield turn
    style = label.style
    role = label.role
    if (label.rest !== '') body.push(label.rest)
  }
  const turn = finish()
  if (turn !== undefined) yield turn
}

function labelOf(line: string, only: Style | undefined): { style: Style; role: Role; rest: string } | undefined {
  for (const [style, pattern] of styles) {
    if (only !== undefined && style !== only) continue
    const match = pattern.exec(line)
    const role = match === null ? undefined : labels.get(match[1]!.trim().toLowerCase())
    if (role !== undefined) return { style, role, rest: match![2]!.trim() }
  }
  return undefined
}

async function* lines(blob: Blob, onBytes: ((bytes: number) => void) | undefined): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let pieces: string[] = [] // of a line that goes on in the next chunk
  for await (const chunk of bytesOf(blob)) {
    onBytes?.(chunk.length)
    const parts = decoder.decode(chunk, { stream: true }).split(/\r?\n/)
    for (const part of parts.slice(0, -1)) {
      pieces.push(part)
      yield pieces.join('')
      pieces = []
    }
    pieces.push(parts.at(-1)!)
  }
  yield pieces.join('') + decoder.decode()
}
