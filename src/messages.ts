/** A host's chat messages: what we read of them, and where the prompt block goes. They may hold anything else, which stays as it was. */

import type { AugmentOptions, ChatMessage, PromptMessage } from './memory.ts'

/** The text of a message: its content, or the text parts of it, one below the other. */
export function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content
  const parts = content ?? []
  return parts.flatMap(part => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : [])).join('\n')
}

/** As the worker needs them: images and tool calls need not cross the boundary, and may not be able to. */
export const readable = (messages: readonly ChatMessage[]): ChatMessage[] =>
  messages.map(message => ({ role: message.role, content: textOf(message), ...(message.id !== undefined && { id: message.id }) }))

/** A copy of `messages` with the block in its place; `messages` itself when the block is empty. */
export function withBlock<M extends ChatMessage>(
  messages: M[],
  block: string,
  place: AugmentOptions['place'] = 'message',
): (M | PromptMessage)[] {
  const user = messages.findLastIndex(message => message.role === 'user')
  if (block === '' || user < 0) return messages
  if (place === 'user') return messages.with(user, prefixed(messages[user]!, block))
  const first = messages[0]!
  if (place === 'system' && (first.role === 'system' || first.role === 'developer')) return messages.with(0, suffixed(first, block))
  const added: (M | PromptMessage)[] = [...messages]
  added.splice(place === 'system' ? 0 : user, 0, { role: 'system', content: block })
  return added
}

function prefixed<M extends ChatMessage>(message: M, block: string): M {
  const { content } = message
  const text = `${block}\n\n`
  if (typeof content === 'string') return { ...message, content: text + content }
  return { ...message, content: [{ type: 'text', text }, ...(content ?? [])] }
}

function suffixed<M extends ChatMessage>(message: M, block: string): M {
  const { content } = message
  if (typeof content === 'string') return { ...message, content: content === '' ? block : `${content}\n\n${block}` }
  return { ...message, content: [...(content ?? []), { type: 'text', text: block }] }
}
