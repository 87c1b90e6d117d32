import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { defaultClientConditions, defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite'
import { at, entries } from './scripts/layout.mjs'
import { localAssets } from './scripts/local-assets.ts'

export const resolve: NonNullable<UserConfig['resolve']> = {
  // With this condition onnxruntime-web takes its runtime files from `wasmPaths` only.
  conditions: ['onnxruntime-web-use-extern-wasm', ...defaultClientConditions],
  alias: Object.entries(entries).map(([name, source]) => ({
    find: name === 'index' ? /^credence$/ : new RegExp(`^credence/${name}$`),
    replacement: at(source),
  })),
}

// The worker's imports are found only when it runs; preparing them then would reload the page in the middle of a test.
export const optimizeDeps: NonNullable<UserConfig['optimizeDeps']> = {
  include: [
    '@huggingface/tokenizers',
    'chrono-node/de',
    'chrono-node/en',
    'chrono-node/es',
    'chrono-node/zh/hans',
    'idb',
    'lit',
    'lit/directive.js',
    'lit/directives/ref.js',
    'lit/directives/repeat.js',
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

/** The React hook opens memories with the very `openMemory` of `credence`: imported from there, so that index.js stays one file with all it needs. */
const entryStaysOutside: Plugin = {
  name: 'entry-stays-outside',
  enforce: 'pre',
  resolveId: (id, importer) => (importer?.includes('/integrations/') && id === '../index.ts' ? { id: './index.js', external: true } : null),
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
  generateBundle: unfollowedImports,
}

function unfollowedImports(_: unknown, files: Rolldown.OutputBundle): void {
  for (const file of Object.values(files)) {
    if (file.type === 'chunk') file.code = file.code.replace(/\bimport\((?=[\w$])/g, 'import(/* webpackIgnore: true */ /* @vite-ignore */ ')
  }
}

/** Archives are unpacked where they are read, by the browser's own streams: zip.js's workers, and its modules for other formats, are left out. */
const zipWithoutWorkers: Plugin = {
  name: 'zip-without-workers',
  enforce: 'pre',
  load: { filter: { id: /@zip\.js\/.*\/codec-worker-web\.js$/ }, handler: () => 'export {}' },
  generateBundle: unfollowedImports,
}

/** The scripts that the pages for which `entry` is true load, with all that these import. */
function reached(files: Rolldown.OutputBundle, entry: (id: string) => boolean): Set<string> {
  const found = new Set<string>()
  const open = Object.values(files).flatMap(file => (file.type === 'chunk' && entry(file.facadeModuleId ?? '') ? [file.fileName] : []))
  while (open.length > 0) {
    const name = open.pop()!
    const file = files[name]
    if (found.has(name) || file?.type !== 'chunk') continue
    found.add(name)
    open.push(...file.imports, ...file.dynamicImports)
  }
  return found
}

/** The demo's service worker gets the names of all files of the build, and a version that changes with any of them, and with the models. */
const offline: Plugin = {
  name: 'offline',
  enforce: 'post',
  generateBundle(_, files) {
    const worker = files['service-worker.js']
    if (worker?.type !== 'chunk') this.error('the build has no service-worker.js')
    // What only the examples need, a framework each, is not kept.
    const demo = reached(files, id => id.endsWith('/demo/index.html'))
    const examples = reached(files, id => id.includes('/demo/examples/'))
    const built = Object.values(files).filter(({ fileName }) => {
      const theirs = fileName.startsWith('examples/') || (examples.has(fileName) && !demo.has(fileName))
      return fileName !== worker.fileName && !fileName.endsWith('.map') && !theirs
    })
    const kept = readdirSync(at('public'), { recursive: true, withFileTypes: true }).filter(file => file.isFile())
    const names = [...built.map(file => file.fileName), ...kept.map(file => relative(at('public'), join(file.parentPath, file.name)))]
    const hash = createHash('sha256').update(readFileSync(at('models/manifest.json')))
    for (const file of built) hash.update(file.fileName).update(file.type === 'chunk' ? file.code : file.source)
    worker.code = worker.code.replace('__FILES__', names.sort().join('|')).replace('__VERSION__', hash.digest('hex').slice(0, 16))
  },
}

const output = { target: 'es2022', outDir: at('dist'), emptyOutDir: false, sourcemap: true, reportCompressedSize: false } as const

/** Pages that are served as they are, because they show what works without a build, and the extension, have their own mounts and builds. */
const demoPages = readdirSync(at('demo'), { recursive: true, encoding: 'utf8' })
  .map(name => name.replaceAll('\\', '/'))
  .filter(name => name.endsWith('.html') && !/^examples\/(01|02|10)-/.test(name))

const builds: Record<string, UserConfig> = {
  library: {
    resolve,
    plugins: [workerBeside(), entryStaysOutside, zipWithoutWorkers],
    publicDir: false,
    build: {
      ...output,
      lib: {
        formats: ['es'],
        entry: Object.fromEntries(Object.entries(entries).map(([name, source]) => [name, at(source)])),
        fileName: (_, name) => `${name}.js`,
      },
      rolldownOptions: {
        external: [/^react$/, /^@langchain\/core/],
        // Next renders on the server whatever does not say this.
        output: { chunkFileNames: 'shared/[name].js', banner: ({ name }) => (name === 'react' ? "'use client'" : '') },
      },
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
    plugins: [offline],
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
        input: [...demoPages, 'service-worker.ts'].map(name => at(`demo/${name}`)),
        output: { entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js') },
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
