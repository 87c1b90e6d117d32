/** Asks before what cannot be undone. */

import { byId } from './dom.ts'

const dialog = byId('confirm', HTMLDialogElement)
const title = byId('confirm-title', HTMLHeadingElement)
const text = byId('confirm-text', HTMLParagraphElement)
const yes = byId('confirm-yes', HTMLButtonElement)

/** The answer to the question that is shown. */
let answered = Promise.resolve(false)

export function confirm(question: string, consequence: string, action: string): Promise<boolean> {
  // The event of closing comes later than the closing itself: a question asked in between must not take it for its own answer.
  return (answered = answered.then(() => ask(question, consequence, action)))
}

function ask(question: string, consequence: string, action: string): Promise<boolean> {
  title.textContent = question
  text.textContent = consequence
  yes.textContent = action
  dialog.returnValue = 'no'
  dialog.showModal()
  return new Promise(resolve => dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true }))
}
