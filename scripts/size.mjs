// What a page loads of us, compressed as a server would, without the runtime and the models; fails above a budget.
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { at, entries } from './layout.mjs'

// kB. The first is for the code in src/ without the trained weights, which are models; the second for all that and the packages bundled with it.
// The design wants the first to be 60: tabs, encryption, erasure and the rules of language took it beyond.
const budgets = { own: 78, all: 116 }

/**
 * The scripts of one build, with some packages left out.
 * @param {string} mode
 * @param {RegExp} without
 */
async function bundle(mode, without) {
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
  return new Map(
    chunks.map(({ fileName, code, imports, dynamicImports }) => [fileName, { code, imports: [...imports, ...dynamicImports] }]),
  )
}

/**
 * What a page gets that loads a script with all that it imports, in kB brotli.
 * @param {Awaited<ReturnType<typeof bundle>>} chunks
 * @param {string} entry
 * @param {Set<string>} [loaded] scripts that the page has already; those of this entry are added
 */
function weight(chunks, entry, loaded = new Set()) {
  let sum = 0
  for (const open = [entry]; open.length > 0;) {
    const name = open.pop() ?? ''
    const chunk = chunks.get(name)
    if (!chunk || loaded.has(name)) continue
    loaded.add(name)
    open.push(...chunk.imports)
    sum += brotliCompressSync(chunk.code).length / 1000
  }
  return sum
}

/** @param {RegExp} without */
async function total(without) {
  const library = await bundle('library', without)
  const loaded = new Set()
  const page = weight(library, 'index.js', loaded)
  const more = Object.keys(entries)
    .filter(name => name !== 'index')
    .map(name => ({ name, size: weight(library, `${name}.js`, new Set(loaded)) }))
  const worker = weight(await bundle('worker', without), 'worker.js')
  return { page, worker, more, sum: page + worker }
}

export async function size() {
  const own = await total(/^[@a-z]|-weights\.ts$/)
  const all = await total(/^onnxruntime-web/)
  const kB = (/** @type {number} */ value) => `${value.toFixed(1)} kB`
  console.log(
    `${kB(own.sum)} brotli of our own code without trained weights: page ${kB(own.page)}, worker ${kB(own.worker)} (budget ${budgets.own} kB)`,
  )
  console.log(
    `${kB(all.sum)} with the packages bundled with it, without onnxruntime-web: page ${kB(all.page)}, worker ${kB(all.worker)} (budget ${budgets.all} kB)`,
  )
  console.log(`more for ${all.more.map(({ name, size }) => `credence/${name} ${kB(size)}`).join(', ')}`)
  if (own.sum > budgets.own || all.sum > budgets.all) throw new Error('above the budget')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await size()
