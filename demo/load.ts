/** Opens the memory and shows how far it is: bytes, and whether they came over the network. */

import { openMemory, type Memory, type Progress } from 'credence'
import { byId, el } from './dom.ts'
import { fixed, mb, reason } from './format.ts'

const panel = byId('load', HTMLElement)
const text = byId('load-text', HTMLParagraphElement)
const bar = byId('load-bar', HTMLProgressElement)
const list = byId('load-files', HTMLUListElement)
const retry = byId('load-retry', HTMLButtonElement)

const stages = { download: 'Loading', load: 'Starting', 'self-test': 'Testing', index: 'Building the index of', import: 'Bringing in' }

/** Resolves when the memory is open; a failure stays on the page with a button to try again. */
export async function load(): Promise<Memory> {
  for (;;) {
    try {
      return await open()
    } catch (error) {
      panel.dataset['state'] = 'failed'
      text.textContent = `The memory could not be opened: ${reason(error)}`
      retry.hidden = false
      await new Promise(resolve => retry.addEventListener('click', resolve, { once: true }))
      retry.hidden = true
    }
  }
}

async function open(): Promise<Memory> {
  panel.dataset['state'] = 'loading'
  list.replaceChildren()
  const started = performance.now()
  const files = new Map<string, { progress: Progress; line: HTMLLIElement }>()
  const memory = await openMemory({ assets: new URL('./', document.baseURI), onProgress })
  const fetched = sum(files, 'network')
  const kept = sum(files, 'cache')
  const told = (bytes: number, where: string) => bytes >= 50_000 && `${mb(bytes)} from the ${where}`
  const bytes = [told(fetched, 'network'), told(kept, 'cache')].filter(Boolean).join(', ')
  const missing = (await memory.status()).missing.map(one => one.role).join(', ')
  text.textContent = `Ready after ${fixed((performance.now() - started) / 1000, 1)} s${bytes && `: ${bytes}`}.${missing && ` Without ${missing}: see Status.`}`
  panel.dataset['state'] = 'ready'
  return memory

  function onProgress(progress: Progress): void {
    const { stage, item, source, done, total } = progress
    if (stage !== 'download') {
      text.textContent = `${stages[stage]} ${item}…`
      return
    }
    const file = files.get(item) ?? { progress, line: list.appendChild(el('li')) }
    files.set(item, { ...file, progress })
    file.line.textContent = `${item}: ${mb(done)} of ${mb(total)} from the ${source ?? 'network'}`
    const all = [...files.values()].map(one => one.progress)
    const doneAll = all.reduce((bytes, one) => bytes + one.done, 0)
    const totalAll = all.reduce((bytes, one) => bytes + one.total, 0)
    bar.value = totalAll > 0 ? doneAll / totalAll : 0
    text.textContent = `Loading models: ${mb(doneAll)} of ${mb(totalAll)}`
  }
}

function sum(files: Map<string, { progress: Progress }>, source: Progress['source']): number {
  return [...files.values()].reduce((bytes, { progress }) => bytes + (progress.source === source ? progress.done : 0), 0)
}
