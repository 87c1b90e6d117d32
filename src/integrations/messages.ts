/** One message of a generic transcript: `{ role, content | text, id?, at | timestamp?, speaker?, conversation? }`. */

import type { Role, Turn } from '../memory.ts'
import { isObject, millis, own, tooLong, type DerivedIds, type Skip } from './conversation.ts'

const roles: ReadonlyMap<string, Role> = new Map([
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['bot', 'assistant'],
  ['model', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
  ['tool', 'tool'],
  ['function', 'tool'],
])

export const isMessage = (value: Record<string, unknown>) =>
  ['content', 'text'].some(key => Object.hasOwn(value, key)) && ['role', 'speaker'].some(key => Object.hasOwn(value, key))

export function messageTurn(value: Record<string, unknown>, ids: DerivedIds, skip: Skip): Turn | undefined {
  const speaker = name(own(value, 'speaker'))
  const roleName = own(value, 'role')
  // Chats between people name the speakers and have no roles: all of them are users.
  const role = typeof roleName === 'string' ? roles.get(roleName.toLowerCase()) : speaker === undefined ? undefined : 'user'
  if (role === undefined) return skip('unknown-role')
  if (role === 'system' || role === 'tool') return skip(role)

  const text = contentText(own(value, 'content') ?? own(value, 'text'), skip)
  if (text.trim() === '') return skip('empty')
  if (tooLong(text)) return skip('too-long')

  const at = millis(own(value, 'at') ?? own(value, 'timestamp'))
  const conversation = name(own(value, 'conversation'))
  const turn: Turn = {
    role,
    text,
    ...(at === undefined ? {} : { at }),
    ...(speaker === undefined ? {} : { speaker }),
    ...(conversation === undefined ? {} : { conversation }),
  }
  return { ...turn, id: name(own(value, 'id')) ?? ids.next(turn) }
}

/** A string, or a list of parts such as `{ type: 'text', text }`. */
function contentText(content: unknown, skip: Skip): string {
  if (typeof content === 'string') return content
  const texts: string[] = []
  for (const part of Array.isArray(content) ? (content as unknown[]) : []) {
    const text = isObject(part) ? own(part, 'text') : part
    if (typeof text === 'string') texts.push(text)
    else skip(isObject(part) && /image/.test(String(own(part, 'type'))) ? 'image' : 'attachment')
  }
  return texts.join('\n')
}

const name = (value: unknown) => ((typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined)
