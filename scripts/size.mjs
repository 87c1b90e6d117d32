// What a page loads of us, compressed as a server would, without the runtime and the models; fails above a budget.
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { at } from './layout.mjs'

// kB. The first is for the code in src/, the second for that and the packages bundled with it.
const budgets = { own: 60, all: 90 }

/**
 * The scripts of one build, in kB brotli, with some packages left out.
 * @param {string} mode
 * @param {RegExp} without
 */
async function measure(mode, without) {
  const { build, loadConfigFromFile, mergeConfig } = await import('vite')
  const loaded = await loadConfigFromFile({ command: 'build', mode }, at('vite.config.ts'))
  const rolldownOptions = { external: without, output: { minify: true } }
  const config = mergeConfig(loaded?.config ?? {}, {
    configFile: false,
    logLevel: 'error',
    build: { write: false, sourcemap: false, rolldownOptions },
  })
  const results = [await build(config)].flat()
  const chunks = results.flatMap(result => ('output' in result ? result.output : [])).filter(file => file.type === 'chunk')
  return chunks.reduce((sum, chunk) => sum + brotliCompressSync(chunk.code).length / 1000, 0)
}

export async function size() {
  const runtime = /^onnxruntime-web/
  const anyPackage = /^[@a-z]/
  const own = (await measure('library', anyPackage)) + (await measure('worker', anyPackage))
  const all = (await measure('library', runtime)) + (await measure('worker', runtime))
  console.log(`${own.toFixed(1)} kB brotli of our own code: page side, importers and worker (budget ${budgets.own})`)
  console.log(`${all.toFixed(1)} kB brotli with the packages bundled with it, without onnxruntime-web (budget ${budgets.all})`)
  console.log(
    `${(await measure('classic', runtime)).toFixed(1)} kB brotli of that are the classic script, which takes the place of the page side`,
  )
  if (own > budgets.own || all > budgets.all) throw new Error('above the budget')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await size()
