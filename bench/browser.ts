/** A page in headless Chromium with the built library beside it. */

import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import { build } from '../scripts/build.mjs'
import { launchOptions } from '../scripts/chromium.mjs'
import { at } from '../scripts/layout.mjs'
import { serve } from '../scripts/serve.mjs'
import type { openMemory } from '../src/index.ts'

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
  /** A new page of the site, where the library's `openMemory` is a global. */
  newPage(): Promise<Page>
  /** Serves the same site, its caches and database kept, with or without the headers for cross-origin isolation. */
  isolate(isolated: boolean): Promise<void>
}

/** For functions that run in the page. */
export type PageGlobals = { openMemory: typeof openMemory }

/** A fresh browser profile that lives until it is disposed of. `mounts` are served beside the library. */
export async function browse(mounts: Record<string, string> = {}): Promise<Browsing> {
  const start = (isolated: boolean, port: number) =>
    serve({ mounts: { '/': at('bench/page'), '/dist/': at('dist'), ...mounts }, port, ...(isolated ? {} : { headers: {} }) })
  const profile = mkdtempSync(join(tmpdir(), 'credence-profile-'))
  let server = await start(true, 0)
  const { url } = server
  const context = await chromium.launchPersistentContext(profile, launchOptions())
  // The compiler of these scripts calls this on named functions, in those too that are sent to the page.
  await context.addInitScript('globalThis.__name = named => named')
  return {
    async newPage() {
      const page = await context.newPage()
      page.on('pageerror', error => process.stderr.write(`page: ${error.message}\n`))
      await page.goto(url)
      await page.waitForFunction('globalThis.openMemory')
      return page
    },
    async isolate(isolated) {
      await server.close()
      server = await start(isolated, Number(new URL(url).port))
    },
    async [Symbol.asyncDispose]() {
      await context.close()
      await server.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}
