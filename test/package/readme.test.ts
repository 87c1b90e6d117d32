/** README's first code block and its script tag run exactly as printed, on the built package and the real models. */

import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at } from '../../scripts/layout.mjs'
import { head, openBrowser, visit } from './page.ts'

const readme = readFileSync(at('README.md'), 'utf8')
const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code }))

/** What a block says that it prints: its comments of the form `// → text`. */
function promised(code: string): string[] {
  const lines = [...code.matchAll(/\/\/ → (.+)$/gm)].map(match => match[1] ?? '')
  expect(lines, 'comments of the form "// → text"').not.toEqual([])
  return lines
}

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('the first code block', async () => {
  const code = blocks.find(block => /^[jt]s$/.test(block.language))?.code ?? expect.fail('README.md has no js or ts block')
  const index = `${head}<script type="importmap">{ "imports": { "credence": "/dist/index.js", "credence/import": "/dist/import.js" } }</script>
    <script type="module" src="/readme.js"></script>`
  const seen = await visit(browser, { files: { 'index.html': index, 'readme.js': code }, mounts: { '/dist/': at('dist') } }, promised(code))
  expect(seen.errors).toEqual([])
  expect(seen.outside).toEqual([])
})

test('the script tag', async () => {
  const code =
    blocks.find(block => block.language === 'html' && block.code.includes('credence.js'))?.code ??
    expect.fail('README.md has no script tag')
  const source = /src="([^"]*credence\.js)"/.exec(code)?.[1] ?? expect.fail('the script tag has no src that ends in credence.js')
  const assets = /data-assets="([^"]*)"/.exec(code)?.[1]
  const prefix = (path: string) => new URL(path.endsWith('/') ? path : `${path}/`, 'http://page/').pathname
  const mounts = { [prefix(dirname(source))]: at('dist'), ...(assets ? { [prefix(assets)]: at('dist/assets') } : {}) }
  const seen = await visit(browser, { files: { 'index.html': `${head}${code}` }, mounts }, promised(code))
  expect(seen.errors).toEqual([])
  expect(seen.outside).toEqual([])
})
