/** One belief: a line that opens to why it is believed and to what the person may do about it. */

import type { Belief, BeliefChange, Memory } from 'credence'
import { confirm } from './confirm.ts'
import { arrange, chip, el, hiddenText, withLength } from './dom.ts'
import { explanation } from './explanation.ts'
import { date, fixed } from './format.ts'
import { attempt, say, sayError } from './notice.ts'

export class BeliefRow {
  readonly element: HTMLLIElement
  readonly #memory: Memory
  readonly #id: string
  readonly #details = el('details', { class: 'belief' })
  readonly #summary = el('summary')
  readonly #edit = el('button', { type: 'button', click: () => this.#openEditor() }, 'Edit')
  readonly #pin: HTMLButtonElement
  readonly #retract: HTMLButtonElement
  readonly #form: HTMLFormElement
  readonly #text = el('textarea', { rows: 2 })
  readonly #why = el('div')
  readonly #replaced = el('details', { class: 'replaced', open: true }, el('summary', {}, 'What it replaced'))
  readonly #replacedList = el('ul', { class: 'plain' })
  #belief!: Belief

  constructor(memory: Memory, id: string) {
    this.#memory = memory
    this.#id = id
    this.#pin = el('button', { type: 'button', click: attempt('Not pinned', () => this.#togglePin()) })
    this.#retract = el('button', { type: 'button', click: attempt('Not retracted', () => this.#takeBack()) }, 'Retract')
    const forget = el('button', { type: 'button', class: 'danger', click: attempt('Not forgotten', () => this.#forget()) }, 'Forget')
    this.#form = el(
      'form',
      { class: 'field', hidden: true },
      el('label', {}, 'New wording', this.#text),
      el(
        'div',
        { class: 'buttons' },
        el('button', { type: 'submit', class: 'primary' }, 'Save'),
        el('button', { type: 'button', click: () => this.#closeEditor() }, 'Cancel'),
      ),
    )
    this.#form.addEventListener('submit', event => {
      event.preventDefault()
      attempt('Not saved', () => this.#save())()
    })
    this.#form.addEventListener('keydown', event => event.key === 'Escape' && this.#closeEditor())
    this.#details.append(
      this.#summary,
      el('div', { class: 'buttons' }, this.#edit, this.#pin, this.#retract, forget),
      this.#form,
      this.#why,
    )
    this.#details.addEventListener('toggle', () => void this.#explain())
    this.#replaced.append(this.#replacedList)
    this.element = el('li', {}, this.#details)
  }

  update(belief: Belief, replaced: readonly HTMLElement[], moved: BeliefChange | undefined): void {
    const { text, kind, origin, confidence, topic, createdAt, pinned, speaker } = belief
    const past = belief.supersededBy !== undefined || belief.retracted === true
    const state = belief.retracted ? 'retracted' : past ? 'past' : kind
    this.#belief = belief
    this.element.dataset['id'] = belief.id
    this.element.dataset['state'] = state
    this.#details.classList.toggle('past', past)
    this.#details.classList.toggle('moved', moved !== undefined)
    this.#summary.replaceChildren(
      el('span', { class: 'words' }, text),
      el(
        'span',
        { class: 'confidence' },
        withLength(el('span', { class: 'bar', 'aria-hidden': 'true' }, el('span')), 'w', confidence),
        hiddenText('confidence '),
        el('span', { class: 'value' }, fixed(confidence)),
      ),
      el(
        'span',
        { class: 'about' },
        chip(state, state),
        ...(pinned ? [chip('pinned', 'maintain')] : []),
        el(
          'span',
          { class: 'muted' },
          [origin === 'latent' && 'inferred', topic, speaker, `since ${date(createdAt)}`].filter(Boolean).join(', '),
        ),
        ...(moved?.before != null && moved.after != null ? [chip(`${fixed(moved.before)} → ${fixed(moved.after)}`, 'ignored')] : []),
      ),
    )
    this.#pin.textContent = pinned ? 'Unpin' : 'Pin'
    for (const button of [this.#edit, this.#pin, this.#retract]) button.hidden = past
    arrange(this.#replacedList, replaced)
    if (replaced.length > 0) this.element.append(this.#replaced)
    else this.#replaced.remove()
    void this.#explain()
  }

  async #explain(): Promise<void> {
    if (!this.#details.open) return
    try {
      this.#why.replaceChildren(explanation(await this.#memory.explain(this.#id)))
    } catch (error) {
      sayError('The belief could not be explained', error)
    }
  }

  #openEditor(): void {
    this.#form.hidden = false
    this.#text.value = this.#belief.text
    this.#text.focus()
  }

  #closeEditor(): void {
    this.#form.hidden = true
    this.#edit.focus()
  }

  async #save(): Promise<void> {
    await this.#memory.edit(this.#id, this.#text.value)
    this.#closeEditor()
    say('Saved. The old wording stays in its history.')
  }

  async #togglePin(): Promise<void> {
    const { pinned } = await this.#memory.pin(this.#id, !this.#belief.pinned)
    say(pinned ? 'Pinned: it keeps its confidence.' : 'Unpinned.')
  }

  async #takeBack(): Promise<void> {
    await this.#memory.retract(this.#id)
    say('Retracted: kept as history, never recalled.')
  }

  async #forget(): Promise<void> {
    const consequence = `“${this.#belief.text}” is erased with its evidence and the text of the messages it rests on.`
    if (!(await confirm('Forget this for good?', consequence, 'Forget'))) return
    const { beliefs, turns } = await this.#memory.forget(this.#id)
    say(`Forgotten: ${beliefs.length} beliefs, ${turns.length} messages.`)
  }
}
