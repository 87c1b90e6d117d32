/** Runs in the test runner, not in the browser: writes down what the browser requests, of its pages and of their workers. */

import type { BrowserCommand } from 'vitest/node'
import type { BrowserContext } from 'playwright'

const recorded = new WeakMap<BrowserContext, string[]>()

/** Everything requested since the last time it was asked, but for what never leaves the browser. */
export const takeRequests: BrowserCommand<[]> = ({ context }) => {
  let list = recorded.get(context)
  if (!list) {
    const made: string[] = (list = [])
    recorded.set(context, made)
    context.on('request', request => void (/^(blob|data):/.test(request.url()) || made.push(request.url())))
  }
  return list.splice(0)
}

declare module 'vitest/internal/browser' {
  interface BrowserCommands {
    takeRequests(): Promise<string[]>
  }
}
