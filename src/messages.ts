/** A host's chat messages: what we read of them, and where the prompt block goes. They may hold anything else, which stays as it was. */

import type { AugmentOptions, ChatMessage, Memory, PromptMessage } from './memory.ts'
import { checkAugmentOptions, checkMessages } from './options.ts'

/** The text of a message: its content, or the text parts of it, one below the other. */
export function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content
  const parts = content ?? []
  return parts.flatMap(part => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : [])).join('\n')
}

/** `augment`, by what recalls for the text of the last user message. */
export async function augmentBy<M extends ChatMessage>(
  recall: Memory['recall'],
  messages: M[],
  options?: AugmentOptions,
): Promise<(M | PromptMessage)[]> {
  checkMessages(messages)
  const { window = messages.length, place, ...rest } = checkAugmentOptions(options)
  const last = messages.findLast(message => message.role === 'user')
  if (!last) return messages
  const seen = messages
    .slice(Math.max(0, messages.length - window))
    .map(message => ({ text: textOf(message), ...(message.id !== undefined && { id: message.id }) }))
  const { prompt } = await recall(textOf(last), { ...rest, seen })
  return withBlock(messages, prompt, place)
}

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
