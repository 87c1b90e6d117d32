// Plays the demo's example in Chromium and writes what it looks like to docs/demo-*.png. `npm run build` comes first.
import { mkdirSync } from 'node:fs'
import { chromium } from 'playwright'
import { launchOptions } from './chromium.mjs'
import { assetMounts, at } from './layout.mjs'
import { serve } from './serve.mjs'

const server = await serve({ mounts: { '/': at('dist-demo'), ...assetMounts } })
const browser = await chromium.launch(launchOptions())
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 }, reducedMotion: 'reduce', colorScheme: 'light' })
  await page.goto(server.url)
  await page.waitForSelector('#send:not([disabled])', { timeout: 180_000 })
  await page.click('#example')
  await page.waitForSelector('#send[aria-disabled=true]')
  await page.waitForSelector('#send[aria-disabled=false]', { timeout: 120_000 })
  await page.locator('#beliefs-list .belief > summary').first().click()
  await page.waitForSelector('#beliefs-list .why')
  await page.mouse.move(0, 0)
  mkdirSync(at('docs'), { recursive: true })
  for (const [name, colorScheme, width] of /** @type {const} */ ([
    ['light', 'light', 1440],
    ['dark', 'dark', 1440],
    ['narrow', 'light', 360],
  ])) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 1000 })
    await page.screenshot({ path: at(`docs/demo-${name}.png`), fullPage: true })
    console.log(`docs/demo-${name}.png`)
  }
} finally {
  await browser.close()
  await server.close()
}
