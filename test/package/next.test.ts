/** A Next.js app (app router) that renders on the server, built and started from the registry's Next, with the packed package. */

import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { at } from '../../scripts/layout.mjs'
import { makeApp, type App } from './app.ts'
import { openBrowser } from './page.ts'

const minute = 60_000
let browser: Browser
let app: App
let server: ChildProcess
let url: string

beforeAll(async () => {
  app = makeApp('next')
  const inApp = { cwd: app.folder, env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' } }
  // `npm ci` empties node_modules, so the package is put in afterwards.
  cpSync(join(app.folder, 'node_modules/credence'), join(app.folder, 'packed'), { recursive: true })
  execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--silent'], { ...inApp, stdio: 'inherit' })
  cpSync(join(app.folder, 'packed'), join(app.folder, 'node_modules/credence'), { recursive: true })
  mkdirSync(join(app.folder, 'public/assets/models'), { recursive: true })
  cpSync(at('dist/assets/runtime'), join(app.folder, 'public/assets/runtime'), { recursive: true })
  for (const name of ['manifest.json', 'embedder']) {
    cpSync(at(`models/${name}`), join(app.folder, 'public/assets/models', name), { recursive: true })
  }
  const next = join(app.folder, 'node_modules/next/dist/bin/next')
  execFileSync(process.execPath, [next, 'build'], { ...inApp, stdio: ['ignore', 'ignore', 'inherit'] })
  const port = await freePort()
  url = `http://127.0.0.1:${port}/`
  server = spawn(process.execPath, [next, 'start', '--hostname', '127.0.0.1', '--port', String(port)], { ...inApp, stdio: 'ignore' })
  await vi.waitUntil(
    () =>
      fetch(url).then(
        answer => answer.ok,
        () => false,
      ),
    { timeout: minute, interval: 200 },
  )
  browser = await openBrowser()
}, 10 * minute)

afterAll(async () => {
  await browser?.close()
  server?.kill()
  app?.remove()
})

test('is rendered on the server and remembers in the browser (asks 96)', async () => {
  const html = await (await fetch(url)).text()
  expect(html).toContain('<p id="server">NotFound</p>')
  expect(html).toMatch(/<p id="client">nothing yet/)

  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', error => errors.push(String(error)))
  page.on('console', message => message.type() === 'error' && errors.push(message.text()))
  await page.goto(url)
  await expect.poll(() => page.textContent('#client'), { timeout: 3 * minute }).toBe('I am allergic to walnuts. (1)')
  expect(errors).toEqual([])
})

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
