/** What is in the files of the browser's profile, byte by byte, after something was forgotten, and with encryption. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchOptions } from '../../scripts/chromium.mjs'
import { assetMounts } from '../../scripts/layout.mjs'
import { buildPage } from '../../scripts/page.mjs'
import { serve } from '../../scripts/serve.mjs'
import type { Memory, MemoryOptions } from '../../src/memory.ts'

declare global {
  interface Window {
    openMemory(options: MemoryOptions): Promise<Memory>
    memory: Memory
  }
}

const profile = mkdtempSync(join(tmpdir(), 'credence-profile-'))
let built: Awaited<ReturnType<typeof buildPage>>
let server: Awaited<ReturnType<typeof serve>>
let context: BrowserContext
let page: Page

beforeAll(async () => {
  built = await buildPage('test/browser/store/disk')
  server = await serve({ mounts: { '/': built.folder, ...assetMounts } })
  context = await chromium.launchPersistentContext(profile, launchOptions())
  page = await context.newPage()
  await page.goto(`${server.url}/`)
})

afterAll(async () => {
  await context.close()
  await server.close()
  built.remove()
  rmSync(profile, { recursive: true })
})

/** Files in which one of the needles stands. */
function scan(needles: readonly Buffer[], folder = profile): string[] {
  return readdirSync(folder).flatMap(name => {
    const path = join(folder, name)
    try {
      if (statSync(path).isDirectory()) return scan(needles, path)
      const bytes = readFileSync(path)
      return needles.some(needle => bytes.includes(needle)) ? [name] : []
    } catch {
      return [] // the browser has just removed it
    }
  })
}

/** Both ways in which the browser writes a string. */
const asText = (text: string) => [Buffer.from(text, 'latin1'), Buffer.from(text, 'utf16le')]
/** Pieces of a vector: a file may be cut into blocks anywhere. */
const asVector = (bytes: number[]) => Array.from({ length: 8 }, (_, n) => Buffer.from(bytes.slice(n * 32, n * 32 + 32)))

const open = (name: string, passphrase?: string) =>
  page.evaluate(
    async ([name, passphrase]) => {
      const models = { nli: false, evidence: false, lm: false } as const
      window.memory = await window.openMemory({ name: name!, assets: '/', device: 'wasm', models, ...(passphrase && { passphrase }) })
    },
    [name, passphrase] as const,
  )

const say = (texts: string[]) =>
  page.evaluate(async texts => {
    for (const text of texts) await window.memory.observe({ text })
  }, texts)

const erasing = () => page.evaluate(async () => (await window.memory.status()).storage.erasing)
/** What is still to be deleted before the files of the browser are tidied up. */
const sweeps = () =>
  page.evaluate(async () => (await indexedDB.databases()).map(found => found.name!).filter(name => name.startsWith('credence-sweep')))

/** The vector of a belief, as it lies in the database. */
const vectorOf = (name: string, word: string) =>
  page.evaluate(
    async ([name, word]) => {
      const [belief] = await window.memory.beliefs({ text: word! })
      const db = await new Promise<IDBDatabase>(resolve => {
        const request = indexedDB.open(`credence/${name}`)
        request.onsuccess = () => resolve(request.result)
      })
      const request = db.transaction('vectors').objectStore('vectors').index('id').get(`b:${belief!.id}`)
      const record = await new Promise<{ data: Float32Array }>(resolve => (request.onsuccess = () => resolve(request.result)))
      db.close()
      return { id: belief!.id, bytes: [...new Uint8Array(record.data.buffer)] }
    },
    [name, word] as const,
  )

