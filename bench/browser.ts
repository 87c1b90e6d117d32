/** A page in headless Chromium with the built library beside it. */

import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright'
import { build } from '../scripts/build.mjs'
import { launchOptions } from '../scripts/chromium.mjs'
import { at } from '../scripts/layout.mjs'
import { serve } from '../scripts/serve.mjs'

/** Builds the library when a source is newer than what is built. */
export async function ensureBuilt(): Promise<void> {
  const built = at('dist/worker.js')
  const newest = Math.max(
    ...readdirSync(at('src'), { recursive: true, encoding: 'utf8' }).map(name => statSync(join(at('src'), name)).mtimeMs),
    statSync(at('package-lock.json')).mtimeMs,
  )
  if (!existsSync(built) || !existsSync(at('dist/assets')) || statSync(built).mtimeMs < newest) await build()
}

export interface Browsing extends AsyncDisposable {
  context: BrowserContext
  /** A new page of the site; `/dist/index.js` is the library. */
  newPage(): Promise<Page>
}

/** A fresh browser profile that keeps its caches and database until it is disposed of. */
export async function browse({ isolated = true } = {}): Promise<Browsing> {
  const profile = mkdtempSync(join(tmpdir(), 'credence-profile-'))
  const server = await serve({ mounts: { '/': at('bench/page'), '/dist/': at('dist') }, ...(isolated ? {} : { headers: {} }) })
  const context = await chromium.launchPersistentContext(profile, launchOptions())
  return {
    context,
    async newPage() {
      const page = await context.newPage()
      page.on('pageerror', error => process.stderr.write(`page: ${error.message}\n`))
      await page.goto(server.url)
      return page
    },
    async [Symbol.asyncDispose]() {
      await context.close()
      await server.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}
