/** Every example that `npm start` serves, in Chromium with the real models: told something, it knows it when it bears on a question. */

import { readdirSync } from 'node:fs'
import type { Browser, BrowserContext } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { at, demoMounts } from '../../scripts/layout.mjs'
import { serve } from '../../scripts/serve.mjs'
import { openBrowser } from './page.ts'

const minute = 60_000
let browser: Browser
let context: BrowserContext
let server: { url: string; close(): Promise<void> }
const problems: string[] = []

beforeAll(async () => {
  server = await serve({ mounts: demoMounts })
  browser = await openBrowser()
  context = await browser.newContext({ serviceWorkers: 'block' })
  context.on(
    'request',
    request => !request.url().startsWith(`${server.url}/`) && !/^(blob|data):/.test(request.url()) && problems.push(request.url()),
  )
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
beforeEach(() => void (problems.length = 0))
afterEach(() => expect(problems).toEqual([]))

async function open(example: string) {
  const page = await context.newPage()
  page.on('pageerror', error => problems.push(String(error)))
  page.on('console', message => message.type() === 'error' && problems.push(message.text()))
  await page.goto(`${server.url}/examples/${example}/`)
  return page
}

const chats = ['01-script-tag', '02-esm', '03-react', '04-ai-sdk', '05-langchain', '06-webllm', '07-transformers', '08-prompt-api']

test.each(chats)('%s', async example => {
  const page = await open(example)
  const log = page.locator('#log li')
  let said = 0
  const say = async (text: string) => {
    await page.locator('form input').fill(text, { timeout: 2 * minute })
    await page.locator('form button').click()
    said += 2
    await expect.poll(() => log.count(), { timeout: 2 * minute }).toBe(said)
    return log.last().textContent()
  }
  // The memory is written behind the answer: what a reload cuts off is told again.
  const ask = async () => {
    await say('I am allergic to peanuts.')
    await page.waitForTimeout(2_000)
    await page.reload()
    said = 0
    return say('Can I eat peanut butter with my allergy?')
  }
  await expect.poll(ask, { timeout: 2 * minute }).toBe('From what you told me: I am allergic to peanuts.')
  expect(await say('What is 7 times 8?')).toBe('I know nothing about you that bears on this.')
  await page.close()
})

test('09-import', async () => {
  const page = await open('09-import')
  const buffer = Buffer.from('**User:** I play the cello.\n**Assistant:** How nice.\n**User:** Is it late?')
  await page.locator('input').setInputFiles({ name: 'chat.md', mimeType: 'text/markdown', buffer })
  const log = page.locator('#log')
  await expect.poll(() => log.textContent(), { timeout: 2 * minute }).toContain('"repeated"')
  expect(JSON.parse((await log.textContent())!)).toMatchObject({
    file: { format: 'markdown', conversations: 1, turns: 3, skipped: {} },
    memory: { turns: 3, total: 3, repeated: 0, ignored: { 'not-user': 1, question: 1 }, changes: { created: 1 } },
  })
  await page.close()
})

test('each is listed, and each that is listed is there', async () => {
  const page = await context.newPage()
  await page.goto(`${server.url}/examples/`)
  const listed = await page.locator('a').evaluateAll(links => links.map(link => link.getAttribute('href')!.replace(/\/$/, '')))
  const folders = readdirSync(at('demo/examples')).filter(name => /^\d\d-/.test(name))
  expect([...listed, '10-extension']).toEqual(folders.sort())
  await page.close()
})
