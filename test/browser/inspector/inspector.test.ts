/** `<credence-inspector>` on a real memory: what a person sees of it, and does to it. */

import axe from 'axe-core'
import { openMemory, type Memory, type PortableMemory } from 'credence'
import 'credence/inspector'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'

type Inspector = HTMLElementTagNameMap['credence-inspector']

const start = Date.parse('2026-03-02T09:00:00Z')
const coffee = 'I like drinking coffee.'
const change = 'I have completely given up coffee, from now on I only drink tea.'
const texts = [coffee, 'I drink coffee every morning.', 'I work as a nurse.', change]

let memory: Memory
/** The memory after these texts. */
let filled: PortableMemory
let inspector: Inspector

beforeAll(async () => {
  memory = await openMemory({ name: `inspector-${Date.now()}`, assets: '/', device: 'wasm', models: { lm: false } })
  for (const [i, text] of texts.entries()) await memory.observe({ id: `t${i}`, text, at: start + i * 3_600_000 })
  filled = await memory.export()
  await customElements.whenDefined('credence-inspector')
})

afterAll(async () => {
  await memory.forgetAll()
  await memory.close()
})

beforeEach(async () => {
  await memory.forgetAll()
  await memory.import(filled)
  inspector = show({})
})

afterEach(() => {
  document.body.replaceChildren()
  document.documentElement.style.colorScheme = ''
})

function show(properties: Partial<Pick<Inspector, 'views' | 'dictionary' | 'lang' | 'dir'>>): Inspector {
  document.body.replaceChildren()
  const element = Object.assign(document.createElement('credence-inspector'), properties)
  element.memory = memory
  document.body.append(element)
  return element
}

const all = <E extends HTMLElement>(selector: string) => [...inspector.shadowRoot!.querySelectorAll<E>(selector)]
const one = <E extends HTMLElement>(selector: string) => all<E>(selector)[0]!
const words = (selector: string) => all(selector).map(element => element.innerText.replace(/\s+/g, ' ').trim())
const shown = (selector: string) => words(selector).join(' ')
const beliefs = () => words('credence-inspector-belief .words')
const row = (text: string) => all('credence-inspector-belief').find(element => element.innerText.includes(text))!
const press = (name: string, within: ParentNode = inspector.shadowRoot!) =>
  within.querySelector<HTMLElement>(`[data-do="${name}"]`)!.click()

async function listed(expected: readonly string[]): Promise<void> {
  await expect.poll(beliefs).toEqual(expected)
}

/** The two beliefs that hold, the one of the later change first. */
const held = [change, 'I work as a nurse.']

async function open(text: string): Promise<HTMLElement> {
  await expect.poll(() => row(text)).toBeTruthy()
  row(text).querySelector('summary')!.click()
  await expect.poll(() => row(text).querySelector('.why')).toBeTruthy()
  return row(text)
}

async function view(name: string): Promise<void> {
  await expect.poll(() => one(`[role=tab][data-view=${name}]`)).toBeTruthy()
  one(`[role=tab][data-view=${name}]`).click()
  await expect.poll(() => one('[role=tabpanel]').dataset['view']).toBe(name)
}

function choose(select: HTMLSelectElement, value: string): void {
  select.value = value
  select.dispatchEvent(new Event('change'))
}

describe('the list', () => {
  it('has what holds, is searched by words, and filtered by kind and by what is past', async () => {
    await listed(held)
    expect(row(change).dataset['state']).toBe('fact')
    expect(shown('[role=status].muted')).toBe('Shown: 2 of 2')
    expect(row('nurse').innerText).toMatch(/hypothesis/)

    const search = one<HTMLInputElement>('input[type=search]')
    search.value = 'nurse'
    search.dispatchEvent(new Event('input'))
    await listed(['I work as a nurse.'])
    search.value = ''
    search.dispatchEvent(new Event('input'))

    choose(one<HTMLSelectElement>('select'), 'past')
    await listed([coffee])
    expect(Number(row(coffee).querySelector<HTMLElement>('.value')!.innerText)).toBeLessThan(0.3)
    choose(one<HTMLSelectElement>('select'), 'facts')
    await listed([change])
  })

  it('follows what is said', async () => {
    await listed(held)
    await memory.observe({ id: 'new', text: 'I play the cello.', at: start + 5 * 3_600_000 })
    await expect.poll(beliefs).toContain('I play the cello.')
  })

  it('shows what a person wrote as text', async () => {
    const [{ id } = expect.fail()] = await memory.beliefs()
    await memory.edit(id, 'I like <img src=x onerror=alert(1)> and <b>bold</b> markup.')
    await expect.poll(() => shown('.beliefs')).toContain('<b>bold</b>')
    expect(all('.beliefs img, .beliefs b')).toEqual([])
  })
})

