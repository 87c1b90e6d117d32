/** Asks before what cannot be undone. */

import { byId } from './dom.ts'

const dialog = byId('confirm', HTMLDialogElement)
const title = byId('confirm-title', HTMLHeadingElement)
const text = byId('confirm-text', HTMLParagraphElement)
const yes = byId('confirm-yes', HTMLButtonElement)

export function confirm(question: string, consequence: string, action: string): Promise<boolean> {
  title.textContent = question
  text.textContent = consequence
  yes.textContent = action
  dialog.returnValue = 'no'
  dialog.showModal()
  return new Promise(resolve => dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true }))
}
