/** One line for what was done, one for what went wrong; both are read out. */

import { byId } from './dom.ts'
import { reason } from './format.ts'

const notice = byId('notice', HTMLParagraphElement)
const failure = byId('failure', HTMLParagraphElement)

export function say(text: string): void {
  failure.hidden = true
  notice.hidden = false
  notice.textContent = text
}

export function sayError(what: string, error: unknown): void {
  notice.hidden = true
  failure.hidden = false
  failure.textContent = `${what}: ${reason(error)}`
}

export function hush(): void {
  notice.hidden = true
  failure.hidden = true
}

/** For handlers: what fails is shown, not lost. */
export const attempt = (what: string, action: () => Promise<void>) => () => {
  hush()
  action().catch(error => sayError(what, error))
}
