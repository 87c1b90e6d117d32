/** The built demo, served as `npm start` serves it, in Chromium with the real models: what a newcomer sees and does. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchOptions } from '../../scripts/chromium.mjs'
import { assetMounts, at } from '../../scripts/layout.mjs'
import { serve } from '../../scripts/serve.mjs'

const question = 'What do I like to drink?'
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let site: string
let server: { url: string; close(): Promise<void> }
let browser: Browser
let context: BrowserContext
let page: Page
/** What the page and its worker requested since this was last emptied. */
const requests: string[] = []
/** All that went to another origin. */
const foreign: string[] = []
/** What went to the console as an error, a refusal by the page's security policy included. */
const errors: string[] = []

beforeAll(async () => {
  site = mkdtempSync(join(tmpdir(), 'credence-demo-'))
  await build({ configFile: at('vite.config.ts'), mode: 'demo', logLevel: 'warn', build: { outDir: site } })
  server = await serve({ mounts: { '/': site, ...assetMounts } })
  browser = await chromium.launch(launchOptions())
  context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, reducedMotion: 'reduce', colorScheme: 'light' })
  context.on('request', request => {
    requests.push(request.url())
    if (new URL(request.url()).origin !== server.url) foreign.push(request.url())
  })
  page = await context.newPage()
  page.setDefaultTimeout(60_000)
  page.on('console', message => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', error => errors.push(String(error)))
  await page.goto(server.url)
  await ready()
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
  rmSync(site, { recursive: true, force: true })
})

async function ready(): Promise<void> {
  await page.waitForSelector('#load:not([data-state=loading])', { timeout: 180_000 })
  await page.waitForFunction(() => document.querySelector('#load-text')?.textContent?.startsWith('Ready after'), null, { timeout: 60_000 })
  await page.waitForSelector('#send:not([disabled])')
  // The last model is loaded behind the open memory.
  await panel('Data and status')
  const loaded = () => {
    const status = document.querySelector('#memory credence-inspector')?.shadowRoot?.querySelector('[data-part=status]')?.textContent ?? ''
    return /\blm: /.test(status) && !status.includes('loading')
  }
  await page.waitForFunction(loaded, null, { timeout: 180_000 })
  await panel('Beliefs')
}

/** Another part of the inspector. */
async function panel(name: string): Promise<void> {
  await page.getByRole('tab', { name }).click()
}

/** Waits until what was sent is answered and observed, and the list of beliefs shows it. */
async function settled(): Promise<void> {
  await page.waitForSelector('#send[aria-disabled=false]', { timeout: 120_000 })
  await listed()
}

const listed = () => page.waitForTimeout(700)

async function send(text: string): Promise<void> {
  await page.fill('#message', text)
  await page.click('#send')
  await settled()
}

/** What was recalled for the last message. */
const answer = () =>
  page
    .locator('#log .answer')
    .last()
    .evaluate(one => [...one.querySelectorAll(':scope > :not(.written)')].map(part => part.textContent).join('\n'))

interface Row {
  text: string
  state: string
  confidence: number
}

/** All beliefs, those that hold no longer among them, as the inspector lists them. */
async function rows(): Promise<Row[]> {
  await panel('Beliefs')
  await page.getByLabel('Show').selectOption('all')
  await listed()
  return page.$$eval('#memory credence-inspector-belief', items =>
    items.map(item => ({
      text: item.querySelector('.words')!.textContent!,
      state: item.getAttribute('data-state')!,
      confidence: Number(item.querySelector('.value')!.textContent),
    })),
  )
}

const belief = (text: string) => page.locator('#memory credence-inspector-belief', { hasText: text })

/** The whole memory, as the page gives it away. */
async function exported(): Promise<{ file: string; content: Record<string, unknown> }> {
  await panel('Data and status')
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('[data-do=export-json]')])
  const file = await download.path()
  const { exportedAt: _, ...content } = JSON.parse(readFileSync(file, 'utf8'))
  return { file, content }
}

const file = (name: string, content: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })

