// Plays the demo's example in Chromium and writes what demo and inspector look like to docs/*.png. `npm run build` comes first.
import { statSync } from 'node:fs'
import { chromium } from 'playwright'
import { launchOptions } from './chromium.mjs'
import { assetMounts, at } from './layout.mjs'
import { serve } from './serve.mjs'

const patience = 300_000
const server = await serve({ mounts: { '/': at('dist-demo'), ...assetMounts } })
const { args, ...options } = launchOptions()
// Letters in shades of grey make the files a good deal smaller.
const browser = await chromium.launch({ ...options, args: [...args, '--disable-lcd-text'] })
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, reducedMotion: 'reduce', colorScheme: 'light' })
  page.setDefaultTimeout(patience)
  await page.goto(server.url)
  await page.waitForSelector('#send:not([disabled])')
  await page.click('#example')
  await page.waitForSelector('#send[aria-disabled=true]')
  await page.waitForSelector('#send[aria-disabled=false]')
  const tea = page.locator('credence-inspector-belief[data-state=fact]').first()
  await tea.locator('summary').click()
  await tea.locator('.why').waitFor()
  await page.mouse.move(0, 0)

  /** @param {string} name @param {(path: string) => Promise<unknown>} take */
  const write = async (name, take) => {
    const path = at(`docs/${name}.png`)
    await take(path)
    const kB = statSync(path).size / 1000
    console.log(`docs/${name}.png ${kB.toFixed(0)} kB`)
    if (kB > 200) throw new Error('above 200 kB')
  }
  for (const [name, colorScheme, width] of /** @type {const} */ ([
    ['light', 'light', 1200],
    ['dark', 'dark', 1200],
    ['narrow', 'light', 360],
  ])) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(() => scrollTo(0, 0))
    await write(`demo-${name}`, path => page.screenshot({ path }))
    await write(`inspector-${name}`, path => page.locator('#memory').screenshot({ path }))
  }
} finally {
  await browser.close()
  await server.close()
}