test('what was forgotten is in no file of the profile, neither its text nor its vector (asks 51, 52)', async () => {
  await open('disk')
  const secret = 'qzxvkjwpgh'
  await say([
    ...Array.from({ length: 20 }, (_, n) => `I own ${n + 2} books about chess.`),
    `My sister's boat is called ${secret}.`,
    'I keep bees.',
  ])
  const { id, bytes } = await vectorOf('disk', secret)
  expect(scan(asText(secret))).not.toEqual([])
  expect(scan(asVector(bytes))).not.toEqual([])

  await page.evaluate(id => window.memory.forget(id), id)
  const needles = [...asText(secret), ...asVector(bytes)]
  await expect.poll(() => scan(needles), { timeout: 60_000, interval: 500 }).toEqual([])
  expect((await page.evaluate(() => window.memory.status())).turns).toBe(21)
  await expect.poll(erasing, { timeout: 60_000, interval: 500 }).toBe(false)
  expect(await sweeps()).toEqual([])
  expect(scan(asText('bees'))).not.toEqual([])

  await page.evaluate(() => window.memory.forgetAll())
  await expect.poll(() => scan([...asText('books about chess'), ...asText('I keep bees')]), { timeout: 60_000, interval: 500 }).toEqual([])
  await page.evaluate(() => window.memory.close())
})

test('of an encrypted memory nothing can be read in any file, at any time', async () => {
  await open('sealed', 'correct horse battery staple')
  const secret = 'wvqzkyxjbt'
  await say([`My sister's boat is called ${secret}.`, 'I keep bees.'])
  const found = () => scan([secret, 'keep bees', 'correct horse', 'boat is called'].flatMap(asText))
  expect(found()).toEqual([])
  await page.evaluate(() => window.memory.changePassphrase('another passphrase'))
  expect(found()).toEqual([])
  // While what was forgotten is cleaned out of the files, there is a copy of the rest.
  await say(['I play the xylophone.'])
  await page.evaluate(async () => window.memory.forget((await window.memory.beliefs({ text: 'xylophone' }))[0]!.id))
  while (await erasing()) expect(found()).toEqual([])
  expect(found()).toEqual([])
  await page.evaluate(() => window.memory.close())
  await context.close()
  expect(found()).toEqual([])
  context = await chromium.launchPersistentContext(profile, launchOptions())
  page = await context.newPage()
  await page.goto(`${server.url}/`)
  await open('sealed', 'another passphrase')
  expect(await page.evaluate(async () => (await window.memory.beliefs()).map(b => b.text).sort())).toEqual([
    'I keep bees.',
    `My sister's boat is called ${secret}.`,
  ])
  expect(found()).toEqual([])
})

test('what was forgotten while the page writes to databases of its own is in no file either', async () => {
  for (let round = 0; round < 4; round++) {
    await open(`busy${round}`)
    const secret = `vqkzxwjh${round}`
    await say([`My sister's boat is called ${secret}.`, 'I keep bees.'])
    expect(scan(asText(secret))).not.toEqual([])
    await page.evaluate(async () => {
      const db = await new Promise<IDBDatabase>(resolve => {
        const request = indexedDB.open('other')
        request.onupgradeneeded = () => request.result.createObjectStore('any')
        request.onsuccess = () => resolve(request.result)
      })
      const end = performance.now() + 1_200
      const write = (key: number) => {
        if (performance.now() > end) return
        const tx = db.transaction('any', 'readwrite')
        tx.objectStore('any').put('any'.repeat(20), key % 100)
        tx.oncomplete = () => write(key + 6)
      }
      for (let writer = 0; writer < 6; writer++) write(writer)
      await window.memory.forget((await window.memory.beliefs({ text: 'boat' }))[0]!.id)
    })
    await expect.poll(() => scan(asText(secret)), { timeout: 60_000, interval: 250 }).toEqual([])
    await page.evaluate(() => window.memory.close())
  }
})

test('what a page that was closed has left in the files goes after the next opening', async () => {
  await open('left')
  const secret = 'zjqvwkxhgp'
  await say([`My sister's boat is called ${secret}.`, 'I keep bees.'])
  await page.evaluate(async () => {
    await window.memory.forget((await window.memory.beliefs({ text: 'boat' }))[0]!.id)
    await window.memory.close()
  })
  expect(await sweeps()).not.toEqual([])
  await page.close()
  page = await context.newPage()
  await page.goto(`${server.url}/`)
  expect(await sweeps()).not.toEqual([])
  await open('left')
  expect(await erasing()).toBe(true)
  await expect.poll(erasing, { timeout: 60_000, interval: 500 }).toBe(false)
  expect(await sweeps()).toEqual([])
  expect(scan(asText(secret))).toEqual([])
  await page.evaluate(() => window.memory.close())
})
