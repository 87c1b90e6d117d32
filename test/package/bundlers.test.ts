/** The packed package in apps that bundlers make of it, each run in Chromium, with one real model. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import webpack from 'webpack'
import { entries } from '../../scripts/layout.mjs'
import { assets, makeApp, run, type App } from './app.ts'
import { head, openBrowser, visit } from './page.ts'

let browser: Browser
let app: App
beforeAll(async () => {
  browser = await openBrowser()
})
afterEach(() => app.remove())
afterAll(() => browser.close())

const recalled = 'recalled I am allergic to walnuts. with embedder'
const clean = { errors: [], outside: [] }

/** What a bundler wrote that makes no page of its own. */
function pageOf(folder: string) {
  writeFileSync(join(folder, 'index.html'), `${head}<script type="module" src="/main.js"></script>`)
  return { files: {}, mounts: { '/': folder, ...assets } }
}

test('Vite, built (asks 96)', async () => {
  app = makeApp('vite')
  run(app.folder, 'vite/bin/vite.js', 'build', '--logLevel', 'warn')
  expect(await visit(browser, { files: {}, mounts: { '/': join(app.folder, 'dist'), ...assets } }, [recalled])).toMatchObject(clean)
})

test('Vite, its development server, which prepares packages beforehand (asks 96)', async () => {
  app = makeApp('vite')
  mkdirSync(join(app.folder, 'public/assets'), { recursive: true })
  for (const [path, folder] of Object.entries(assets)) symlinkSync(folder, join(app.folder, 'public', path.slice(0, -1)), 'junction')
  const { createServer } = await import('vite')
  const server = await createServer({ root: app.folder, configFile: false, logLevel: 'error', server: { port: 0, host: '127.0.0.1' } })
  await server.listen()
  try {
    const seen = await visit(browser, { files: {}, entry: server.resolvedUrls!.local[0]! }, [recalled])
    expect(seen.errors).toEqual([])
  } finally {
    await server.close()
  }
})

test('webpack (asks 96)', async () => {
  app = makeApp('webpack')
  const compiler = webpack({
    mode: 'production',
    context: app.folder,
    entry: './main.js',
    output: { path: join(app.folder, 'out'), filename: 'main.js', publicPath: '/' },
    performance: false,
    // It would only minify our minified worker again.
    optimization: { minimize: false },
  })!
  const stats = await new Promise<webpack.Stats>((resolve, reject) =>
    compiler.run((error, stats) => (error ? reject(error) : resolve(stats!))),
  )
  await new Promise(resolve => compiler.close(resolve))
  expect(stats.toJson({ all: false, errors: true, warnings: true })).toMatchObject({ errors: [], warnings: [] })
  expect(await visit(browser, pageOf(join(app.folder, 'out')), [recalled])).toMatchObject(clean)
})

test('esbuild, which needs the worker as an entry of its own (asks 96)', async () => {
  app = makeApp('esbuild')
  const { warnings } = await build({
    absWorkingDir: app.folder,
    entryPoints: { main: 'main.js', worker: 'credence/worker.js' },
    bundle: true,
    format: 'esm',
    outdir: 'out',
    logLevel: 'silent',
  })
  expect(warnings).toEqual([])
  expect(await visit(browser, pageOf(join(app.folder, 'out')), [recalled])).toMatchObject(clean)
})

test('React in strict mode, which mounts every component twice, has one worker (asks 96)', async () => {
  app = makeApp('react', ['react', 'react-dom', 'scheduler'])
  // The development build of React is the one that does it.
  run(app.folder, 'vite/bin/vite.js', 'build', '--logLevel', 'warn', '--mode', 'development', '--minify', 'false')
  const seen = await visit(browser, { files: {}, mounts: { '/': join(app.folder, 'dist'), ...assets } }, ['ready'])
  expect(seen).toMatchObject(clean)
  expect(seen.printed.join()).toContain('ready, mounted 2 workers 1')
})

test('every entry can be imported in Node, where there is no global of a browser (asks 96)', () => {
  app = makeApp('vite', ['react', '@langchain/core'])
  const names = Object.keys(entries).filter(name => name !== 'inspector')
  const script = `
    for (const name of ['navigator', 'window', 'document', 'self', 'location', 'Worker', 'indexedDB', 'caches', 'BroadcastChannel', 'fetch', 'crypto'])
      delete globalThis[name]
    const exported = {}
    for (const name of ${JSON.stringify(names)}) exported[name] = Object.keys(await import(name === 'index' ? 'credence' : 'credence/' + name))
    const { openMemory } = await import('credence')
    const error = await openMemory().catch(error => error)
    console.log(JSON.stringify({ exported, error: { name: error.name, code: error.code } }))`
  writeFileSync(join(app.folder, 'server.mjs'), script)
  const { exported, error } = JSON.parse(execFileSync(process.execPath, ['server.mjs'], { cwd: app.folder, encoding: 'utf8' }))
  expect(error).toEqual({ name: 'CredenceError', code: 'WorkerFailed' })
  expect(exported).toMatchObject({
    index: expect.arrayContaining(['openMemory', 'CredenceError', 'parameterTable']),
    import: ['importTranscript', 'readTranscript'],
    react: ['useBeliefs', 'useMemory'],
    'ai-sdk': ['memoryMiddleware'],
    langchain: ['MemoryRetriever', 'withMemory'],
    webllm: ['withMemory'],
    transformers: ['withMemory'],
    'prompt-api': ['withMemory'],
    llm: expect.arrayContaining(['openAI', 'promptApi', 'trainingRecords', 'webLLM', 'withController', 'withReader']),
    extension: ['connectMemory', 'relayMemory', 'serveMemory'],
  })
})
