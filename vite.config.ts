import { readdirSync } from 'node:fs'
import { defaultClientConditions, defineConfig, type Plugin, type UserConfig } from 'vite'
import { at } from './scripts/layout.mjs'
import { localAssets } from './scripts/local-assets.ts'

export const resolve: NonNullable<UserConfig['resolve']> = {
  // With this condition onnxruntime-web takes its runtime files from `wasmPaths` only.
  conditions: ['onnxruntime-web-use-extern-wasm', ...defaultClientConditions],
  alias: [
    { find: /^credence$/, replacement: at('src/index.ts') },
    { find: /^credence\/import$/, replacement: at('src/integrations/importers.ts') },
  ],
}

// The worker's imports are found only when it runs; preparing them then would reload the page in the middle of a test.
export const optimizeDeps: NonNullable<UserConfig['optimizeDeps']> = {
  include: [
    '@huggingface/tokenizers',
    'chrono-node/de',
    'chrono-node/en',
    'chrono-node/es',
    'chrono-node/zh/hans',
    'comlink',
    'idb',
    'minisearch',
    'onnxruntime-web/webgpu',
    'stemmer',
  ],
}

/**
 * In the package the worker lies beside the script that starts it. Vite would put it into the library as a `data:` URL, which a strict CSP
 * forbids, so it is built on its own, and its URL is written in the way that every bundler understands.
 */
function workerBeside(): Plugin {
  const inSource = /new URL\(\s*(['"])[^'"]*\/worker\/entry\.ts\1\s*,\s*import\.meta\.url\s*,?\s*\)/g
  const marker = '__CREDENCE_WORKER_URL__'
  return {
    name: 'worker-beside',
    enforce: 'pre',
    transform: code => (code.search(inSource) >= 0 ? { code: code.replace(inSource, marker), map: null } : null),
    renderChunk: code =>
      code.includes(marker) ? { code: code.replaceAll(marker, `new URL('./worker.js', import.meta.url)`), map: null } : null,
    generateBundle(_, files) {
      const entry = files['index.js'] ?? files['credence.js']
      if (entry?.type === 'chunk' && !entry.code.includes('./worker.js')) {
        this.error(`no "new URL('…/worker/entry.ts', import.meta.url)" in what ${entry.fileName} is made of`)
      }
    },
  }
}

/** A classic script has no `import.meta.url`; it knows its own URL while it first runs. */
const classicUrl: Plugin = {
  name: 'classic-url',
  enforce: 'pre',
  transform: code => (code.includes('import.meta.url') ? { code: code.replaceAll('import.meta.url', '__credenceUrl'), map: null } : null),
  renderChunk: code => ({ code: code.replaceAll('import.meta.url', '__credenceUrl'), map: null }),
}

/**
 * Bundlers of those who use the package must not follow what onnxruntime-web loads at run time. Its source says so in ways that minifying
 * undoes: a `new URL()` they cannot see through, and comments at its dynamic import.
 */
const runtimeStaysOutside: Plugin = {
  name: 'runtime-stays-outside',
  enforce: 'pre',
  transform: {
    filter: { id: /onnxruntime-web/ },
    handler: code => ({ code: code.replaceAll('import.meta.url', 'self.location.href'), map: null }),
  },
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type === 'chunk')
        file.code = file.code.replace(/\bimport\((?=[\w$])/g, 'import(/* webpackIgnore: true */ /* @vite-ignore */ ')
    }
  },
}

const output = { target: 'es2022', outDir: at('dist'), emptyOutDir: false, sourcemap: true, reportCompressedSize: false } as const

const builds: Record<string, UserConfig> = {
  library: {
    resolve,
    plugins: [workerBeside()],
    publicDir: false,
    build: {
      ...output,
      lib: {
        formats: ['es'],
        entry: { index: at('src/index.ts'), import: at('src/integrations/importers.ts') },
        fileName: (_, name) => `${name}.js`,
      },
      rolldownOptions: { output: { chunkFileNames: 'shared.js' } },
    },
  },
  worker: {
    resolve,
    plugins: [runtimeStaysOutside],
    publicDir: false,
    build: {
      ...output,
      lib: { formats: ['es'], entry: at('src/worker/entry.ts'), fileName: () => 'worker.js' },
      rolldownOptions: { output: { minify: true, codeSplitting: false } },
    },
  },
  classic: {
    resolve,
    plugins: [workerBeside(), classicUrl],
    publicDir: false,
    build: {
      ...output,
      lib: { formats: ['iife'], name: 'credence', entry: at('src/script.ts'), fileName: () => 'credence.js' },
      rolldownOptions: { output: { intro: 'const __credenceUrl = document.currentScript.src' } },
    },
  },
  demo: {
    root: at('demo'),
    base: './',
    resolve,
    publicDir: at('public'),
    worker: { format: 'es' },
    build: {
      target: 'es2022',
      outDir: at('dist-demo'),
      emptyOutDir: true,
      // src/client/place.ts compares the origin of this file with the page's: a `data:` URL would have none.
      assetsInlineLimit: file => (file.endsWith('/worker/entry.ts') ? false : undefined),
      reportCompressedSize: false,
      rolldownOptions: {
        input: readdirSync(at('demo'), { recursive: true, encoding: 'utf8' })
          .filter(name => name.endsWith('.html'))
          .map(name => at(`demo/${name}`)),
      },
    },
  },
}

const development: UserConfig = {
  root: at('demo'),
  resolve,
  optimizeDeps,
  publicDir: at('public'),
  plugins: [localAssets()],
  worker: { format: 'es' },
}

export default defineConfig(({ mode }) => builds[mode] ?? development)