describe('why something is remembered', () => {
  it('is told as a receipt: the messages with the words marked, each change with its route, and what it replaced (asks 63)', async () => {
    const opened = await open(change)
    const source = opened.querySelector<HTMLElement>('.source')!
    expect(source.innerText).toBe(change)
    expect(source.querySelector('mark')!.innerText).toBe(change)
    expect(opened.querySelector<HTMLElement>('.sources .numbers')!.innerText).toMatch(/^you, Mar.2,.2026.*: supports, strength 0\.85$/)
    expect(opened.querySelector<HTMLElement>('.trail')!.innerText).toMatch(/0\.85 new, CORRECT, message 4/)
    const [old, now] = opened.querySelectorAll<HTMLElement>('.chain li')
    expect(old!.innerText).toContain(coffee)
    expect(now!.innerText).toContain('this one')
    expect(opened.querySelector('svg[role=img]')!.getAttribute('aria-label')).toBe(
      'Confidence from 0.85 at message 4 to 0.85 at message 4; changes: 1',
    )

    choose(one<HTMLSelectElement>('select'), 'past')
    const past = await open(coffee)
    const marks = [...past.querySelectorAll('.chart .mark')].map(mark => mark.classList[1])
    expect(marks.at(0)).toBe('profile')
    expect(marks.at(-1)).toBe('correct')
    expect(past.querySelectorAll('.trail li')).toHaveLength(marks.length)
    expect(past.querySelector<HTMLElement>('.sources')!.innerText).toMatch(/contradicts, strength/)
  })

  it('leads to correcting, pinning, retracting and forgetting it (asks 63)', async () => {
    await open('nurse')
    press('pin', row('nurse'))
    await expect.poll(() => row('nurse').innerText).toContain('pinned')
    expect((await memory.beliefs({ text: 'nurse' }))[0]).toMatchObject({ pinned: true })

    press('edit', row('nurse'))
    await expect.poll(() => row('nurse').querySelector('textarea')).toBeTruthy()
    const text = row('nurse').querySelector('textarea')!
    expect(inspector.shadowRoot!.activeElement).toBe(text)
    text.value = 'I work as a surgeon.'
    row('nurse').querySelector('form')!.requestSubmit()
    await expect.poll(beliefs).toContain('I work as a surgeon.')
    await expect
      .poll(() => row('surgeon').querySelector<HTMLElement>('.trail')!.innerText)
      .toMatch(/edited, by hand[^]*instead of I work as a nurse\./)

    press('retract', row('surgeon'))
    await listed([change])
    choose(one<HTMLSelectElement>('select'), 'past')
    await open('surgeon')
    expect(row('surgeon').dataset['state']).toBe('retracted')
    press('restore', row('surgeon'))
    choose(one<HTMLSelectElement>('select'), 'current')
    await expect.poll(beliefs).toContain('I work as a surgeon.')
  })

  it('tells what goes with a belief before it is forgotten, and asks (asks 63)', async () => {
    await open('nurse')
    press('forget', row('nurse'))
    await expect.poll(() => one<HTMLDialogElement>('dialog').open).toBe(true)
    expect(shown('dialog .goes')).toBe('I work as a nurse.')
    expect(inspector.shadowRoot!.activeElement!.textContent).toContain('Keep')
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => one<HTMLDialogElement>('dialog').open).toBe(false)
    expect(beliefs()).toEqual(held)

    press('forget', row('nurse'))
    await expect.poll(() => one<HTMLDialogElement>('dialog').open).toBe(true)
    one('dialog .danger').click()
    await listed([change])
    expect(shown('.notice')).toBe('Forgotten. Beliefs erased: 1, messages erased: 1.')
    expect(JSON.stringify(await memory.export())).not.toContain('nurse')
    expect(inspector.shadowRoot!.textContent).not.toContain('nurse')
  })
})

