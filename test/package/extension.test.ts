/** The example extension (Manifest V3) in Chromium: an offscreen document holds the worker, the service worker only wakes it. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page, type Worker } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildExtension } from '../../scripts/build-extension.mjs'
import { launchOptions } from '../../scripts/chromium.mjs'
import { serve } from '../../scripts/serve.mjs'
import { head } from './page.ts'

const minute = 60_000
let temporary: string
let folder: string
let site: { url: string; close(): Promise<void> }
let context: BrowserContext
const requests: string[] = []

beforeAll(async () => {
  temporary = mkdtempSync(join(tmpdir(), 'credence-extension-'))
  folder = join(temporary, 'extension')
  await buildExtension(folder)
  const pages = join(temporary, 'site')
  mkdirSync(pages)
  writeFileSync(join(pages, 'index.html'), `${head}<h1>Any page</h1>`)
  site = await serve({ mounts: { '/': pages } })
  const { args, ...launch } = launchOptions()
  context = await chromium.launchPersistentContext(join(temporary, 'profile'), {
    ...launch,
    args: [...args, `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
    ignoreDefaultArgs: ['--disable-extensions'],
  })
  context.on('request', request => requests.push(request.url()))
}, 5 * minute)

afterAll(async () => {
  await context?.close()
  await site?.close()
  rmSync(temporary, { recursive: true, force: true })
})

/** Opens a page whose content script tells the memory something, or asks it. */
async function say(text: string): Promise<string | undefined> {
  const page = await context.newPage()
  await page.goto(`${site.url}/#${encodeURIComponent(text)}`)
  const said = () => page.evaluate(() => document.documentElement.dataset['result'] ?? document.documentElement.dataset['error'])
  await expect.poll(said, { timeout: 2 * minute }).toBeDefined()
  const result = await said()
  await page.close()
  return result
}

const serviceWorker = async (): Promise<Worker> =>
  context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker', { timeout: minute }))

test('a content script remembers through the offscreen document (asks 92)', async () => {
  expect(await say('I am allergic to walnuts.')).toBe('profile')
  expect(await say('Am I allergic to walnuts?')).toBe('I am allergic to walnuts.')
})

test('the popup shows what is believed, and the service worker has the memory too', async () => {
  const id = new URL((await serviceWorker()).url()).host
  const popup: Page = await context.newPage()
  await popup.goto(`chrome-extension://${id}/popup.html`)
  await expect.poll(() => popup.textContent('#beliefs'), { timeout: minute }).toBe('I am allergic to walnuts.')
  const status = await (await serviceWorker()).evaluate(() => (self as any).memory.status())
  expect(status.turns).toBe(1)
  expect(status.models.map((model: { role: string }) => model.role).sort()).toEqual(['embedder', 'evidence', 'nli'])
  await say('I play the cello.')
  await expect.poll(() => popup.locator('#beliefs li').count(), { timeout: minute }).toBe(2)
  await popup.close()
})

test('a service worker that was ended is not missed, and an offscreen document that was closed is opened again once (asks 93)', async () => {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.stopAllWorkers')
  expect(await say('Do I play the cello?')).toBe('I play the cello.')

  const documents = () =>
    (self as any).chrome.runtime.getContexts({ contextTypes: ['OFFSCREEN_DOCUMENT'] }).then((all: unknown[]) => all.length)
  const worker = await serviceWorker()
  expect(await worker.evaluate(documents)).toBe(1)
  await worker.evaluate(() => (self as any).chrome.offscreen.closeDocument())
  expect(await worker.evaluate(documents)).toBe(0)
  expect(await say('Am I allergic to walnuts?')).toBe('I am allergic to walnuts.')
  expect(await worker.evaluate(documents)).toBe(1)
  await page.close()
})

test('everything is in the extension: no file names a script elsewhere, and nothing is requested from elsewhere (asks 90)', () => {
  const own = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /\.(js|mjs|html|json)$/.test(name))
  expect(own).toEqual(expect.arrayContaining(['service-worker.js', 'worker.js', 'offscreen.html', 'content.js']))
  const remote = own.filter(name => {
    const code = readFileSync(join(folder, name), 'utf8')
    return /(?:\bimport\s*\(\s*|\bfrom\s*|importScripts\(\s*|src=|new\s+Worker\(\s*)["'`](?:https?:)?\/\//.test(code)
  })
  expect(remote).toEqual([])
  expect(requests.filter(url => !url.startsWith(`${site.url}/`) && !/^(chrome-extension|data|blob):/.test(url))).toEqual([])
})
