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

/** Resolves when the memory of that name is open; a failure stays on the page with a button to try again. */
export async function load(name: string): Promise<Memory> {
  for (;;) {
    try {
      return await open(name)
    } catch (error) {
      tell('failed', `The memory could not be opened: ${reason(error)}`)
      retry.hidden = false
      await new Promise(resolve => retry.addEventListener('click', resolve, { once: true }))
      retry.hidden = true
    }
  }
}

async function open(name: string): Promise<Memory> {
  tell('loading', 'Starting…')
  list.replaceChildren()
  const started = performance.now()
  const files = new Map<string, { progress: Progress; line: HTMLLIElement }>()
  const memory = await openMemory({ name, assets: new URL('./', document.baseURI), onProgress })
  const fetched = sum(files, 'network')
  const kept = sum(files, 'cache')
  const amount = (bytes: number, where: string) => bytes >= 50_000 && `${mb(bytes)} from the ${where}`
  const bytes = [amount(fetched, 'network'), amount(kept, 'cache')].filter(Boolean).join(', ')
  tell('ready', `Ready after ${fixed((performance.now() - started) / 1000, 1)} s${bytes && `: ${bytes}`}.`)
  return memory

  function onProgress(progress: Progress): void {
    const { stage, item, source, done, total } = progress
    if (stage !== 'download') {
      if (!opened()) tell('loading', `${stages[stage]} ${item}…`)
      return
    }
    const file = files.get(item) ?? { progress, line: list.appendChild(el('li')) }
    files.set(item, { ...file, progress })
    file.line.textContent = `${item}: ${mb(done)} of ${mb(total)} from the ${source ?? 'network'}`
    if (opened()) return
    const all = [...files.values()].map(one => one.progress)
    const doneAll = all.reduce((bytes, one) => bytes + one.done, 0)
    const totalAll = all.reduce((bytes, one) => bytes + one.total, 0)
    bar.value = totalAll > 0 ? doneAll / totalAll : 0
    tell('loading', `Loading models: ${mb(doneAll)} of ${mb(totalAll)}`)
  }
}

/** A model may be loaded behind a memory that is open already: only the list of files tells of it. */
const opened = () => panel.dataset['state'] === 'ready'

/** Read out at the end only. */
function tell(state: 'loading' | 'ready' | 'failed', what: string): void {
  panel.dataset['state'] = state
  text.setAttribute('aria-busy', String(state === 'loading'))
  text.textContent = what
}

function sum(files: Map<string, { progress: Progress }>, source: Progress['source']): number {
  return [...files.values()].reduce((bytes, { progress }) => bytes + (progress.source === source ? progress.done : 0), 0)
}