describe('taking back', () => {
  it('an edit, where it was made (asks 28)', async () => {
    await open('nurse')
    press('edit', row('nurse'))
    await expect.poll(() => row('nurse').querySelector('textarea')).toBeTruthy()
    row('nurse').querySelector('textarea')!.value = 'I work as a pilot.'
    row('nurse').querySelector('form')!.requestSubmit()
    await expect.poll(beliefs).toContain('I work as a pilot.')
    expect(shown('.notice')).toContain('Saved.')
    press('undo')
    await expect.poll(beliefs).toContain('I work as a nurse.')
    expect(await memory.beliefs({ text: 'pilot' })).toEqual([])
  })

  it('what a message was only just taken for (asks 28)', async () => {
    await view('live')
    await memory.observe({ id: 'ada', text: 'I have a sister in Oslo.', at: start + 6 * 3_600_000 })
    await expect.poll(() => shown('[data-part=turn]')).toContain('I have a sister in Oslo.')
    press('wrong')
    await expect.poll(async () => (await memory.beliefs()).map(belief => belief.text)).not.toContain('I have a sister in Oslo.')
    expect((await memory.beliefs({ past: true, text: 'sister' }))[0]).toMatchObject({ retracted: true })
  })
})

describe('the last message', () => {
  it('shows the gate: ρ, x, both thresholds and the route of each statement', async () => {
    await view('live')
    expect(shown('[data-part=turn]')).toContain('No message was observed')
    const text = 'I work as a nurse. What is the capital of France?'
    const { propositions } = await memory.observe({ id: 'last', text, at: start + 6 * 3_600_000 })
    await expect.poll(() => shown('[data-part=turn] .source')).toBe(text)
    const [first, second] = words('[data-part=turn] .entry')
    const { surprisal, reliability, rawSurprisal, route } = propositions[0]!
    expect(first).toContain(route.toUpperCase())
    const [x, rho, raw] = [surprisal, reliability, rawSurprisal].map(value => value.toFixed(2))
    expect(first).toContain(`x ${x} = ρ ${rho} × S ${raw}. MAINTAIN up to 0.20, CORRECT above 0.60.`)
    expect(second).toContain('ignored: a question')
  })

  it('shows the recall: every candidate with its score, the threshold, and what was chosen', async () => {
    await view('live')
    const { trace, beliefs, turns } = await memory.recall('What do I like to drink?', { at: start + 7 * 3_600_000 })
    await expect.poll(() => shown('[data-part=recall] .source')).toBe('What do I like to drink?')
    const chosen = beliefs.length + turns.length
    expect(shown('[data-part=recall]')).toContain(
      `Controller: ${trace.controller}. Threshold τ: ${trace.threshold.toFixed(2).replace('-', '−')}. Candidates: ${trace.candidates.length}, chosen: ${chosen}.`,
    )
    expect(all('[data-part=recall] .entry')).toHaveLength(trace.candidates.length)
    expect(all('[data-part=recall] .entry.chosen')).toHaveLength(chosen)
    expect(words('[data-part=recall] .entry.chosen')[0]).toContain(`score ${trace.candidates[0]!.score.toFixed(2)}`)
  })

  it('shows what augment recalled, and forgets it when something is forgotten', async () => {
    await view('live')
    await memory.augment([{ role: 'user', content: 'What is my job?' }])
    await expect.poll(() => shown('[data-part=recall] .source')).toBe('What is my job?')
    await memory.forget({ turn: 't2' })
    await expect.poll(() => shown('[data-part=recall]')).toContain('Nothing was asked')
    expect(inspector.shadowRoot!.textContent).not.toContain('nurse')
  })

  it('forgets it when the person asks for that in the chat, and shows what became of the wish', async () => {
    await view('live')
    await memory.recall('What is my job?')
    await expect.poll(() => shown('[data-part=recall] .source')).toBe('What is my job?')
    await memory.observe({ text: 'Forget that I work as a nurse.' })
    await expect.poll(() => shown('[data-part=turn]')).toContain('forgotten')
    expect(shown('[data-part=recall]')).toContain('Nothing was asked')
    expect(inspector.shadowRoot!.textContent).not.toContain('nurse')
  })
})

