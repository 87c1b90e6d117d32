// Ends the worker at random moments in a real Chromium: `npm run torture`, or `npm run torture -- 200 7` for 200 kills with seed 7.
// `npm run torture -- tabs` ends tabs instead; `npm run torture -- soak` ends nothing, and looks at the memory over 1,000 calls.
import { chromium } from 'playwright'
import { launchOptions } from './chromium.mjs'
import { buildPage } from './page.mjs'
import { serve } from './serve.mjs'

if (process.argv[2] === 'tabs') {
  const { torture } = await import('./torture-tabs.mjs')
  await torture()
  process.exit()
}

if (process.argv[2] === 'soak') {
  const { soak } = await import('./soak.mjs')
  const most = Number(process.argv[3] ?? 1000)
  await soak({ marks: [most / 10, most / 2, most], log: console.log })
  process.exit()
}

const [kills = 1000, seed = 1] = process.argv.slice(2).map(Number)
const built = await buildPage('test/browser/store/torture')
const server = await serve({ mounts: { '/': built.folder } })
const browser = await chromium.launch(launchOptions())
try {
  const page = await browser.newPage()
  page.on('pageerror', error => console.error(error.message))
  await page.goto(`${server.url}/?kills=${kills}&seed=${seed}`)
  const started = Date.now()
  const clock = setInterval(async () => {
    const report = await page.evaluate('window.report').catch(() => null)
    if (!report) return
    const { kills, lost, halfStates } = report
    console.log(
      `${Math.round((Date.now() - started) / 1000)} s: ${JSON.stringify(kills)}, ${lost.length} lost, ${halfStates.length} half states`,
    )
  }, 30_000)
  const report = await page.evaluate('window.finished').finally(() => clearInterval(clock))
  console.log(`${kills} kills with seed ${seed}: ${JSON.stringify(report.kills)}`)
  console.log(
    `${report.before} came before the whole act was acknowledged; besides migrations, nothing of it was there ${report.undone} times, all or whole steps of it ${report.done} times`,
  )
  console.log(`${report.acknowledged} acknowledged acts, ${report.lost.length} lost; ${report.halfStates.length} half states`)
  for (const line of [...report.lost, ...report.halfStates]) console.error(line)
  if (report.lost.length + report.halfStates.length > 0) process.exitCode = 1
} finally {
  await browser.close()
  await server.close()
  built.remove()
}