describe('coffee to tea', () => {
  it('plays the example: tea is recalled, coffee is kept as past below 0.3', async () => {
    await page.click('#example')
    await page.waitForSelector('#send[aria-disabled=true]')
    await settled()
    const routes = await page.$$eval('#log .said .outcome', all => all.map(one => one.querySelector('.chip')!.textContent))
    expect(routes).toContain('MAINTAIN')
    expect(routes.slice(-2)).toEqual(['CORRECT', 'ignored: question'])

    expect(await page.innerText('[data-part=recall]')).toContain('memory needed')
    const top = await page.locator('[data-part=recall] .entry.chosen', { hasText: 'belief' }).first().innerText()
    expect(top).toMatch(/\btea\b/)
    expect(await answer()).not.toContain('I like drinking coffee')

    const coffee = (await rows()).find(row => row.text === 'I like drinking coffee.')
    expect(coffee?.state).toBe('past')
    expect(coffee?.confidence).toBeLessThan(0.3)
  })

  it('explains a belief with the words it rests on, and with what was believed before (asks 63)', async () => {
    const row = page.locator('#memory credence-inspector-belief[data-state=fact]', { hasText: 'tea' }).first()
    await row.locator('summary').first().click()
    await expect
      .poll(() => row.locator('mark').allInnerTexts())
      .toContain('I have completely given up coffee, from now on I only drink tea.')
    expect(await row.locator('.chain').innerText()).toContain('I like drinking coffee.')
    await row.locator('summary').first().click()
  })
})

describe('after a reload', () => {
  it('holds the same memory bit for bit, and fetches no model again', async () => {
    const before = { rows: await rows(), memory: (await exported()).content }
    requests.length = 0
    await page.reload()
    await ready()
    expect(await rows()).toEqual(before.rows)
    expect((await exported()).content).toEqual(before.memory)
    expect(await page.textContent('#load')).not.toContain('network')
    expect(requests.filter(url => /\/models\/.+\/|\.wasm/.test(url))).toEqual([])
  })

  it('recalls with the network off, and the small model answers, without a request', async () => {
    requests.length = 0
    await context.setOffline(true)
    await send(question)
    expect(await answer()).toMatch(/\btea\b/)
    const written = page.locator('#log .written').last()
    await written.locator('button').click()
    await expect.poll(() => written.innerText(), { timeout: 120_000 }).toMatch(/\w[\s\S]* the small model, after [\d.]+ s$/)
    await context.setOffline(false)
    expect(requests).toEqual([])
  })

  it('gives up what the small model is writing when the next message comes', async () => {
    await send(question)
    const writing = page.locator('#log .written').nth(-1)
    const place = (await writing.elementHandle())!
    await writing.locator('button').click()
    await send('Thanks, that was quick!')
    await expect.poll(() => place.evaluate(one => one.isConnected)).toBe(false)
  })

  it('answers by the memory alone where the small model is not loaded', async () => {
    const { page, say } = await withoutModels()
    await say('I play the cello.')
    await say('Do I play the cello?')
    const last = page.locator('#log .answer').last()
    expect(await last.innerText()).toContain('I play the cello.')
    await last.locator('.written button').click()
    await expect
      .poll(() => last.locator('.written').innerText())
      .toBe('The small model is not loaded, or not yet: there is only the memory itself.')
    await page.context().close()
  })
})

/** A visitor of their own, whose memory works by words alone. */
async function withoutModels() {
  const other = await browser.newContext({ serviceWorkers: 'block' })
  await other.route('**/models/**', route => route.abort())
  const page = await other.newPage()
  await page.goto(server.url)
  await page.waitForSelector('#send:not([disabled])')
  const say = async (text: string) => {
    await page.fill('#message', text)
    await page.click('#send')
    await page.waitForSelector('#send[aria-disabled=false]')
  }
  return { page, say }
}

