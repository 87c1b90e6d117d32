/** The documentation site: it is built, its links lead somewhere, its search finds, and it says of everything what it should. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright'
import { buildDocs } from '../../scripts/docs.mjs'
import { at, entries } from '../../scripts/layout.mjs'
import { serve } from '../../scripts/serve.mjs'
import { openBrowser } from './page.ts'

let folder: string
let browser: Browser

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'credence-docs-'))
  // Fails where a link of a page leads nowhere.
  await buildDocs(folder)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the search finds a section, and leads to it', async () => {
  const site = await serve({ mounts: { '/': folder } })
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('pageerror', error => problems.push(String(error)))
  page.on('requestfailed', request => problems.push(request.url()))
  page.on('response', response => response.status() >= 400 && problems.push(response.url()))
  await page.goto(`${site.url}/`)
  expect(await page.textContent('h1')).toBe('Quick start')
  await page.fill('#search', 'observ')
  await expect.poll(() => page.locator('#found li').count()).toBe(8)
  await page.fill('#search', 'content security')
  await expect.poll(() => page.textContent('#found li:first-child')).toContain('Content-Security-Policy')
  await page.click('#found li:first-child a')
  await page.waitForURL(/#content-security-policy$/)
  expect(await page.locator('#content-security-policy').isVisible()).toBe(true)
  await page.close()
  await site.close()
  expect(problems).toEqual([])
})

test('the reference has every entry and every error code, and the pages name each code and integration', () => {
  const api = readFileSync(join(folder, 'api.html'), 'utf8')
  for (const name of Object.keys(entries)) expect(api).toContain(name === 'index' ? '>credence<' : `>credence/${name}<`)
  for (const title of ['Memory', 'MemoryOptions', 'CredenceError', 'readTranscript', 'useMemory']) expect(api).toContain(`>${title}</h3>`)
  const codes = [...readFileSync(at('src/errors.ts'), 'utf8').matchAll(/^ {2}\| '(\w+)'/gm)].map(match => match[1]!)
  const troubleshooting = readFileSync(at('docs/troubleshooting.md'), 'utf8')
  expect(codes.length).toBeGreaterThan(15)
  expect(codes.filter(code => !troubleshooting.includes(`\`${code}\``))).toEqual([])
  const pages = ['integrations', 'importing', 'inspector', 'extension'].map(name => readFileSync(at(`docs/${name}.md`), 'utf8')).join()
  expect(Object.keys(entries).filter(name => name !== 'index' && !pages.includes(`credence/${name}`))).toEqual([])
})
