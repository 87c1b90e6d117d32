// The memory of one tab over many calls with real models: it must not grow with them. `npm run torture -- soak`, or with a number of calls.
import { existsSync, readFileSync } from 'node:fs'
import { launchOptions } from './chromium.mjs'
import { site } from './torture-tabs.mjs'

const page = '<!doctype html><link rel="icon" href="data:," /><script type="module" src="/page.js"></script>'

/** Runs in the page. Turns and questions are of a few kinds with ever new words, and what is said is forgotten again, so that the bank stays small. */
const script = `
  import { openMemory } from '/dist/index.js'
  const { models } = Object.fromEntries(new URLSearchParams(location.search))
  const memory = await openMemory({ name: 'soak', assets: '/', device: 'wasm', models: JSON.parse(models) })
  while ((await memory.status()).missing.some(({ reason }) => reason === 'loading')) await new Promise(resolve => setTimeout(resolve, 500))
  let calls = 0
  window.run = async until => {
    for (; calls < until; calls += 2) {
      await memory.observe({ id: 't' + calls, text: 'I keep ' + (calls + 2) + ' bees in box ' + calls + ' behind the house.' })
      await memory.recall('How many bees do I keep in box ' + calls + '?')
      if (calls % 20 === 18) await memory.forgetAll()
    }
    return (await memory.status()).models.map(model => model.role)
  }
  window.heap = async () => (await performance.measureUserAgentSpecificMemory()).bytes
  window.ready = true
`

/**
 * @param {{ marks?: number[], models?: object, log?: (line: string) => void }} options `marks`: after how many calls the memory is measured
 * @returns {Promise<{ calls: number, heap: number, resident: number | null }[]>} in MB: the JavaScript heap of page and worker, and what the process
 *   that holds both takes of the machine's memory (on Linux)
 */
export async function soak({ marks = [100, 500, 1000], models = {}, log = () => {} } = {}) {
  const { chromium } = await import('playwright')
  const server = await site({ 'index.html': page, 'page.js': script })
  const options = launchOptions()
  // Otherwise a measurement waits for the next garbage collection, which may be far.
  const browser = await chromium.launch({ ...options, args: [...options.args, '--enable-blink-features=ForceEagerMeasureMemory'] })
  try {
    const tab = await browser.newPage()
    tab.setDefaultTimeout(600_000)
    const query = new URLSearchParams({ models: JSON.stringify(models) })
    await tab.goto(`${server.url}/?${query}`)
    await tab.waitForFunction(() => /** @type {any} */ (globalThis).ready === true)
    const devtools = await browser.newBrowserCDPSession()
    const measured = []
    for (const calls of marks) {
      const roles = await tab.evaluate(until => /** @type {any} */ (globalThis).run(until), calls)
      const heap = (await tab.evaluate(() => /** @type {any} */ (globalThis).heap())) / 1e6
      const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
      const resident = Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentOf(id)))
      measured.push({ calls, heap: Math.round(heap), resident: resident > 0 ? Math.round(resident) : null })
      log(
        `${calls} calls with ${roles.join(', ') || 'no model'}: JavaScript heap ${Math.round(heap)} MB, resident ${Math.round(resident)} MB`,
      )
    }
    return measured
  } finally {
    await browser.close()
    await server.close()
  }
}

/** MB, or 0 where the system does not tell. @param {number} process */
function residentOf(process) {
  const file = `/proc/${process}/status`
  return existsSync(file) ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) / 1e3 : 0
}