describe('said in the chat', () => {
  const cleared = 'Something was forgotten, so the conversation was cleared from the page too.'

  it('“forget that I …” clears the conversation too, in which it stood', async () => {
    const { page, say } = await withoutModels()
    await say('My bicycle is called Pegasus.')
    await say('Forget that I play the tuba.')
    expect(await page.locator('#log .said').count()).toBe(2)
    await say('Forget that my bicycle is called Pegasus.')
    await expect.poll(() => page.innerText('#log')).toBe(cleared)
    expect(await page.innerText('main')).not.toContain('Pegasus')
    await page.context().close()
  })

  it('“forget everything” erases nothing until it is pressed once more', async () => {
    const { page, say } = await withoutModels()
    await say('My bicycle is called Pegasus.')
    await say('Please forget everything about me.')
    const held = page.locator('#memory credence-inspector-belief')
    await expect.poll(() => held.count()).toBe(1)
    expect(await page.locator('#log .outcome').last().innerText()).toContain('ignored: forget-all')
    await page.getByRole('button', { name: 'Erase all that is remembered' }).click()
    await expect.poll(() => page.innerText('#log')).toBe(cleared)
    await expect.poll(() => held.count()).toBe(0)
    await page.context().close()
  })
})

describe('the person decides', () => {
  it('when to write: what is sent while an answer is on its way is sent after it', async () => {
    const texts = ['I collect old maps.', 'I collect stamps too.']
    for (const text of texts) {
      await page.focus('#message')
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await page.waitForSelector('#send[aria-disabled=true]')
    }
    await expect.poll(async () => (await page.locator('#log .said .words').allInnerTexts()).slice(-2)).toEqual(texts)
    await settled()
    expect(await page.inputValue('#message')).toBe('')
  })

  it('edits, pins, retracts and forgets by keyboard alone', async () => {
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.locator('.skip').focus()
    await page.keyboard.press('Enter')
    expect(await focused()).toBe('message')
    await page.keyboard.type('My sister Ada lives in Oslo.')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#send[aria-disabled=true]')
    await settled()
    await panel('Beliefs')
    await page.getByLabel('Show').selectOption('current')
    const row = belief('Ada lives in')
    await row.waitFor()

    await tabTo(() => focusWithin('Ada lives in'))
    await page.keyboard.press('Enter')
    await tabTo(async () => (await focused()) === 'Edit')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('textarea')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('My sister Ada lives in Bergen.')
    await tabTo(async () => (await focused()) === 'Save')
    await page.keyboard.press('Enter')
    await expect.poll(() => row.locator('.words').innerText()).toContain('Bergen')
    await expect.poll(focused).toBe('Edit')

    await tabTo(async () => (await focused()) === 'Undo')
    await page.keyboard.press('Enter')
    await expect.poll(() => row.locator('.words').innerText()).toContain('Oslo')

    await row.locator('summary').first().focus()
    await tabTo(async () => (await focused()) === 'Pin')
    await page.keyboard.press('Enter')
    await expect.poll(() => row.locator('.about').innerText()).toContain('pinned')
    expect(await focused()).toBe('Unpin')

    await tabTo(async () => (await focused()) === 'Forget')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Keep')
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('Forget')
    expect(await row.count()).toBe(1)

    // At once again, before the first dialog has told that it closed.
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Keep')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Forget')
    await page.keyboard.press('Enter')
    await expect.poll(() => row.count()).toBe(0)
    expect(JSON.stringify((await exported()).content)).not.toContain('Ada')
    expect(await page.innerText('main')).not.toContain('Ada')
  })

  it('keeps what was retracted as history', async () => {
    await send('I live in Lisbon.')
    await rows()
    const row = belief('Lisbon')
    await row.locator('summary').first().click()
    await row.getByRole('button', { name: 'Retract' }).click()
    await expect.poll(() => row.getAttribute('data-state')).toBe('retracted')
    await send('Where do I live?')
    expect(await answer()).not.toContain('Lisbon')
  })
})