describe('over time', () => {
  it('draws N_eff, which ends at that of status(), and counts the routes', async () => {
    await view('time')
    await expect.poll(() => all('svg[role=img]').length).toBe(2)
    const { effectiveBeliefs } = await memory.status()
    const [effective, routes] = all('svg[role=img]').map(chart => chart.getAttribute('aria-label')!)
    expect(effective).toContain(`N_eff from message 1 to 4: it ends at ${effectiveBeliefs.toFixed(1)}`)
    expect(routes).toMatch(/MAINTAIN \d, PROFILE \d, CORRECT [1-9], by hand 0/)
    expect(all('tbody tr')).toHaveLength(4)
  })
})

describe('data and status', () => {
  it('takes the memory away as a file, erases it after asking, and takes it back', async () => {
    await view('data')
    let saved: Blob | undefined
    const kept = vi.spyOn(URL, 'createObjectURL').mockImplementation(blob => ((saved = blob as Blob), 'about:blank#saved'))
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    press('export-json')
    await expect.poll(() => clicked.mock.contexts.length).toBe(1)
    expect((clicked.mock.contexts[0] as HTMLAnchorElement).download).toMatch(/^credence-\d{4}-\d\d-\d\d\.json$/)
    kept.mockRestore()
    clicked.mockRestore()
    const before = await memory.export()

    press('erase')
    await expect.poll(() => one<HTMLDialogElement>('dialog').open).toBe(true)
    one('dialog .danger').click()
    await expect.poll(async () => (await memory.status()).turns).toBe(0)
    expect(shown('.notice')).toBe('Everything is erased.')

    const file = new DataTransfer()
    file.items.add(new File([saved!], 'memory.json', { type: 'application/json' }))
    const input = one<HTMLInputElement>('input[type=file]')
    input.files = file.files
    input.dispatchEvent(new Event('change'))
    await expect.poll(() => one<HTMLButtonElement>('[data-do=import]').disabled).toBe(false)
    press('import')
    await expect.poll(() => shown('.notice')).toMatch(/^Imported\. Messages: 4, beliefs: 3/)
    const { exportedAt: _, ...after } = await memory.export()
    expect(after).toEqual({ ...before, exportedAt: undefined })
  })

  it('says what is wrong with a file', async () => {
    await view('data')
    const file = new DataTransfer()
    file.items.add(new File(['no json'], 'x.json'))
    const input = one<HTMLInputElement>('input[type=file]')
    input.files = file.files
    input.dispatchEvent(new Event('change'))
    await expect.poll(() => one<HTMLButtonElement>('[data-do=import]').disabled).toBe(false)
    press('import')
    await expect.poll(() => shown('.notice [role=alert]')).toBe('That did not work: The file is not JSON.')
  })

  it('shows whether the browser keeps it, and where it does not, asks for an export now and then (asks 102)', async () => {
    const real = memory
    const kept = (persisted: boolean) => ({ ...real, status: async () => withPersisted(await real.status(), persisted) })
    inspector.memory = kept(false)
    await view('data')
    await expect.poll(() => shown('[data-part=status]')).toContain('Kept by the browser no')
    expect(shown('.reminder')).toContain('Export it from time to time.')
    const persist = vi.spyOn(navigator.storage, 'persist').mockResolvedValue(false)
    press('persist')
    await expect.poll(() => shown('.reminder')).toContain('The browser did not agree.')
    persist.mockRestore()

    inspector.memory = kept(true)
    await expect.poll(() => shown('[data-part=status]')).toContain('Kept by the browser yes')
    expect(all('.reminder')).toEqual([])
  })
})

const withPersisted = (status: Awaited<ReturnType<Memory['status']>>, persisted: boolean) => ({
  ...status,
  storage: { ...status.storage, persisted },
})

