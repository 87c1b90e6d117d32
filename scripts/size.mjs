// What a page loads of us, compressed as a server would, without the runtime and the models; fails above a budget.
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { at } from './layout.mjs'

// kB. The first is for the code in src/, the second for that and the packages bundled with it.
const budgets = { own: 60, all: 95 }

/**
 * Each script of one build, in kB brotli, with some packages left out.
 * @param {string} mode
 * @param {RegExp} without
 * @returns {Promise<Record<string, number>>}
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
  return Object.fromEntries(chunks.map(chunk => [chunk.fileName, brotliCompressSync(chunk.code).length / 1000]))
}

/** @param {RegExp} without */
async function total(without) {
  const { 'index.js': page = 0, 'shared.js': shared = 0, 'import.js': importers = 0 } = await measure('library', without)
  const { 'worker.js': worker = 0 } = await measure('worker', without)
  return { page: page + shared, importers, worker, sum: page + shared + worker }
}

export async function size() {
  const own = await total(/^[@a-z]/)
  const all = await total(/^onnxruntime-web/)
  const kB = (/** @type {number} */ value) => `${value.toFixed(1)} kB`
  console.log(`${kB(own.sum)} brotli of our own code: page ${kB(own.page)}, worker ${kB(own.worker)} (budget ${budgets.own} kB)`)
  console.log(
    `${kB(all.sum)} with the packages bundled with it, without onnxruntime-web: page ${kB(all.page)}, worker ${kB(all.worker)} (budget ${budgets.all} kB)`,
  )
  console.log(`${kB(all.importers)} more for credence/import`)
  if (own.sum > budgets.own || all.sum > budgets.all) throw new Error('above the budget')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await size()
