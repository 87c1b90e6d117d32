/** `latency`: what a page waits for, in headless Chromium on WASM, with and without cross-origin isolation. */

import { build } from 'vite'
import { at } from '../../scripts/layout.mjs'
import type { Memory, MemoryOptions, ModelStatus, PortableMemory } from '../../src/memory.ts'
import { resolve } from '../../vite.config.ts'
import { browse, ensureBuilt, type Browsing, type PageGlobals } from '../browser.ts'
import { quantile } from '../metrics.ts'
import { modelList, type Report } from '../report.ts'
import type { Metrics, Result } from '../result.ts'
import { portable } from './bank.ts'
import type { Costs } from './costs.worker.ts'
import { searchTimes } from './search.ts'
import { statement } from './statements.ts'

/** Beliefs in the bank when it is measured. */
const sizes = [100, 1000]
/** Ways to decide about recall, measured over the largest bank beside the default. */
const controllers: Record<string, MemoryOptions> = {
  recallLearned16: { controller: 'learned', parameters: { evidenceCandidates: 16 } },
  recallLikelihood8: { controller: 'likelihood', parameters: { salienceCandidates: 8 } },
}
const questionOf = (statement: string) => statement.replace('I ', 'When did I ').replace(/\.$/, '?')

export async function latency(samples = 20): Promise<Result & { models: Report['models'] }> {
  await ensureBuilt()
  const folder = at('node_modules/.cache/credence-bench')
  await build({
    configFile: false,
    logLevel: 'warn',
    resolve,
    publicDir: false,
    build: {
      target: 'es2022',
      outDir: folder,
      modulePreload: false,
      rolldownOptions: { input: at('bench/latency/costs.worker.ts'), output: { entryFileNames: 'costs.js', codeSplitting: false } },
    },
  })
  const search = searchTimes(10 * samples)
  const shared: Metrics = { search20000P50: quantile(search, 0.5)!, search20000P95: quantile(search, 0.95)! }

  await using browsing = await browse({ '/bench/': folder })
  const cold = await openTimes(browsing, 'cold')
  await fill(browsing)
  const isolated = await measurePage(browsing, samples)
  await browsing.isolate(false)
  const plain = await measurePage(browsing, samples)

  const metrics = { ...shared, openCold: cold.open, coldToRecall: cold.toRecall, ...isolated.metrics }
  return {
    n: samples,
    metrics,
    intervals: {},
    byCategory: { isolated: isolated.metrics, 'not isolated': plain.metrics },
    models: modelList(isolated),
  }
}

/** Opens a memory in the page; later calls of `page.evaluate` take the handle. */
async function openIn(page: Awaited<ReturnType<Browsing['newPage']>>, name: string, options: MemoryOptions = {}) {
  return page.evaluateHandle(
    async ([name, options]): Promise<{ memory: Memory; open: number; toRecall: number }> => {
      const { openMemory } = globalThis as unknown as PageGlobals
      const started = performance.now()
      const memory = await openMemory({ ...options, name, device: 'wasm' })
      const open = performance.now() - started
      await memory.recall('What do I repair?')
      return { memory, open, toRecall: performance.now() - started }
    },
    [name, options] as const,
  )
}

async function openTimes(browsing: Browsing, name: string): Promise<{ open: number; toRecall: number }> {
  const page = await browsing.newPage()
  const opened = await openIn(page, name)
  const times = await opened.evaluate(async ({ memory, open, toRecall }) => {
    await memory.close()
    return { open, toRecall }
  })
  await page.close()
  return times
}

/** Banks of each size, each under its own name; the engine embeds what is imported. */
async function fill(browsing: Browsing): Promise<void> {
  const page = await browsing.newPage()
  for (const size of sizes) {
    process.stderr.write(`latency: filling a memory with ${size} beliefs\n`)
    const opened = await openIn(page, `bank ${size}`)
    await opened.evaluate(async ({ memory }, data: PortableMemory) => {
      await memory.import(data)
      await memory.close()
    }, portable(size))
  }
  await page.close()
}

