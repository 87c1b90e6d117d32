/** The built demo as an installed app: what it needs is kept at the first visit, and the second has no network. */

import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, demoMounts } from '../../scripts/layout.mjs'
import { serve } from '../../scripts/serve.mjs'
import { openBrowser } from './page.ts'

const minute = 60_000
let browser: Browser
let context: BrowserContext
let server: { url: string; close(): Promise<void> }
let page: Page
const errors: string[] = []

beforeAll(async () => {
  // Without the headers: the service worker adds them, as on a host that cannot send any.
  server = await serve({ mounts: demoMounts, headers: {} })
  browser = await openBrowser()
  context = await browser.newContext({ locale: 'en-US' })
  page = await context.newPage()
  page.on('pageerror', error => errors.push(String(error)))
})
afterAll(async () => {
  await browser?.close()
  await server?.close().catch(() => {})
})

const ready = () => page.waitForSelector('#load[data-state=ready]', { timeout: 4 * minute })

test(
  'the first visit requests every file of the models that it needs once, and keeps it (asks 83, 84)',
  { timeout: 10 * minute },
  async () => {
    const requests: string[] = []
    page.on('request', request => requests.push(new URL(request.url()).pathname))
    await page.goto(server.url)
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false)
    await ready()
    // The language model comes in behind the open memory.
    const { models } = JSON.parse(readFileSync(at('models/manifest.json'), 'utf8')) as {
      models: Record<string, { files: { path: string; sha256: string }[] }>
    }
    // The model for Chinese texts is for whoever reads Chinese.
    const needed = Object.entries(models).filter(([role]) => role !== 'embedder-zh')
    const hashes = needed.flatMap(([, { files }]) => files.map(file => file.sha256))
    const keys = () => page.evaluate(async () => (await (await caches.open('credence-models')).keys()).map(request => request.url))
    await expect
      .poll(async () => (await keys()).filter(key => hashes.some(hash => key.endsWith(hash))).length, { timeout: 4 * minute })
      .toBe(new Set(hashes).size)
    const fetched = requests.filter(path => /^\/(models|runtime)\//.test(path))
    expect(fetched).toEqual([...new Set(fetched)])
    // What several models have in common is fetched for one of them.
    expect(fetched.filter(path => /^\/models\/.+\//.test(path))).toHaveLength(new Set(hashes).size)
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), { timeout: minute }).toBe(true)
  },
)

test('the second visit, with the server gone, is ready and asks the network for nothing (asks 84)', async () => {
  await server.close()
  await context.setOffline(true)
  const failed: string[] = []
  const network: string[] = []
  page.on('requestfailed', request => failed.push(request.url()))
  // What the service worker cannot answer from what it keeps, it requests itself.
  context.on('request', request => request.serviceWorker() && !request.url().endsWith('/service-worker.js') && network.push(request.url()))
  page.on('console', message => message.type() === 'error' && errors.push(message.text()))
  await page.reload()
  await ready()
  expect(await page.textContent('#load-text')).toMatch(/^Ready after .* from the cache\.$/)
  expect(await page.textContent('#load-text')).not.toContain('from the network')
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
  expect({ failed, network, errors }).toEqual({ failed: [], network: [], errors: [] })
})

test('it can be installed', async () => {
  const manifest = JSON.parse(readFileSync(at('dist-demo/manifest.webmanifest'), 'utf8'))
  expect(manifest).toMatchObject({ start_url: './', scope: './', display: 'standalone' })
  const session = await context.newCDPSession(page)
  const { errors } = await session.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const { installabilityErrors } = (await session.send('Page.getInstallabilityErrors')) as { installabilityErrors: { errorId: string }[] }
  // A private window, which is what a test has, cannot install anything.
  expect(installabilityErrors.map(error => error.errorId).filter(id => id !== 'in-incognito')).toEqual([])
})