describe('files', () => {
  const lines = (texts: string[]) => texts.map((content, i) => JSON.stringify({ role: 'user', content, id: `import-${i}` })).join('\n')

  it('brings in a transcript, may be stopped, and knows again what it has', async () => {
    const texts = [
      'I play the cello.',
      'I have a dog called Rufus.',
      'I am allergic to walnuts.',
      'My favourite colour is green.',
      'I was born in Porto.',
    ]
    await page.setInputFiles('#import-file', file('chat.jsonl', lines(texts)))
    await expect.poll(() => page.textContent('#import-text')).toBe('A transcript: 1 conversation, 5 messages.')
    await page.click('#import-start')
    await page.waitForFunction(() => Number((document.querySelector('#import-bar') as HTMLProgressElement).value) > 0)
    await page.click('#import-cancel')
    await expect.poll(() => page.textContent('#import-text')).toMatch(/^Stopped: [1-4] messages?;.*What was brought in stays/)

    await page.click('#import-start')
    await expect
      .poll(() => page.textContent('#import-text'), { timeout: 60_000 })
      .toMatch(/^Done: 5 messages, [1-4] of them known already;/)
    const held = (await rows()).map(row => row.text)
    expect(held).toEqual(expect.arrayContaining(['I play the cello.', 'I have a dog called Rufus.']))
  })

  it('brings in a ChatGPT export', async () => {
    const message = (id: string, role: string, text: string, create_time: number) => ({
      id,
      author: { role },
      create_time,
      content: { content_type: 'text', parts: [text] },
    })
    const mapping = {
      root: { id: 'root', parent: null, children: ['a'], message: null },
      a: { id: 'a', parent: 'root', children: ['b'], message: message('a', 'user', 'I work as a beekeeper.', 1_700_000_000) },
      b: { id: 'b', parent: 'a', children: [], message: message('b', 'assistant', 'How many hives do you keep?', 1_700_000_010) },
    }
    const conversation = { title: 'Bees', conversation_id: 'c1', create_time: 1_700_000_000, current_node: 'b', mapping }
    await page.setInputFiles('#import-file', file('conversations.json', JSON.stringify([conversation])))
    await expect.poll(() => page.textContent('#import-text')).toBe('A ChatGPT export: 1 conversation, 2 messages.')
    await page.click('#import-start')
    await expect.poll(() => page.textContent('#import-text'), { timeout: 60_000 }).toMatch(/^Done: 2 messages;/)
    await expect.poll(async () => (await rows()).map(row => row.text)).toContain('I work as a beekeeper.')
    expect(await belief('beekeeper').locator('.about').innerText()).toContain('Nov 14, 2023'.replace(/ /g, '\u00a0'))
  })

  it('says what is wrong with a file', async () => {
    await page.setInputFiles('#import-file', file('notes.json', '{"a": 1}'))
    await expect.poll(() => page.textContent('#import-text')).toMatch(/^This file cannot be brought in: notes\.json/)
    expect(await page.isDisabled('#import-start')).toBe(true)
  })

  it('erases everything after asking, and takes an exported memory back', async () => {
    const before = { rows: await rows(), ...(await exported()) }
    await page.click('[data-do=erase]')
    await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click()
    expect((await exported()).content).toEqual(before.content)
    await page.click('[data-do=erase]')
    await page.getByRole('dialog').getByRole('button', { name: 'Erase everything' }).click()
    await expect.poll(rows).toEqual([])

    await panel('Data and status')
    await page.setInputFiles('#memory input[type=file]', file('memory.json', readFileSync(before.file, 'utf8')))
    await page.click('[data-do=import]')
    await expect.poll(() => page.innerText('#memory .notice'), { timeout: 30_000 }).toMatch(/^Imported/)
    expect(await rows()).toEqual(before.rows)
    expect((await exported()).content).toEqual(before.content)
  })
})

