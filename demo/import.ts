/** Brings in chats from other assistants: the file is checked first, then observed turn by turn, and may be stopped and continued. */

import type { Memory, Observation } from 'credence'
import { readTranscript, type Transcript } from 'credence/import'
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
    const tally = new Tally()
    const total = turns.summary.turns
    const began = performance.now()
    running = new AbortController()
    setRunning(true)
    text.textContent = 'Bringing in…'
    try {
      for await (const observation of memory.observeAll(turns, { signal: running.signal, total })) {
        tally.add(observation)
        bar.value = tally.turns / total
        const left = ((performance.now() - began) / 1000 / tally.turns) * (total - tally.turns)
        pace.textContent = `${tally.turns} of ${total}, about ${seconds(left)} left`
      }
      text.textContent = `Done: ${tally}.`
    } catch (error) {
      const why = aborted(error) ? 'Stopped' : `Stopped by an error (${reason(error)})`
      text.textContent = `${why}: ${tally}. What was brought in stays; bring in again to go on.`
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
class Tally {
  turns = 0
  #repeated = 0
  #created = 0
  #corrected = 0
  #routes = new Map<string, number>()

  add({ repeated, propositions, changes }: Observation): void {
    this.turns++
    if (repeated) this.#repeated++
    for (const { route } of propositions) this.#routes.set(route, (this.#routes.get(route) ?? 0) + 1)
    this.#created += changes.filter(change => change.kind === 'created').length
    this.#corrected += changes.filter(change => change.kind === 'weakened').length
  }

  toString(): string {
    const routes = ['maintain', 'profile', 'correct', 'ignored'].map(route => `${this.#routes.get(route) ?? 0} ${route}`).join(', ')
    const known = this.#repeated > 0 ? `, ${this.#repeated} of them known already` : ''
    return `${count(this.turns, 'message')}${known}; ${routes}; ${count(this.#created, 'new belief')}, ${this.#corrected} weakened`
  }
}
