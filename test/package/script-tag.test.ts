/** The chat page of docs/script-tag.md runs exactly as printed, on the built package and the real models. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at } from '../../scripts/layout.mjs'
import { isolation, serve } from '../../scripts/serve.mjs'
import { openBrowser } from './page.ts'

const printed = /^```html\n(<!doctype html>[^]*?)^```$/m.exec(readFileSync(at('docs/script-tag.md'), 'utf8'))?.[1]
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'"

/** What the page shows may have to wait for the models. */
const patient = { timeout: 180_000 }

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('the chat page remembers over a reload, and its button shows what', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'credence-chat-'))
  writeFileSync(join(folder, 'index.html'), printed ?? expect.fail('docs/script-tag.md has no whole page'))
  // Inline scripts are the page's own matter; styles are the inspector's, and it has none that a policy could refuse.
  const headers = { ...isolation, 'Content-Security-Policy': policy }
  const server = await serve({ mounts: { '/': folder, '/credence/': at('dist') }, headers })
  const page = await browser.newPage()
  page.setDefaultTimeout(patient.timeout)
  const errors: string[] = []
  const outside: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  page.on('console', message => message.type() === 'error' && !message.text().includes('favicon') && errors.push(message.text()))
  page.on('request', request => request.url().startsWith(server.url) || outside.push(request.url()))
  const log = page.locator('#log li')
  const send = async (text: string) => {
    await page.getByLabel('Message').fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
  }
  try {
    await page.goto(server.url)
    // At once: the models are still loading.
    await send('I am allergic to peanuts.')
    await expect
      .poll(() => log.allInnerTexts(), patient)
      .toEqual(['user: I am allergic to peanuts.', 'assistant: Nothing I remember bears on that.'])
    await page.getByRole('button', { name: 'Show what is remembered' }).click()
    await expect.poll(() => page.locator('credence-inspector .words').allInnerTexts(), patient).toEqual(['I am allergic to peanuts.'])

    await page.reload()
    await page.waitForSelector('credence-inspector-button', { state: 'attached' })
    await send('Can I eat peanut butter?')
    await expect.poll(() => log.last().innerText(), patient).toMatch(/^assistant: <credence-memory>[^]*I am allergic to peanuts\./)
    expect(errors.filter(error => !/404/.test(error))).toEqual([])
    expect(outside).toEqual([])
  } finally {
    await page.close()
    await server.close()
    rmSync(folder, { recursive: true })
  }
})
