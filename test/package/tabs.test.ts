/** Real tabs, each with a process of its own, on what is built now and with real models. */

import { chromium, type Browser, type BrowserContext, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchOptions } from '../../scripts/chromium.mjs'
import { site, tabsUnderFire } from '../../scripts/torture-tabs.mjs'
import { head } from './page.ts'

test('ten tabs have one model set, and when the tab that has it goes, nothing is lost and no call stays pending (asks 93, 94, 95)', async () => {
  const seen = await tabsUnderFire({ tabs: 10, kills: 3, turns: 2, how: ['crash', 'close', 'hang'] })
  expect({ workers: seen.workers, leaders: seen.leaders }).toEqual({ workers: 1, leaders: 1 })
  for (const status of seen.statuses) {
    expect(status.models.map((model: { role: string }) => model.role)).toEqual(['embedder'])
    expect(status.models).toEqual(seen.statuses[0].models)
  }
  expect(seen.acknowledged).toBeGreaterThan(0)
  expect(seen.lost).toEqual([])
  expect(seen.pending).toBe(0)
  expect(seen.kept).toBe(seen.distinct)
  expect(seen.foreign).toEqual([])
  expect(Object.keys(seen.rejected).filter(code => code !== 'LeaderChanged')).toEqual([])
}, 600_000)

describe('pages that come and go', () => {
  const index = `${head}<script type="module">
    import { openMemory } from '/dist/index.js'
    addEventListener('pageshow', event => (window.persisted = event.persisted))
    window.events = []
    window.memory = await openMemory({ assets: '/', models: { embedder: false, nli: false, evidence: false, lm: false } })
    window.memory.subscribe(event => window.events.push(event.turn))
    window.ready = true
  </script>`
  let browser: Browser
  let context: BrowserContext
  let server: Awaited<ReturnType<typeof site>>

  beforeAll(async () => {
    server = await site({ 'index.html': index, 'other.html': `${head}elsewhere` })
    // Playwright turns the cache off in which a page is kept for going back to.
    browser = await chromium.launch({ ...launchOptions(), ignoreDefaultArgs: ['--disable-back-forward-cache'] })
    context = await browser.newContext()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  async function open(): Promise<Page> {
    const page = await context.newPage()
    await page.goto(server.url)
    await page.waitForFunction(() => (globalThis as any).ready === true)
    return page
  }

  const status = (page: Page) => page.evaluate(() => (globalThis as any).memory.status())
  const observe = (page: Page, id: string) => page.evaluate(id => (globalThis as any).memory.observe({ id, text: 'I play the cello.' }), id)

  test('the leading tab is kept for going back to, another leads meanwhile, and going back takes part again (asks 95)', async () => {
    const [a, b] = [await open(), await open()]
    expect([(await status(a)).leader, (await status(b)).leader]).toEqual([true, false])
    await a.goto(`${server.url}/other.html`)
    expect((await observe(b, 'while away')).turn).toBe('while away')
    expect((await status(b)).leader).toBe(true)
    // What was kept does not load again.
    await a.goBack({ waitUntil: 'commit' })
    expect(await a.evaluate(() => (globalThis as any).persisted)).toBe(true)
    expect(await status(a)).toMatchObject({ leader: false, turns: 1 })
    await observe(b, 'afterwards')
    await expect.poll(() => a.evaluate(() => (globalThis as any).events)).toEqual(['afterwards'])
    await a.close()
    await b.close()
  })

  test('a page that is reloaded finds its memory, and a tab that follows is not disturbed (asks 93)', async () => {
    const [a, b] = [await open(), await open()]
    await observe(a, 'before')
    await b.reload()
    await b.waitForFunction(() => (globalThis as any).ready === true)
    expect((await status(a)).leader).toBe(true)
    await a.reload()
    await a.waitForFunction(() => (globalThis as any).ready === true)
    expect((await status(b)).leader).toBe(true)
    expect((await status(a)).turns).toBe((await status(b)).turns)
    expect((await observe(a, 'before')).repeated).toBe(true)
    await a.close()
    await b.close()
  })
})

test('models that take the tab down twice while they load are left out the third time, and a tab closed by hand does not count (asks 73)', async () => {
  const index = `${head}<script type="module">
    import { openMemory } from '/dist/index.js'
    const onProgress = ({ stage }) => stage === 'load' && (window.loading = true)
    const models = { nli: false, evidence: false, lm: false }
    window.memory = await openMemory({ assets: '/', device: 'wasm', models, onProgress })
    window.ready = true
  </script>`
  const server = await site({ 'index.html': index })
  const browser = await chromium.launch(launchOptions())
  try {
    const context = await browser.newContext()
    const until = (page: Page, what: 'loading' | 'ready') => page.waitForFunction(what => (globalThis as any)[what] === true, what)
    const visit = async () => {
      const page = await context.newPage()
      page.setDefaultTimeout(120_000)
      await page.goto(server.url)
      return page
    }
    const crash = async () => {
      const page = await visit()
      await until(page, 'loading')
      const crashed = page.waitForEvent('crash')
      const session = await context.newCDPSession(page)
      void session.send('Page.crash').catch(() => {})
      await crashed
      await page.close()
    }
    const missing = async () => {
      const page = await visit()
      await until(page, 'ready')
      const { missing } = await page.evaluate(() => (globalThis as any).memory.status())
      await page.close()
      return missing as { role: string; reason: string }[]
    }

    await crash()
    const left = await visit()
    await until(left, 'loading')
    await left.close({ runBeforeUnload: false })
    await crash()
    expect(await missing()).toEqual([
      { role: 'embedder', reason: expect.stringMatching(/ended while these models were loaded.*left out until/) },
    ])
    // It goes on like that, without a load that could take the tab down again.
    expect(await missing()).toHaveLength(1)
  } finally {
    await browser.close()
    await server.close()
  }
})
