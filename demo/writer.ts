/** The answer in words, which the small language model of this tab writes from what was recalled: on request, as it takes seconds of both cores. */

import { CredenceError, type Memory, type Recall } from 'credence'
import { el } from './dom.ts'
import { aborted, fixed, reason } from './format.ts'

export interface Writer {
  /** A button that has the answer written in its place; whatever is being written is given up. */
  offer(query: string, recall: Recall): HTMLElement
  stop(): void
}

export function writer(memory: Memory): Writer {
  let running = new AbortController()

  function offer(query: string, recall: Recall): HTMLElement {
    running.abort()
    const ask = el('button', { type: 'button' }, 'Let the small model answer')
    const place = el('p', { class: 'written' }, ask)
    ask.addEventListener('click', () => {
      running.abort()
      running = new AbortController()
      place.replaceChildren(el('span', { class: 'muted' }, 'The small model is writing…'))
      void fill(place, query, recall, running.signal)
    })
    return place
  }

  async function fill(place: HTMLElement, query: string, recall: Recall, signal: AbortSignal): Promise<void> {
    const began = performance.now()
    try {
      const { text } = await memory.answer(query, { recall, signal })
      const took = `the small model, after ${fixed((performance.now() - began) / 1000, 1)} s`
      place.replaceChildren(text || 'It has nothing to say.', ' ', el('span', { class: 'muted' }, took))
    } catch (error) {
      if (aborted(error)) return place.remove()
      const missing = error instanceof CredenceError && error.code === 'ModelMissing'
      const why = missing
        ? 'The small model is not loaded, or not yet: there is only the memory itself.'
        : `The small model failed: ${reason(error)}`
      place.replaceChildren(el('span', { class: 'muted' }, why))
    }
  }

  return { offer, stop: () => running.abort() }
}
