/** Runs tests of Vitest in Firefox, driven over WebDriver BiDi: Playwright drives builds of its own alone, and Debian's Firefox is what people have. */

import { defineBrowserProvider } from '@vitest/browser'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import type { BrowserProvider, BrowserProviderOption } from 'vitest/node'

export const firefox = (executablePath: string): BrowserProviderOption =>
  defineBrowserProvider({ name: 'firefox', supportedBrowser: ['firefox'], providerFactory: () => new Firefox(executablePath) })

class Firefox implements BrowserProvider {
  readonly name = 'firefox'
  readonly supportsParallelism = false
  readonly #path: string
  readonly #pages = new Map<string, Page>()
  #browser: Promise<Browser> | undefined

  constructor(path: string) {
    this.#path = path
  }

  async openPage(session: string, url: string): Promise<void> {
    this.#browser ??= puppeteer.launch({ browser: 'firefox', executablePath: this.#path, headless: true })
    const browser = await this.#browser
    await this.#pages.get(session)?.close()
    const page = await browser.newPage()
    this.#pages.set(session, page)
    await page.goto(url, { timeout: 0 })
  }

  /** A page tells of its requests in the way that a context of Playwright does. */
  getCommandsContext(session: string): { context: Page | undefined } {
    return { context: this.#pages.get(session) }
  }

  async close(): Promise<void> {
    await (await this.#browser)?.close()
  }
}
