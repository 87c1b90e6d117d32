/** Takes the memory away as a file, brings such a file in, or erases all. */

import { CredenceError, type ImportMode, type Memory, type PortableMemory } from 'credence'
import { confirm } from './confirm.ts'
import { byId, el } from './dom.ts'
import { count } from './format.ts'
import { attempt, say } from './notice.ts'

export function portable(memory: Memory): void {
  const file = byId('restore-file', HTMLInputElement)
  const mode = byId('restore-mode', HTMLSelectElement)
  const restore = byId('restore', HTMLButtonElement)
  const on = (id: string, what: string, action: () => Promise<void>) =>
    byId(id, HTMLButtonElement).addEventListener('click', attempt(what, action))

  on('export-json', 'Not exported', async () => download('json', 'application/json', JSON.stringify(await memory.export())))
  on('export-markdown', 'Not exported', async () => download('md', 'text/markdown', await memory.toMarkdown()))
  file.addEventListener('change', () => (restore.disabled = !file.files?.length))
  on('restore', 'Not imported', async () => {
    const chosen = file.files?.[0]
    if (!chosen) return
    say('Importing…')
    const { turns, beliefs, skipped } = await memory.import(await parse(chosen), mode.value as ImportMode)
    say(`Imported ${count(turns, 'message')} and ${count(beliefs, 'belief')}; left out ${skipped}.`)
  })
  on('erase-all', 'Not erased', async () => {
    const consequence = 'All that this memory holds is erased from this device. It cannot be brought back unless you exported it.'
    if (!(await confirm('Erase everything?', consequence, 'Erase everything'))) return
    await memory.forgetAll()
    say('Everything is erased.')
  })
  for (const id of ['portable', 'erase']) byId(id, HTMLFieldSetElement).disabled = false
}

async function parse(file: File): Promise<PortableMemory> {
  try {
    return JSON.parse(await file.text())
  } catch (cause) {
    throw new CredenceError('ImportInvalid', 'the file is not JSON; choose one that "Export as JSON" wrote', { cause })
  }
}

function download(ending: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  el('a', { href: url, download: `credence-${new Date().toISOString().slice(0, 10)}.${ending}` }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
