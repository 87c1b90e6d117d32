/** The page around each example: a list of what was said, and a line to write in. */

import type { ChatMessage } from 'credence'

/** Hands what is written to `answer`, and shows both. */
export function chat(answer: (text: string) => Promise<string>): void {
  const form = document.createElement('form')
  const input = Object.assign(document.createElement('input'), { placeholder: 'I am allergic to peanuts.', required: true })
  input.setAttribute('aria-label', 'Your message')
  const log = Object.assign(document.createElement('ol'), { id: 'log' })
  log.setAttribute('role', 'log')
  form.append(input, Object.assign(document.createElement('button'), { textContent: 'Send' }))
  document.body.append(log, form)

  const show = (className: string, textContent: string) =>
    log.append(Object.assign(document.createElement('li'), { className, textContent }))
  form.addEventListener('submit', event => {
    event.preventDefault()
    const text = input.value
    form.reset()
    show('user', text)
    answer(text).then(
      said => show('assistant', said),
      (error: unknown) => show('failed', String(error)),
    )
  })
}

/**
 * Stands in for a language model, which would be a download of hundreds of megabytes: it answers with the notes that the memory put into its prompt.
 * Whatever it says comes from there, so it shows what a real model would get to read.
 */
export function standIn(messages: readonly { content?: unknown }[]): string {
  const prompt = messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))).join('\n')
  const notes = [...prompt.matchAll(/^- \([^)]*\) (.*)$/gm)].map(match => match[1])
  return notes.length > 0 ? `From what you told me: ${notes.join(' ')}` : 'I know nothing about you that bears on this.'
}

export type { ChatMessage }
