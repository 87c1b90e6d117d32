/** The chat box: a message is recalled first, then observed. The answer is the recalled memory, word for word, and what the language model makes of it. */

import type { BeliefChange, Memory, Observation, PropositionOutcome, Recall, RecalledItem } from 'credence'
import { byId, chip, el } from './dom.ts'
import { example } from './example.ts'
import { count, date, fixed, reason } from './format.ts'
import { writer } from './writer.ts'

export interface Chat {
  /** Says once, in an empty conversation, how many messages of earlier visits are remembered. */
  greet(known: number): void
  clear(): void
  /** Types and sends messages, one after the other. The language model answers the last. */
  play(texts: readonly string[]): Promise<void>
}

export function chat(memory: Memory): Chat {
  const log = byId('log', HTMLDivElement)
  const form = byId('composer', HTMLFormElement)
  const message = byId('message', HTMLTextAreaElement)
  const sendButton = byId('send', HTMLButtonElement)
  const exampleButton = byId('example', HTMLButtonElement)
  const conversation = `demo-${Date.now()}`
  const model = writer(memory)
  let busy = false
  /** What was written in the meantime is to be sent when the answer is there. */
  let held = false

  async function send(text: string, written: boolean): Promise<void> {
    model.stop()
    const outcome = el('p', { class: 'outcome' }, 'Recalling…')
    show(el('article', { class: 'said' }, el('h3', {}, 'You'), el('p', { class: 'words' }, text), outcome))
    try {
      const recall = await memory.recall(text)
      show(el('article', { class: 'answer' }, ...recalled(recall), written && model.offer(text, recall)))
      outcome.textContent = 'Observing…'
      const observation = await memory.observe({ text, conversation })
      outcome.replaceChildren(...outcomes(observation))
      if (observation.propositions.some(one => one.reason === 'forget-all')) outcome.append(' ', eraseButton())
      toEnd()
    } catch (error) {
      outcome.replaceChildren(chip('failed', 'correct'), ` ${reason(error)}`)
    }
  }

  /** A line of the chat alone erases nothing: what cannot be undone is pressed once more. */
  const eraseButton = () => el('button', { type: 'button', click: () => void memory.forgetAll() }, 'Erase all that is remembered')

  function show(entry: HTMLElement): void {
    log.append(entry)
    toEnd()
  }

  const toEnd = () => (log.scrollTop = log.scrollHeight)

  /** One message at a time; the buttons stay in the focus order. */
  async function alone(action: () => Promise<void>): Promise<void> {
    setBusy(true)
    await action().finally(() => setBusy(false))
    if (!held) return
    held = false
    form.requestSubmit()
  }

  function setBusy(value: boolean): void {
    busy = value
    for (const button of [sendButton, exampleButton]) button.setAttribute('aria-disabled', String(value))
  }

  form.addEventListener('submit', event => {
    event.preventDefault()
    const text = message.value
    held = busy
    if (text.trim() === '' || busy) return
    message.value = ''
    void alone(() => send(text, true))
  })
  message.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    form.requestSubmit()
  })
  exampleButton.addEventListener('click', () => void play(example))

  async function play(texts: readonly string[]): Promise<void> {
    if (busy) return
    await alone(async () => {
      for (const [n, text] of texts.entries()) {
        await type(text)
        message.value = ''
        await send(text, n + 1 === texts.length)
      }
    })
  }

  async function type(text: string): Promise<void> {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    for (let end = still ? text.length : 2; end < text.length; end += 2) {
      message.value = text.slice(0, end)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }

  for (const control of [message, sendButton, exampleButton]) control.disabled = false
  return {
    play,
    greet(known) {
      if (log.childElementCount > 0) return
      const before = `${count(known, 'message')} of earlier visits ${known === 1 ? 'is' : 'are'} remembered; the conversation itself is not shown again.`
      show(el('p', { class: 'muted' }, known > 0 ? before : 'Say something about yourself, or try the example.'))
    },
    clear() {
      model.stop()
      log.replaceChildren(el('p', { class: 'muted' }, 'Something was forgotten, so the conversation was cleared from the page too.'))
    },
  }
}

function recalled({ needed, strategy, beliefs, turns }: Recall): Node[] {
  const lead = !needed ? 'No memory was needed.' : strategy === 'past' ? 'From memory, about the past:' : 'From memory:'
  const items = [...beliefs, ...turns].map(item => el('li', {}, el('q', {}, item.text), ' ', source(item)))
  return [el('h3', {}, 'Recalled memory'), el('p', {}, lead), ...(items.length > 0 ? [el('ul', { class: 'plain' }, ...items)] : [])]
}

function source({ kind, at, confidence, past }: RecalledItem): HTMLElement {
  const what = kind === 'turn' ? 'message' : `${past ? 'no longer held, ' : ''}confidence ${fixed(confidence ?? 0)}`
  return el('span', { class: 'muted' }, `${what}, ${date(at)}`)
}

const routeChip = ({ route, reason }: PropositionOutcome) => chip(route === 'ignored' ? `ignored: ${reason}` : route.toUpperCase(), route)

function move({ kind, before, after }: BeliefChange): string {
  const levels = [before, after].filter(w => w !== null).map(w => fixed(w))
  return `${kind} ${levels.join(' → ')}`
}

function outcomes({ propositions, changes }: Observation): (Node | string)[] {
  if (propositions.length === 0) return [chip('ignored', 'ignored'), ' nothing to look at']
  const moves = changes.length > 3 ? count(changes.length, 'change') : changes.map(move).join(', ')
  return [...propositions.flatMap(one => [routeChip(one), ' ']), moves || 'no belief moved']
}
