/** One conversation of a Claude export (`conversations.json`). */

import type { Turn } from '../memory.ts'
import { isObject, millis, own, tooLong, type Conversation, type Skip } from './conversation.ts'

export const isClaude = (value: Record<string, unknown>) => Array.isArray(own(value, 'chat_messages'))

export function claudeConversation(value: Record<string, unknown>, skip: Skip): Conversation {
  const id = own(value, 'uuid')
  const messages = (own(value, 'chat_messages') as unknown[]).filter(isObject)
  const onPath = currentPath(messages)
  const turns: Turn[] = []
  messages.forEach((message, index) => {
    if (!onPath.has(message)) return skip('other-branch')
    const turn = messageTurn(message, `${typeof id === 'string' ? id : 'claude'}-${index}`, skip)
    if (turn !== undefined) turns.push(typeof id === 'string' ? { ...turn, conversation: id } : turn)
  })
  return { at: millis(own(value, 'created_at')), turns }
}

/** Where messages name their parent, the path from the last message to the root; else all of them. */
function currentPath(messages: Record<string, unknown>[]): Set<Record<string, unknown>> {
  const byId = new Map(messages.map(message => [own(message, 'uuid'), message]))
  const last = messages.at(-1)
  if (last === undefined || !messages.some(message => byId.has(own(message, 'parent_message_uuid')))) return new Set(messages)
  const path = new Set<Record<string, unknown>>()
  for (let message: Record<string, unknown> | undefined = last; message !== undefined && !path.has(message);) {
    path.add(message)
    message = byId.get(own(message, 'parent_message_uuid'))
  }
  return path
}

function messageTurn(message: Record<string, unknown>, fallbackId: string, skip: Skip): Turn | undefined {
  const sender = own(message, 'sender')
  if (sender !== 'human' && sender !== 'assistant') return skip('unknown-role')
  for (const list of [own(message, 'attachments'), own(message, 'files')]) {
    if (Array.isArray(list)) list.forEach(() => skip('attachment'))
  }

  // `content` has the message in blocks; `text`, in older exports alone, has it flattened, tool calls and all.
  const content = own(message, 'content')
  const texts: string[] = []
  for (const block of Array.isArray(content) ? (content as unknown[]).filter(isObject) : []) {
    const type = own(block, 'type')
    const text = own(block, 'text')
    if (type === 'text' && typeof text === 'string') texts.push(text)
    else if (type === 'tool_use' || type === 'tool_result') skip('tool')
    else if (type === 'image') skip('image')
    else skip('not-text')
  }
  const flat = own(message, 'text')
  if (!Array.isArray(content) && typeof flat === 'string') texts.push(flat)
  const text = texts.filter(t => t !== '').join('\n')
  if (text.trim() === '') return skip('empty')
  if (tooLong(text)) return skip('too-long')

  const id = own(message, 'uuid')
  const at = millis(own(message, 'created_at'))
  return {
    role: sender === 'human' ? 'user' : 'assistant',
    text,
    id: typeof id === 'string' && id !== '' ? id : fallbackId,
    ...(at === undefined ? {} : { at }),
  }
}
