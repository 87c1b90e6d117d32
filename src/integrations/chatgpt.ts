/** One conversation of a ChatGPT export (`conversations.json`). */

import type { Turn } from '../memory.ts'
import { isObject, millis, own, tooLong, type Conversation, type Skip } from './conversation.ts'

export const isChatGpt = (value: Record<string, unknown>) => isObject(own(value, 'mapping'))

/**
 * The messages of a conversation are a tree, because answers can be asked again and questions edited. What the person finally saw is the path from
 * `current_node` up to the root; the other branches are counted.
 */
export function chatGptConversation(value: Record<string, unknown>, skip: Skip): Conversation {
  const mapping = own(value, 'mapping') as Record<string, unknown>
  const id = firstString(own(value, 'conversation_id'), own(value, 'id'))
  const path = currentPath(mapping, own(value, 'current_node'))

  const onPath = new Set(path)
  for (const [key, node] of Object.entries(mapping)) {
    if (!onPath.has(key) && isObject(node) && isObject(own(node, 'message'))) skip('other-branch')
  }

  const turns: Turn[] = []
  for (const key of path) {
    const message = own(mapping[key] as Record<string, unknown>, 'message')
    if (!isObject(message)) continue
    const turn = messageTurn(message, key, skip)
    if (turn !== undefined) turns.push(id === undefined ? turn : { ...turn, conversation: id })
  }
  return { at: millis(own(value, 'create_time')), turns }
}

/** Keys of the nodes from the root to `current`. Without a current node: to the leaf that was added last. */
function currentPath(mapping: Record<string, unknown>, current: unknown): string[] {
  let key = typeof current === 'string' && Object.hasOwn(mapping, current) ? current : Object.keys(mapping).at(-1)
  const path: string[] = []
  const seen = new Set<string>() // a hostile file may contain a circle
  while (key !== undefined && Object.hasOwn(mapping, key) && !seen.has(key)) {
    const node = mapping[key]
    if (!isObject(node)) break
    seen.add(key)
    path.push(key)
    const parent = own(node, 'parent')
    key = typeof parent === 'string' ? parent : undefined
  }
  return path.reverse()
}

function messageTurn(message: Record<string, unknown>, key: string, skip: Skip): Turn | undefined {
  const author = own(message, 'author')
  const role = isObject(author) ? own(author, 'role') : undefined
  if (role === 'system' || role === 'tool') return skip(role)
  if (role !== 'user' && role !== 'assistant') return skip('unknown-role')

  // Hidden messages carry custom instructions and context that the person did not write in this chat.
  const metadata = own(message, 'metadata')
  if (isObject(metadata) && own(metadata, 'is_visually_hidden_from_conversation') === true) return skip('hidden')
  const recipient = own(message, 'recipient')
  if (role === 'assistant' && typeof recipient === 'string' && recipient !== 'all') return skip('tool')

  const content = own(message, 'content')
  if (!isObject(content)) return skip('empty')
  const type = own(content, 'content_type')
  if (type !== 'text' && type !== 'multimodal_text') return skip('not-text')
  const parts = own(content, 'parts')
  const texts: string[] = []
  for (const part of Array.isArray(parts) ? (parts as unknown[]) : []) {
    if (typeof part === 'string') texts.push(part)
    else if (isObject(part) && own(part, 'content_type') === 'audio_transcription') texts.push(String(own(part, 'text') ?? ''))
    else if (isObject(part)) skip(own(part, 'content_type') === 'image_asset_pointer' ? 'image' : 'attachment')
  }
  const text = texts.filter(t => t !== '').join('\n')
  if (text.trim() === '') return skip('empty')
  if (tooLong(text)) return skip('too-long')

  const at = millis(own(message, 'create_time'))
  return { role, text, id: firstString(own(message, 'id'), key)!, ...(at === undefined ? {} : { at }) }
}

const firstString = (...values: unknown[]) => values.find((v): v is string => typeof v === 'string' && v !== '')
