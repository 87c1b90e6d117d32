// Many tabs under load, and the one that does the work for all is killed, again and again: nothing that was acknowledged may be lost, and no call
// may stay pending.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchOptions } from './chromium.mjs'
import { assetMounts, at } from './layout.mjs'
import { serve } from './serve.mjs'

/** The ways in which a tab goes. A crash takes the process without a word; one that hangs holds its lock and answers nothing. */
export const ways = /** @type {const} */ (['close', 'crash', 'leave', 'freeze', 'hang'])

/** Seconds: of `observe` and `recall`. */
const deadline = 120

const embedderOnly = { lm: false, nli: false, evidence: false }

/** Runs in the page: observes and recalls without a pause, and tells the test what was acknowledged. */
const script = `
  import { openMemory } from '/dist/index.js'
  const { tab, models } = Object.fromEntries(new URLSearchParams(location.search))
  const report = { calls: 0, pending: new Map(), longest: 0, rejected: {}, done: false }
  // When the time of each pending call began: a call does not pay for those before it.
  const since = new Map()
  window.report = report
  window.hang = seconds => { const end = Date.now() + seconds * 1000; while (Date.now() < end); }

  async function call(method, ...args) {
    const number = ++report.calls
    since.set(number, performance.now())
    report.pending.set(number, method)
    try {
      return await window.memory[method](...args)
    } catch (error) {
      const code = error.code ?? String(error)
      report.rejected[code] = (report.rejected[code] ?? 0) + 1
    } finally {
      report.pending.delete(number)
      const now = performance.now()
      report.longest = Math.max(report.longest, now - since.get(number))
      since.delete(number)
      for (const later of since.keys()) if (later > number) since.set(later, now)
    }
  }

  for (let tries = 0; !window.ready; tries++) {
    try {
      window.memory = await openMemory({ name: 'torture', assets: '/', device: 'wasm', models: JSON.parse(models) })
      window.ready = true
    } catch (error) {
      if (error.code !== 'LeaderChanged' || tries > 5) throw error
    }
  }
  window.load = async () => {
    for (let n = 0; !report.done; n++) {
      const id = tab + '-' + n
      const [observed] = await Promise.all([
        call('observe', { id, text: 'I keep ' + (n + 2) + ' bees named ' + tab + '.' }),
        call('recall', 'How many bees do I keep?'),
      ])
      if (observed) await window.acknowledge(observed.turn)
    }
  }
`

