/** @babycommando/entity-db in Chromium, in the way of its README: texts in, a text to search with. */

import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { chromium } from 'playwright'
import { launchOptions } from '../../scripts/chromium.mjs'
import type { StartedPeer } from '../kinds/peers.ts'
import { attributed } from '../kinds/retrieval.ts'
import { miniLmFiles, peerPackages } from './packages.ts'

interface EntityDb {
  insert(entry: { text: string; turn: string }): Promise<number>
  query(text: string, options: { limit: number }): Promise<{ turn: string }[]>
  delete(key: number): Promise<void>
}
type PageGlobals = { db: EntityDb }

const page_ = `<!doctype html><script type="module">
  import { EntityDB } from '/entity-db.js'
  globalThis.db = new EntityDB({ vectorPath: 'vector' })
</script>`

export async function startEntityDb(limit: number): Promise<StartedPeer> {
  const packages = peerPackages()
  const { outputFiles } = await build({
    stdin: { contents: `export { EntityDB } from '@babycommando/entity-db'`, resolveDir: packages },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  })
  const { graph, tokenizer } = await miniLmFiles()
  /** The model where the package looks first, in its own folder of the page's site. */
  const model: Record<string, () => string | Buffer> = {
    'config.json': () => JSON.stringify({ model_type: 'bert' }),
    'tokenizer.json': () => readFileSync(tokenizer),
    'tokenizer_config.json': () => JSON.stringify({ tokenizer_class: 'BertTokenizer', do_lower_case: true, model_max_length: 512 }),
    'onnx/model_quantized.onnx': () => readFileSync(graph),
  }
  const found = (path: string): string | Buffer | undefined => {
    if (path === '/') return page_
    if (path === '/entity-db.js') return Buffer.from(outputFiles[0]!.contents)
    // Asked for at a CDN.
    const wasm = join(packages, 'node_modules/@xenova/transformers/dist', basename(path))
    if (path.endsWith('.wasm') && existsSync(wasm)) return readFileSync(wasm)
    return model[path.replace('/huggingface/Xenova/all-MiniLM-L6-v2/', '')]?.()
  }
  const types: Record<string, string> = { '/': 'text/html', '/entity-db.js': 'text/javascript' }

  const browser = await chromium.launch(launchOptions())
  const page = await browser.newPage()
  page.on('pageerror', error => process.stderr.write(`entity-db: ${error.message}\n`))
  await page.route('**/*', route => {
    const { pathname } = new URL(route.request().url())
    const body = found(pathname)
    if (body === undefined) return route.fulfill({ status: 404 })
    const contentType = types[pathname] ?? (pathname.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream')
    return route.fulfill({ body, contentType, headers: { 'Access-Control-Allow-Origin': '*' } })
  })
  await page.goto('http://localhost/')
  await page.waitForFunction('globalThis.db')

  return {
    async open() {
      const keys: number[] = []
      return {
        async put({ text, speaker }, turn) {
          const entry = { text: attributed(text, speaker), turn }
          keys.push(await page.evaluate(entry => (globalThis as unknown as PageGlobals).db.insert(entry), entry))
        },
        async ask(text) {
          const ranking = await page.evaluate(
            async ({ text, limit }) => (await (globalThis as unknown as PageGlobals).db.query(text, { limit })).map(({ turn }) => turn),
            { text, limit },
          )
          return { ranking, needed: null }
        },
        close: () =>
          page.evaluate(async keys => {
            for (const key of keys) await (globalThis as unknown as PageGlobals).db.delete(key)
          }, keys),
      }
    },
    stop: () => browser.close(),
  }
}
