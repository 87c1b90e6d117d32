/** The built package works where it will be used: each test is one way of loading it, with real models. */

import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at } from '../../scripts/layout.mjs'
import { isolation, serve } from '../../scripts/serve.mjs'
import { head, openBrowser, visit } from './page.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** One turn in, one question out. */
const use = (assets?: string) => `
  const memory = await openMemory({ ${assets === undefined ? '' : `assets: ${JSON.stringify(assets)}, `}models: { lm: false } })
  await memory.observe({ text: 'I am allergic to walnuts.' })
  const { beliefs } = await memory.recall('Which nuts am I allergic to?')
  const { threads } = await memory.status()
  await memory.close()
  console.log('recalled', beliefs.map(belief => belief.text).join(), 'threads', threads)`

const recalled = 'recalled I am allergic to walnuts.'
const clean = { errors: [], outside: [] }

test('a module from another origin, on a page without isolation (asks 96, 97)', async () => {
  const other = await serve({ mounts: { '/': at('dist') }, headers: { 'Access-Control-Allow-Origin': '*' } })
  try {
    const index = `${head}<script type="module">import { openMemory } from '${other.url}/index.js'${use()}</script>`
    const seen = await visit(browser, { files: { 'index.html': index }, headers: {} }, [recalled])
    expect(seen.errors).toEqual([])
    expect(seen.printed.join()).toContain('threads 1')
    expect(seen.outside.filter(url => !url.startsWith(other.url))).toEqual([])
  } finally {
    await other.close()
  }
})

test('a classic script under a strict content security policy (asks 88, 89)', async () => {
  const index = `${head}<script src="/lib/credence.js" data-assets="/lib/assets/"></script><script src="/app.js"></script>`
  const app = `(async () => { const { openMemory } = credence;${use()} })()`
  const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:"
  const headers = { ...isolation, 'Content-Security-Policy': policy }
  const seen = await visit(browser, { files: { 'index.html': index, 'app.js': app }, mounts: { '/lib/': at('dist') }, headers }, [recalled])
  expect(seen).toMatchObject(clean)
})

test('a classic script from another origin, on an isolated page: its worker is started from a blob (asks 96, 97)', async () => {
  const headers = {
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
  }
  const other = await serve({ mounts: { '/': at('dist') }, headers })
  try {
    const index = `${head}<script src="${other.url}/credence.js"></script><script>(async () => { const { openMemory } = credence;${use()} })()</script>`
    const seen = await visit(browser, { files: { 'index.html': index } }, [recalled])
    expect(seen.errors).toEqual([])
    expect(seen.printed.join()).toMatch(/threads [2-9]/)
    expect(seen.outside.filter(url => !url.startsWith(other.url))).toEqual([])
  } finally {
    await other.close()
  }
})