async function measurePage(browsing: Browsing, samples: number): Promise<{ metrics: Metrics; models: ModelStatus[] }> {
  const metrics: Metrics = {}
  const note = (name: string, times: readonly number[]) => {
    if (times.length === 0) return
    metrics[`${name}P50`] = quantile(times, 0.5)!
    metrics[`${name}P95`] = quantile(times, 0.95)!
  }
  const warm = await openTimes(browsing, 'warm')
  Object.assign(metrics, { openWarm: warm.open, warmToRecall: warm.toRecall })

  const page = await browsing.newPage()
  await page.evaluate(() => {
    const tasks: number[] = []
    new PerformanceObserver(list => tasks.push(...list.getEntries().map(entry => entry.duration))).observe({ type: 'longtask' })
    Object.assign(globalThis, { longTasks: tasks })
  })
  for (const size of sizes) {
    process.stderr.write(`latency: ${size} beliefs, ${(await page.evaluate(() => crossOriginIsolated)) ? '' : 'not '}isolated\n`)
    const opened = await openIn(page, `bank ${size}`)
    const number = (await page.evaluate(() => crossOriginIsolated)) ? 30_000 : 35_000
    const statements = Array.from({ length: samples }, (_, i) => statement(number + i * 7))
    const times = await opened.evaluate(
      async ({ memory }, asked) => {
        const observe: number[] = []
        const recall: number[] = []
        for (const [text, question] of asked) {
          let started = performance.now()
          await memory.observe({ text })
          observe.push(performance.now() - started)
          started = performance.now()
          await memory.recall(question)
          recall.push(performance.now() - started)
        }
        return { observe, recall }
      },
      statements.map(text => [text, questionOf(text)] as const),
    )
    note(`observe${size}`, times.observe)
    note(`recall${size}`, times.recall)
    if (size === sizes.at(-1)) {
      const bytes = await page.evaluate(async () => {
        const measure = (performance as { measureUserAgentSpecificMemory?: () => Promise<{ bytes: number }> })
          .measureUserAgentSpecificMemory
        return measure === undefined ? null : (await measure.call(performance)).bytes
      })
      if (bytes !== null) metrics['memoryMiB'] = bytes / 2 ** 20
    }
    await opened.evaluate(({ memory }) => memory.close())
  }
  for (const [name, options] of Object.entries(controllers)) {
    process.stderr.write(`latency: ${name}\n`)
    const opened = await openIn(page, `bank ${sizes.at(-1)}`, options)
    const questions = Array.from({ length: samples }, (_, i) => questionOf(statement(30_000 + i * 7)))
    const times = await opened.evaluate(async ({ memory }, questions) => {
      const recall: number[] = []
      for (const question of questions) {
        const started = performance.now()
        await memory.recall(question)
        recall.push(performance.now() - started)
      }
      await memory.close()
      return recall
    }, questions)
    note(name, times)
  }
  const longTasks = await page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks)
  Object.assign(metrics, { longTasks: longTasks.length, longestTask: Math.max(0, ...longTasks) })

  process.stderr.write('latency: the models alone\n')
  const costs = await page.evaluate(
    samples =>
      new Promise<Costs>((settle, reject) => {
        const worker = new Worker('/bench/costs.js', { type: 'module' })
        worker.onmessage = ({ data }) => settle(data as Costs)
        worker.onerror = event => reject(new Error(event.message))
        worker.postMessage({ assets: new URL('/dist/assets/', location.href).href, samples })
      }),
    samples,
  )
  if (costs.missing.length > 0) process.stderr.write(`latency: without ${costs.missing.join('; ')}\n`)
  for (const name of ['embed24', 'nli10x48', 'evidence16x48', 'lm8x48'] as const) note(name, costs[name])
  await page.close()
  return { metrics, models: costs.models }
}
