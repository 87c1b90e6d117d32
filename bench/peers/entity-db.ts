/** @babycommando/entity-db in Chromium, in the way of its README: texts in, a text to search with. */

import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { chromium } from 'playwright'
import { launchOptions } from '../../scripts/chromium.mjs'
import type { StartedPeer } from '../kinds/peers.ts'
import { attributed } from '../kinds/retrieval.ts'
import { miniLmFiles, peerPackages } from './packages.ts'

interface Entry {
  text: string
  turn: string
}
interface EntityDb {
  insert(entry: Entry): Promise<number>
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
  // On a busy machine the model takes long to load.
  page.setDefaultTimeout(10 * 60_000)
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
      let waiting: Entry[] = []
      /** Many turns in one call of the page. */
      async function insert() {
        const entries = waiting
        waiting = []
        const added = await page.evaluate(async entries => {
          const keys: number[] = []
          for (const entry of entries) keys.push(await (globalThis as unknown as PageGlobals).db.insert(entry))
          return keys
        }, entries)
        keys.push(...added)
      }
      return {
        async put({ text, speaker }, turn) {
          waiting.push({ text: attributed(text, speaker), turn })
          if (waiting.length >= 100) await insert()
        },
        async ask(text) {
          if (waiting.length > 0) await insert()
          const ranking = await page.evaluate(
            async ({ text, limit }) => (await (globalThis as unknown as PageGlobals).db.query(text, { limit })).map(({ turn }) => turn),
            { text, limit },
          )
          return { ranking, given: null }
        },
        async close() {
          if (waiting.length > 0) await insert()
          await page.evaluate(async keys => {
            for (const key of keys) await (globalThis as unknown as PageGlobals).db.delete(key)
          }, keys)
        },
      }
    },
    stop: () => browser.close(),
  }
}
