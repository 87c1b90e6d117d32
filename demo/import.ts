/** Brings in chats from other assistants: the file is checked first, then observed turn by turn, and may be stopped and continued. */

import type { Memory } from 'credence'
import { importTranscript, readTranscript, type ImportReport, type Transcript } from 'credence/import'
import { byId } from './dom.ts'
import { aborted, count, reason, seconds } from './format.ts'

const names = { chatgpt: 'A ChatGPT export', claude: 'A Claude export', messages: 'A transcript', markdown: 'A Markdown transcript' }

export function importer(memory: Memory): void {
  const area = byId('import', HTMLFieldSetElement)
  const file = byId('import-file', HTMLInputElement)
  const text = byId('import-text', HTMLParagraphElement)
  const bar = byId('import-bar', HTMLProgressElement)
  const pace = byId('import-pace', HTMLParagraphElement)
  const start = byId('import-start', HTMLButtonElement)
  const cancel = byId('import-cancel', HTMLButtonElement)
  let transcript: Transcript | undefined
  let running: AbortController | undefined

  async function check(): Promise<void> {
    const chosen = file.files?.[0]
    transcript = undefined
    start.disabled = true
    if (!chosen) return
    text.textContent = 'Checking the file…'
    try {
      const found = await readTranscript(chosen, chosen.name)
      if (file.files?.[0] !== chosen) return
      transcript = found
      text.textContent = describe(found)
      start.textContent = `Bring in ${count(found.summary.turns, 'message')}`
      start.disabled = found.summary.turns === 0
    } catch (error) {
      text.textContent = `This file cannot be brought in: ${reason(error)}`
    }
  }

  async function bringIn(turns: Transcript): Promise<void> {
    const total = turns.summary.turns
    const began = performance.now()
    let report: ImportReport | undefined
    const onProgress = (now: ImportReport) => {
      report = now
      bar.value = now.turns / total
      const left = ((performance.now() - began) / 1000 / now.turns) * (total - now.turns)
      pace.textContent = `${now.turns} of ${total}, about ${seconds(left)} left`
    }
    running = new AbortController()
    setRunning(true)
    text.textContent = 'Bringing in…'
    try {
      text.textContent = `Done: ${outcome(await importTranscript(memory, turns, { signal: running.signal, onProgress }))}.`
    } catch (error) {
      const why = aborted(error) ? 'Stopped' : `Stopped by an error (${reason(error)})`
      text.textContent = `${why}: ${report ? outcome(report) : 'nothing'}. What was brought in stays; bring in again to go on.`
    }
    setRunning(false)
  }

  function setRunning(value: boolean): void {
    const focused = document.activeElement === start || document.activeElement === cancel
    start.hidden = value
    cancel.hidden = !value
    bar.hidden = !value
    pace.hidden = !value
    file.disabled = value
    if (focused) (value ? cancel : start).focus()
  }

  file.addEventListener('change', () => void check())
  start.addEventListener('click', () => transcript && void bringIn(transcript))
  cancel.addEventListener('click', () => running?.abort())
  area.disabled = false
}

function describe({ summary: { format, conversations, turns, skipped } }: Transcript): string {
  const left = Object.entries(skipped).map(([why, n]) => `${n} ${why}`)
  const out = left.length > 0 ? ` Left out: ${left.join(', ')}.` : ''
  return `${names[format]}: ${count(conversations, 'conversation')}, ${count(turns, 'message')}.${out}`
}

/** What an import did so far. */
function outcome({ turns, repeated, routes, ignored, changes }: ImportReport): string {
  const known = repeated > 0 ? `, ${repeated} of them known already` : ''
  const why = Object.entries(ignored).map(([name, n]) => `${n} ${name}`)
  const left = why.length > 0 ? ` (${why.join(', ')})` : ''
  return `${count(turns, 'message')}${known}; ${routes.maintain} maintain, ${routes.profile} profile, ${routes.correct} correct, ${routes.ignored} ignored${left}; ${count(changes.created ?? 0, 'new belief')}, ${changes.weakened ?? 0} weakened`
}