describe('for everyone', () => {
  it('speaks Chinese on a Chinese page, and any language by a dictionary', async () => {
    inspector = show({ lang: 'zh-CN' })
    await expect.poll(() => words('[role=tab]')).toEqual(['信念', '最近一条消息', '随时间变化', '数据与状态'])
    inspector = show({ lang: 'ar', dir: 'rtl', dictionary: { 'view.beliefs': 'المعتقدات' } })
    await expect.poll(() => words('[role=tab]')[0]).toBe('المعتقدات')
    expect(one('.frame').lang).toBe('ar')
    await listed(held)
    expect(inspector.scrollWidth).toBeLessThanOrEqual(inspector.clientWidth)
  })

  it('moves along its tabs with the arrow keys, in the direction of the writing', async () => {
    await view('beliefs')
    const current = () => (inspector.shadowRoot!.activeElement as HTMLElement | null)?.dataset['view']
    one('[role=tab][aria-selected=true]').focus()
    await userEvent.keyboard('{ArrowRight}')
    await expect.poll(current).toBe('live')
    await userEvent.keyboard('{End}')
    await expect.poll(current).toBe('data')
    await userEvent.keyboard('{ArrowRight}')
    await expect.poll(current).toBe('beliefs')
    inspector.dir = 'rtl'
    await userEvent.keyboard('{ArrowLeft}')
    await expect.poll(current).toBe('live')
  })

  it('shows only the parts that are asked for, without tabs when there is one', async () => {
    inspector = show({ views: 'data nonsense beliefs' })
    await expect.poll(() => all('[role=tab]').map(tab => tab.dataset['view'])).toEqual(['data', 'beliefs'])
    inspector = show({ views: 'live' })
    await expect.poll(() => shown('[data-view=live]')).toContain('No message was observed')
    expect(all('[role=tab]')).toEqual([])
  })

  it('takes its colours from the page, by whatever names the page has for them', async () => {
    await listed(held)
    document.body.style.setProperty('--text', 'rgb(1, 2, 3)')
    inspector.style.setProperty('--credence-text', 'var(--text)')
    expect(getComputedStyle(one('.words')).color).toBe('rgb(1, 2, 3)')
    document.body.style.removeProperty('--text')
  })

  it.each(['light', 'dark'])('has no accessibility violation: %s', async scheme => {
    document.documentElement.style.colorScheme = scheme
    document.body.style.background = 'canvas'
    for (const name of ['beliefs', 'live', 'time', 'data']) {
      await view(name)
      if (name === 'beliefs') await open(change)
      if (name === 'live') {
        await memory.recall('What do I like to drink?', { at: start + 7 * 3_600_000 })
        await memory.observe({ text: `I work as a nurse. ${scheme}`, at: start + 8 * 3_600_000 })
        await expect.poll(() => all('.gauge').length).toBeGreaterThan(0)
      }
      if (name === 'time') await expect.poll(() => all('svg[role=img]').length).toBe(2)
      all<HTMLDetailsElement>('details').forEach(details => (details.open = true))
      const { violations } = await axe.run(inspector)
      expect(violations.map(({ id, nodes }) => `${name} ${id}: ${nodes.map(node => node.html).join(' ')}`)).toEqual([])
    }
  })
})

describe('the button', () => {
  it('opens the inspector in a dialog that Escape closes, and asks the memory for nothing before', async () => {
    document.body.replaceChildren()
    const status = vi.fn<Memory['status']>(() => memory.status())
    const button = document.createElement('credence-inspector-button')
    button.memory = { ...memory, status }
    document.body.append(button)
    await memory.recall('What do I like to drink?', { at: start })
    await memory.observe({ text: 'I play the cello.', at: start + 9 * 3_600_000 })
    expect(status).not.toHaveBeenCalled()

    const opener = button.shadowRoot!.querySelector<HTMLButtonElement>('.opener')!
    opener.focus()
    await userEvent.keyboard('{Enter}')
    const dialog = button.shadowRoot!.querySelector('dialog')!
    await expect.poll(() => dialog.open).toBe(true)
    inspector = dialog.querySelector('credence-inspector')!
    await expect.poll(beliefs).toContain('I play the cello.')
    // What happened while it was closed was seen.
    await view('live')
    await expect.poll(() => shown('[data-part=turn] .source')).toBe('I play the cello.')
    expect(shown('[data-part=recall] .source')).toBe('What do I like to drink?')
    expect((await axe.run(button)).violations).toEqual([])

    await userEvent.keyboard('{Escape}')
    await expect.poll(() => dialog.open).toBe(false)
    await expect.poll(() => inspector.shadowRoot!.querySelector('.frame')).toBe(null)
    expect(button.shadowRoot!.activeElement).toBe(opener)
  })
})
