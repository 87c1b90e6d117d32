// Builds demo/examples/10-extension into dist-extension/, to be loaded unpacked (chrome://extensions). `npm run build` comes first.
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { at } from './layout.mjs'

const source = at('demo/examples/10-extension')

/**
 * @param {string} folder where the extension is written
 * @param {string} [credence] the package's folder
 */
export async function buildExtension(folder, credence = at('dist')) {
  const { build } = await import('esbuild')
  rmSync(folder, { recursive: true, force: true })
  const alias = { credence: join(credence, 'index.js'), 'credence/extension': join(credence, 'extension.js') }
  const options = /** @type {const} */ ({ absWorkingDir: source, outdir: folder, bundle: true, alias, logLevel: 'warning' })
  const modules = {
    'service-worker': './service-worker.js',
    offscreen: './offscreen.js',
    popup: './popup.js',
    worker: join(credence, 'worker.js'),
  }
  await build({ ...options, format: 'esm', entryPoints: modules })
  // A content script is no module.
  await build({ ...options, format: 'iife', entryPoints: ['./content.js'] })
  for (const name of readdirSync(source)) if (/\.(json|html)$/.test(name)) cpSync(join(source, name), join(folder, name))
  cpSync(join(credence, 'assets/runtime'), join(folder, 'assets/runtime'), { recursive: true })
  // Without the language model, which would double its size.
  for (const name of ['manifest.json', 'embedder', 'embedder-zh', 'nli', 'evidence']) {
    cpSync(at(`models/${name}`), join(folder, 'assets/models', name), { recursive: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await buildExtension(at('dist-extension'))
  console.log(`The extension is in ${at('dist-extension')}: load it unpacked at chrome://extensions.`)
}
