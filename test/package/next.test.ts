/** The packed package in a Next app (app router): built, rendered on the server, and run in Chromium, with one real model. */

import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assets, makeApp, type App } from './app.ts'
import { openBrowser, visit } from './page.ts'

const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
let app: App
let server: { url: string; close(): Promise<void> }

beforeAll(async () => {
  // Next is as large as half of our own packages, so it is not among them: only this fixture installs it.
  app = makeApp('next')
  mkdirSync(join(app.folder, 'public/assets'), { recursive: true })
  for (const [path, folder] of Object.entries(assets)) symlinkSync(folder, join(app.folder, 'public', path.slice(0, -1)), 'junction')
  next('build')
  server = await start()
})
afterAll(async () => {
  await server?.close()
  app?.remove()
})

const program = () => join(app.folder, 'node_modules/next/dist/bin/next')

const next = (command: string) =>
  execFileSync(process.execPath, [program(), command], { cwd: app.folder, env, stdio: ['ignore', 'ignore', 'inherit'] })

/** The app's own server, on a free port. */
async function start() {
  const child = spawn(process.execPath, [program(), 'start', '--hostname', '127.0.0.1', '--port', '0'], {
    cwd: app.folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  let printed = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      printed += text.toString()
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)
      if (found && printed.includes('Ready')) resolve(found[0])
    })
    child.once('exit', () => reject(new Error(`next start ended: ${printed}`)))
  })
  return {
    url,
    close() {
      child.kill()
      return ended
    },
  }
}

test('Next renders the page on the server, with the package imported there (asks 96)', async () => {
  const html = await (await fetch(server.url)).text()
  expect(html.replaceAll('<!-- -->', '')).toContain('<p>k is 5 on the server</p><p>opening</p>')
})

test('Next, in the browser (asks 96)', async () => {
  const browser = await openBrowser()
  try {
    const seen = await visit(browser, { files: {}, entry: server.url }, ['recalled I am allergic to walnuts. with embedder'])
    expect(seen.errors).toEqual([])
    expect(seen.outside.filter(url => !url.startsWith(`${server.url}/`))).toEqual([])
  } finally {
    await browser.close()
  }
})
