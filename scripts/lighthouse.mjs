// Runs Lighthouse, as on a phone, on the built demo: `npm run build` comes first. Prints the median of three runs, and fails where a score is below 95.
// On a machine that is busy with something else, performance is that of the machine.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright'
import { launchOptions } from './chromium.mjs'
import { fail } from './ensure.mjs'
import { at, demoMounts } from './layout.mjs'
import { serve } from './serve.mjs'

const version = '12.8.2'
const categories = ['performance', 'accessibility', 'best-practices']
const wanted = 95
const port = 9222

/** With all that it needs it is as large as a quarter of our own packages, so it is installed when it is asked for. */
async function load() {
  const folder = at(`node_modules/.cache/lighthouse-${version}/`)
  if (!existsSync(`${folder}node_modules/lighthouse`)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}package.json`, '{ "private": true }')
    const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']
    const { status } = spawnSync('npm', ['install', ...flags, `lighthouse@${version}`], { cwd: folder, stdio: 'inherit' })
    if (status !== 0) fail('Lighthouse could not be installed: see the lines above.')
  }
  const { default: lighthouse } = await import(pathToFileURL(createRequire(folder).resolve('lighthouse')).href)
  return lighthouse
}

/** @param {number[]} values */
const median = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const lighthouse = await load()
const server = await serve({ mounts: demoMounts })
/** @type {Record<string, number>[]} */
const runs = []
try {
  for (let run = 0; run < 3; run++) {
    // A new browser is a first visit.
    const { args, ...options } = launchOptions()
    const browser = await chromium.launch({ ...options, args: [...args, `--remote-debugging-port=${port}`] })
    try {
      const { lhr } = await lighthouse(`${server.url}/`, { port, onlyCategories: categories, logLevel: 'error' })
      if (lhr.runtimeError) throw new Error(lhr.runtimeError.message)
      runs.push(Object.fromEntries(categories.map(id => [id, Math.round(lhr.categories[id].score * 100)])))
      const times = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']
      console.log(JSON.stringify(runs.at(-1)), times.map(id => `${id} ${lhr.audits[id].displayValue}`).join(', '))
      const counted = categories.flatMap(id => lhr.categories[id].auditRefs).filter(({ weight }) => weight > 0)
      for (const { id } of counted) if (lhr.audits[id].score === 0) console.log(`  ${lhr.audits[id].title}`)
    } finally {
      await browser.close()
    }
  }
} finally {
  await server.close()
}
const scores = Object.fromEntries(categories.map(id => [id, median(runs.map(run => run[id] ?? 0))]))
console.log('median', JSON.stringify(scores))
if (Object.values(scores).some(score => score < wanted)) fail(`A score is below ${wanted}.`)