describe('what there is to see besides', () => {
  it('whether the browser keeps the memory, and else to export it (asks 102)', async () => {
    await panel('Data and status')
    const kept = await page.evaluate(() => navigator.storage.persisted())
    const status = page.locator('#memory [data-part=status] tr', { hasText: 'Kept by the browser' })
    expect(await status.locator('td').innerText()).toBe(kept ? 'yes' : 'no')
    expect(await page.locator('#memory .reminder').count()).toBe(kept ? 0 : 1)
  })

  it('the figures of the README, all of them', async () => {
    const measured = readFileSync(at('README.md'), 'utf8')
      .split(/^## /m)
      .find(section => section.startsWith('Measured'))!
    const lines = measured.split('\n').filter(line => line.startsWith('|') && !/^\|[-| ]+\|$/.test(line))
    expect(lines.length).toBeGreaterThan(5)
    expect(await page.locator('#figures tr').count()).toBe(lines.length)
    const last = lines.at(-1)!.split('|').at(-2)!.trim()
    expect(await page.locator('#figures td').last().textContent()).toBe(last)
  })

  it('N_eff and the routes over time', async () => {
    await panel('Over time')
    await expect.poll(() => page.locator('#memory svg[role=img]').count()).toBe(2)
    expect(await page.locator('#memory svg[role=img]').last().getAttribute('aria-label')).toMatch(
      /MAINTAIN [1-9]\d*, PROFILE [1-9]\d*, CORRECT [1-9]/,
    )
    await panel('Beliefs')
  })
})

describe('for everyone', () => {
  it('shows what a person writes as text', async () => {
    const text = '<img src="/nowhere" onerror="document.title = 1"> I like "markup" & <b>angle brackets</b>.'
    await send(text)
    expect(await page.locator('.said .words').last().textContent()).toBe(text)
    expect(await page.locator('main img, main b').count()).toBe(0)
  })

  it.each([
    ['light', 1440],
    ['light', 360],
    ['dark', 1440],
    ['dark', 360],
  ] as const)('has no accessibility violation, and fits: %s at %i px', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 800 })
    for (const name of ['Beliefs', 'Over time', 'Data and status']) {
      await panel(name)
      await listed()
      // A few, as each opened belief has a chart of its own.
      await page
        .locator('details:not(#memory .beliefs li:nth-child(n + 4) details)')
        .evaluateAll(all => all.forEach(one => ((one as HTMLDetailsElement).open = true)))
      await listed()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      expect(await violations()).toEqual([])
    }
  })

  it('asked no other origin for anything, and met no error', () => {
    expect(foreign).toEqual([])
    expect(errors).toEqual([])
  })
})

describe('the tour', () => {
  it('goes through every step on a memory of its own, and leaves nothing behind', async () => {
    await page.setViewportSize({ width: 1440, height: 1000 })
    const before = await rows()
    await page.click('#tour-link')
    await page.waitForSelector('#tour-next:not([disabled])', { timeout: 180_000 })
    const titles: (string | null)[] = []
    for (let more = true; more;) {
      await page.click('#tour-next')
      await page.waitForSelector('#tour-next:not([disabled])', { timeout: 120_000 })
      titles.push(await page.textContent('#tour-title'))
      more = (await page.innerText('#tour-next')) === 'Next'
    }
    expect(titles).toHaveLength(7)
    expect(titles.at(-1)).toBe('7 of 7: It is hers')
    const said = await page.$$eval('#log .said', all => all.map(one => one.textContent!))
    const routeOf = (text: string) => said.find(one => one.includes(text))!
    expect(routeOf('Thanks, that was quick')).toContain('ignored')
    expect(routeOf('another americano')).toContain('MAINTAIN')
    expect(routeOf('completely given up coffee')).toContain('CORRECT')
    const answers = await page.locator('#log .answer').allInnerTexts()
    expect(answers.at(-2)).toContain('No memory was needed.')
    expect(answers.at(-3)).toMatch(/\btea\b/)
    expect(answers.at(-1)).toContain('about the past')
    expect(await violations()).toEqual([])

    await page.click('#tour-leave')
    await ready()
    expect(await rows()).toEqual(before)
    expect(errors).toEqual([])
  })
})

async function violations(): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const results = await (
      globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }
    ).axe.run()
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`)
  })
}

/** What has the focus, inside shadow roots too: a field by its id or kind, anything else by its text. */
const focused = () =>
  page.evaluate(() => {
    let at = document.activeElement!
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    return at.id || (at.matches('input, select, textarea') ? at.localName : at.textContent!.trim())
  })

const focusWithin = (text: string) =>
  page.evaluate(wanted => {
    let at = document.activeElement!
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    return at.localName === 'summary' && at.textContent!.includes(wanted)
  }, text)

async function tabTo(there: () => Promise<boolean>): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    if (await there()) return
    await page.keyboard.press('Tab')
  }
  throw new Error('the Tab key does not lead there')
}
