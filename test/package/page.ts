/** A real browser on pages of the built package. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright'
import { launchOptions } from '../../scripts/chromium.mjs'
import { isolation, serve } from '../../scripts/serve.mjs'

export function openBrowser(): Promise<Browser> {
  return chromium.launch(launchOptions())
}

/** Begins a page; without its own icon the browser would ask the server for one. */
export const head = '<!doctype html><link rel="icon" href="data:," />'

export interface Site {
  /** Files of the page's own folder, `index.html` among them. */
  files: Record<string, string>
  mounts?: Record<string, string>
  /** Default: those of a cross-origin isolated page. */
  headers?: Record<string, string>
  /** The page, where another server serves it. Default: this site's own. */
  entry?: string
}

export interface Visit {
  printed: string[]
  /** Uncaught errors and what was printed as an error. */
  errors: string[]
  /** What was requested from elsewhere than the site. */
  outside: string[]
}

/** Opens the site in a profile of its own, and waits for an error or until something printed contains each of `awaited`. */
export async function visit(
  browser: Browser,
  { files, mounts = {}, headers = isolation, entry }: Site,
  awaited: readonly string[],
): Promise<Visit> {
  const folder = await mkdtemp(join(tmpdir(), 'credence-page-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const server = await serve({ mounts: { '/': folder, ...mounts }, headers })
  const context = await browser.newContext()
  const page = await context.newPage()
  const seen: Visit = { printed: [], errors: [], outside: [] }
  try {
    await new Promise<void>((resolve, reject) => {
      const note = (list: string[], text: string) => {
        list.push(text)
        if (seen.errors.length > 0 || awaited.every(wanted => seen.printed.some(line => line.includes(wanted)))) resolve()
      }
      page.on('pageerror', error => note(seen.errors, error.message))
      page.on('console', message => note(message.type() === 'error' ? seen.errors : seen.printed, message.text()))
      page.on('request', request => {
        if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(`${server.url}/`)) seen.outside.push(request.url())
      })
      setTimeout(reject, 240_000, new Error(`the page printed ${JSON.stringify(seen.printed)}, not ${JSON.stringify(awaited)}`))
      page.goto(entry ?? `${server.url}/`).catch(reject)
    })
    return seen
  } finally {
    await context.close()
    await server.close()
    await rm(folder, { recursive: true })
  }
}
