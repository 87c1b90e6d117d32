/** The built package works where it will be used: each test is one way of loading it, with real models. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

test('a module from another origin, on a page without isolation', async () => {
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

test('a classic script under a strict content security policy', async () => {
  const index = `${head}<script src="/lib/credence.js" data-assets="/lib/assets/"></script><script src="/app.js"></script>`
  const app = `(async () => { const { openMemory } = credence;${use()} })()`
  const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:"
  const headers = { ...isolation, 'Content-Security-Policy': policy }
  const seen = await visit(browser, { files: { 'index.html': index, 'app.js': app }, mounts: { '/lib/': at('dist') }, headers }, [recalled])
  expect(seen).toMatchObject(clean)
})

test('an app that a bundler makes of the packed package', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'credence-app-'))
  try {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: at('') })
    mkdirSync(join(folder, 'node_modules/credence'), { recursive: true })
    execFileSync('tar', ['-xzf', join(folder, 'credence-0.1.0.tgz'), '--strip-components=1', '-C', join(folder, 'node_modules/credence')])
    writeFileSync(join(folder, 'vite.config.mjs'), 'export default {}')
    writeFileSync(join(folder, 'index.html'), `${head}<script type="module" src="/main.js"></script>`)
    writeFileSync(join(folder, 'main.js'), `import { openMemory } from 'credence'\n(async () => {${use('/assets/credence/')} })()`)
    execFileSync(process.execPath, [at('node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], { cwd: folder })
    const mounts = {
      '/': join(folder, 'dist'),
      '/assets/credence/runtime/': join(folder, 'node_modules/credence/dist/assets/runtime'),
      '/assets/credence/models/': at('models'),
    }
    const seen = await visit(browser, { files: {}, mounts }, [recalled])
    expect(seen).toMatchObject(clean)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
