import { chromium } from 'playwright'
import { createServer, type Plugin } from 'vite'
import { beforeAll, expect, test } from 'vitest'
import { launchOptions } from '../../../scripts/chromium.mjs'
import { localAssets } from '../../../scripts/local-assets.ts'
import { openNodeModels } from '../../../src/models/node.ts'
import { resolve } from '../../../vite.config.ts'
import { answersOf, type Answers } from './sample.ts'

// The bench runs in Node; its figures hold for the browser as far as both answer alike.
let node: Answers
let page: Answers

const emptyPage: Plugin = {
  name: 'empty-page',
  configureServer: ({ middlewares }) =>
    void middlewares.use('/empty', (_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html>')),
}

const script = `
  import { openModels } from '/src/models/index.ts'
  import { answersOf } from '/test/node/models/sample.ts'
  window.answers = openModels({ assets: location.origin, device: 'wasm' }).then(async models => {
    while (models.status().missing.some(({ reason }) => reason === 'loading')) await new Promise(done => setTimeout(done, 50))
    const { missing } = models.status()
    if (missing.length > 0) throw new Error(JSON.stringify(missing))
    return answersOf(models)
  })`

async function inBrowser(): Promise<Answers> {
  const server = await createServer({
    configFile: false,
    resolve,
    plugins: [localAssets(), emptyPage],
    optimizeDeps: { include: ['@huggingface/tokenizers', 'onnxruntime-web/webgpu'], noDiscovery: true },
    cacheDir: 'node_modules/.vite/parity',
    server: { port: 0, hmr: false },
    logLevel: 'error',
  })
  await server.listen()
  const browser = await chromium.launch(launchOptions())
  try {
    const tab = await browser.newPage()
    await tab.goto(`${server.resolvedUrls!.local[0]}empty`)
    await tab.addScriptTag({ type: 'module', content: script })
    await tab.waitForFunction('"answers" in window')
    return (await tab.evaluate('window.answers')) as Answers
  } finally {
    await browser.close()
    await server.close()
  }
}

async function inNode(): Promise<Answers> {
  const models = await openNodeModels({ modelsDir: 'models' })
  try {
    return await answersOf(models)
  } finally {
    await models.dispose()
  }
}

beforeAll(async () => {
  page = await inBrowser()
  node = await inNode()
})

function greatestDifference(a: readonly (number | number[])[], b: readonly (number | number[])[]): number {
  const [x, y] = [a.flat(), b.flat()]
  expect(x).toHaveLength(y.length)
  return Math.max(...x.map((value, k) => Math.abs(value - y[k]!)))
}

test('vectors have a cosine of at least 0.998', () => {
  expect(page.vectors).toHaveLength(20)
  const cosines = page.vectors.map((row, r) => row.reduce((sum, value, k) => sum + value * node.vectors[r]![k]!, 0))
  expect(Math.min(...cosines)).toBeGreaterThan(0.998)
})

test('probabilities of entailment are within 0.05', () => {
  expect(page.entailments).toHaveLength(20)
  expect(greatestDifference(page.entailments, node.entailments)).toBeLessThan(0.05)
})

test('evidence logits are within 0.25', () => {
  expect(page.logits).toHaveLength(20)
  expect(greatestDifference(page.logits, node.logits)).toBeLessThan(0.25)
})

test('log-probabilities are within 0.15 nats a token', () => {
  expect(page.logProbabilities).toHaveLength(20)
  expect(greatestDifference(page.logProbabilities, node.logProbabilities)).toBeLessThan(0.15)
})