/** A server for pages that load what is built now, without touching `dist/`. @param {Record<string, string>} files the pages */
export async function site(files) {
  const folder = await mkdtemp(join(tmpdir(), 'credence-tabs-'))
  const { build } = await import('vite')
  for (const mode of ['library', 'worker']) {
    const outDir = join(folder, 'dist')
    await build({ configFile: at('vite.config.ts'), mode, logLevel: 'warn', build: { outDir, sourcemap: false } })
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const server = await serve({ mounts: { '/': folder, ...assetMounts } })
  return {
    url: server.url,
    async close() {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const page = '<!doctype html><link rel="icon" href="data:," /><script type="module" src="/page.js"></script>'

/**
 * @param {{ tabs?: number, kills?: number, turns?: number, models?: object, how?: readonly (typeof ways)[number][], log?: (line: string) => void }} options
 *   `turns` that are to be acknowledged before the next kill
 */
export async function tabsUnderFire({ tabs = 10, kills = 50, turns: between = 5, models = embedderOnly, how = ways, log = () => {} } = {}) {
  const { chromium } = await import('playwright')
  const server = await site({ 'index.html': page, 'page.js': script })
  const browser = await chromium.launch(launchOptions())
  const context = await browser.newContext()
  /** @type {Set<string>} */
  const acknowledged = new Set()
  await context.exposeFunction('acknowledge', (/** @type {string} */ id) => void acknowledged.add(id))
  /** @type {string[]} */
  const foreign = []
  context.on('request', request => {
    if (new URL(request.url()).origin !== server.url && !/^(blob|data):/.test(request.url())) foreign.push(request.url())
  })

  /** @type {import('playwright').Page[]} */
  let pages = []
  let opened = 0
  const sum = { calls: 0, longest: 0, pending: 0, rejected: /** @type {Record<string, number>} */ ({}) }

  async function open() {
    const page = await context.newPage()
    page.setDefaultTimeout(180_000)
    page.on('pageerror', error => log(error.message))
    page.on('crash', () => (pages = pages.filter(other => other !== page)))
    const query = new URLSearchParams({ tab: `t${opened++}`, models: JSON.stringify(models) })
    await page.goto(`${server.url}/?${query}`)
    await page.waitForFunction(() => /** @type {any} */ (globalThis).ready === true)
    pages.push(page)
    return page
  }

  const load = (/** @type {import('playwright').Page} */ page) => page.evaluate(() => void (/** @type {any} */ (globalThis).load()))

  // The threads of the models' runtime are workers too.
  const workersOf = (/** @type {import('playwright').Page} */ page) =>
    page.workers().filter(worker => worker.url().endsWith('/dist/worker.js'))

  /** The tab that has the worker: one of the tabs at most, but for the moment of a change. */
  async function leader() {
    for (let tries = 0; tries < 1200; tries++) {
      const found = pages.filter(page => workersOf(page).length > 0)
      if (found.length === 1) return /** @type {import('playwright').Page} */ (found[0])
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    throw new Error(`${pages.filter(page => workersOf(page).length > 0).length} tabs have a worker`)
  }

  /** What a page that is about to go has seen. @param {import('playwright').Page} page */
  async function collect(page) {
    const { calls, longest, rejected, pending } = await page.evaluate(() => {
      const { report } = /** @type {any} */ (globalThis)
      return { ...report, pending: [...report.pending.values()] }
    })
    sum.calls += calls
    sum.longest = Math.max(sum.longest, longest)
    for (const [code, count] of Object.entries(rejected)) sum.rejected[code] = (sum.rejected[code] ?? 0) + Number(count)
    return pending
  }

  try {
    for (let i = 0; i < tabs; i++) await open()
    await leader()
    const workers = pages.flatMap(workersOf).length
    const statuses = await Promise.all(pages.map(page => page.evaluate(() => /** @type {any} */ (globalThis).memory.status())))
    const leaders = statuses.filter(status => status.leader).length
    log(
      `${pages.length} tabs, ${workers} worker, ${leaders} leader, models: ${statuses[0].models.map((/** @type {any} */ m) => m.role).join(', ')}`,
    )
    await Promise.all(pages.map(load))

    for (let kill = 0; kill < kills; kill++) {
      const before = acknowledged.size
      for (let tries = 0; acknowledged.size < before + between; tries++) {
        if (tries > 1200) throw new Error(`no turn was acknowledged for two minutes after kill ${kill}`)
        await new Promise(resolve => setTimeout(resolve, 100))
      }
      const page = await leader()
      const way = how[kill % how.length]
      await collect(page)
      const session = way === 'crash' || way === 'freeze' ? await context.newCDPSession(page) : undefined
      if (way === 'close') await page.close()
      else if (way === 'leave') await page.goto('about:blank')
      else if (way === 'crash') void session?.send('Page.crash').catch(() => {})
      else if (way === 'freeze') await session?.send('Page.setWebLifecycleState', { state: 'frozen' })
      else void page.evaluate(() => /** @type {any} */ (globalThis).hang(30)).catch(() => {})
      pages = pages.filter(other => other !== page)
      while (pages.length < tabs) await load(await open())
      log(`kill ${kill + 1}: ${way}, ${acknowledged.size} turns acknowledged so far`)
      if (way !== 'close') await page.close().catch(() => {})
    }

    for (const page of pages) await page.evaluate(() => void Object.assign(/** @type {any} */ (globalThis).report, { done: true }))
    for (const page of pages) {
      await page.waitForFunction(() => /** @type {any} */ (globalThis).report.pending.size === 0).catch(() => {})
      sum.pending += (await collect(page)).length
    }
    const observer = await open()
    const { turns } = await observer.evaluate(() => /** @type {any} */ (globalThis).memory.export())
    const kept = new Set(turns.map((/** @type {{ id: string }} */ turn) => turn.id))
    const lost = [...acknowledged].filter(id => !kept.has(id))
    return {
      tabs,
      kills,
      workers,
      leaders,
      statuses,
      acknowledged: acknowledged.size,
      lost,
      kept: turns.length,
      distinct: kept.size,
      foreign,
      ...sum,
    }
  } finally {
    await browser.close()
    await server.close()
  }
}

export async function torture() {
  const result = await tabsUnderFire({ log: console.log })
  const { statuses: _, lost, foreign, ...shown } = result
  console.log(shown)
  console.log(`${result.kills} kills of the leader; ${result.acknowledged} turns acknowledged, ${lost.length} lost`)
  console.log(
    `${result.calls} calls, ${result.pending} left pending, the longest waited ${(result.longest / 1000).toFixed(0)} s (deadline ${deadline} s)`,
  )
  const overdue = result.longest / 1000 > deadline * 1.05 + 5
  if (lost.length > 0 || result.pending > 0 || overdue || foreign.length > 0 || result.workers !== 1 || result.kept !== result.distinct) {
    throw new Error(
      `lost: ${lost.join(', ') || 'nothing'}; a call past its deadline: ${overdue ? 'yes' : 'no'}; requests elsewhere: ${foreign.join(', ') || 'none'}`,
    )
  }
}
