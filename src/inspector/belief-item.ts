/** One belief: a line that opens to why it is believed and to what the person may do about it. */

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { Belief } from '../memory.ts'
import { Part, quote, spoken } from './context.ts'
import { explanation, type Why } from './explanation.ts'
import { lengths } from './lengths.ts'

export type State = 'fact' | 'hypothesis' | 'past' | 'retracted' | 'expired'

export function stateOf({ retracted, supersededBy, expiresAt, kind }: Belief, now: number): State {
  if (retracted) return 'retracted'
  if (supersededBy !== undefined) return 'past'
  return expiresAt !== undefined && expiresAt < now ? 'expired' : kind
}

export class BeliefItem extends Part {
  static override properties = { ...Part.properties, belief: { attribute: false }, why: { state: true }, editing: { state: true } }

  declare belief: Belief
  declare private why: Why | null
  declare private editing: boolean
  readonly #details = createRef<HTMLDetailsElement>()
  readonly #text = createRef<HTMLTextAreaElement>()
  readonly #editButton = createRef<HTMLButtonElement>()
  #explained = ''

  constructor() {
    super()
    this.why = null
    this.editing = false
  }

  protected override render(): TemplateResult {
    const { language } = this.context
    const state = stateOf(this.belief, Date.now())
    this.dataset['id'] = this.belief.id
    this.dataset['state'] = state
    return html`<details ${ref(this.#details)} @toggle=${this.#explain}>
      <summary class=${this.context.seen.moved.has(this.belief.id) ? 'moved' : ''}>${this.#line(state)}</summary>
      <div class="opened">
        ${this.#buttons(state)} ${this.editing ? this.#editor() : nothing}
        ${this.why ? explanation(this.why, this.#promoteAt, language) : html`<p class="muted">${language.text('loading')}</p>`}
      </div>
    </details>`
  }

  protected override updated(changed: PropertyValues): void {
    void this.#explain()
    if (changed.has('editing') && this.editing) this.#text.value?.focus()
    if (changed.get('editing') === true && !this.editing) this.#editButton.value?.focus()
  }

  get #promoteAt(): number {
    return this.context.seen.status?.parameters.promoteAt ?? 0.8
  }

  #line(state: State): TemplateResult {
    const { language, seen } = this.context
    const { text, confidence, pinned, origin, instruction, fades, topic, speaker, createdAt } = this.belief
    const moved = seen.moved.get(this.belief.id)
    const about = [
      origin === 'latent' && language.text('inferred'),
      instruction && language.text('instruction'),
      fades && language.text('fades'),
      topic,
      speaker,
      language.text('since', { date: language.date(createdAt) }),
    ].filter(Boolean)
    return html`<span class="words" dir="auto">${text}</span>
      <span class="confidence">
        <span class="bar" aria-hidden="true"><span ${lengths({ '--w': `${100 * confidence}%` })}></span></span>
        ${spoken(language.text('confidence', { value: '' }))}<span class="value">${language.fixed(confidence)}</span>
      </span>
      <span class="about">
        <span class="chip ${state}">${language.text(state)}</span>
        ${pinned ? html`<span class="chip maintain">${language.text('pinned')}</span>` : nothing}
        <span class="muted">${about.join(', ')}</span>
        ${
          moved && moved.before !== null && moved.after !== null && moved.before !== moved.after
            ? html`<span class="chip">${language.fixed(moved.before)} → ${language.fixed(moved.after)}</span>`
            : nothing
        }
      </span>`
  }

  #buttons(state: State): TemplateResult {
    const { language } = this.context
    const { pinned } = this.belief
    const holds = state === 'fact' || state === 'hypothesis'
    const button = (key: 'edit' | 'pin' | 'unpin' | 'retract' | 'restore', action: () => void) =>
      html`<button type="button" data-do=${key} @click=${action}>${language.text(key)}</button>`
    return html`<div class="buttons">
      ${
        holds
          ? html`<button type="button" data-do="edit" ${ref(this.#editButton)} @click=${this.#edit}>${language.text('edit')}</button>
              ${button(pinned ? 'unpin' : 'pin', this.#togglePin)} ${button('retract', this.#retract)}`
          : nothing
      }
      ${state === 'retracted' ? button('restore', this.#restore) : nothing}
      <button type="button" data-do="forget" class="danger" @click=${this.#forget}>${language.text('forget')}</button>
    </div>`
  }

  #editor(): TemplateResult {
    const { language } = this.context
    return html`<form class="field" @submit=${this.#save} @keydown=${this.#onKey}>
      <label
        >${language.text('wording')} <textarea rows="2" dir="auto" required .value=${this.belief.text} ${ref(this.#text)}></textarea>
      </label>
      <div class="buttons">
        <button type="submit" class="primary">${language.text('save')}</button>
        <button type="button" @click=${this.#closeEditor}>${language.text('cancel')}</button>
      </div>
    </form>`
  }

  /** Only when it is open, and only when it moved. */
  readonly #explain = async (): Promise<void> => {
    const { memory, attempt } = this.context
    const now = JSON.stringify(this.belief)
    if (!this.#details.value?.open || this.#explained === now) return
    this.#explained = now
    const { id } = this.belief
    await attempt(async () => {
      const [why, chain] = await Promise.all([memory.explain(id), memory.history(id)])
      const turns = [...new Set(why.evidence.map(({ turn }) => turn))]
      const texts = await Promise.all(turns.map(async turn => [turn, (await memory.turn(turn)).text] as const))
      if (this.belief.id === id) this.why = { ...why, texts: new Map(texts), chain }
    })
  }

  readonly #edit = () => void (this.editing = true)
  readonly #closeEditor = () => void (this.editing = false)
  readonly #onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    event.preventDefault()
    this.#closeEditor()
  }

  readonly #save = (event: Event) => {
    event.preventDefault()
    const { memory, say, attempt, language } = this.context
    const { id, text: before } = this.belief
    const text = this.#text.value!.value
    if (text.trim() === '' || text === before) return this.#closeEditor()
    void attempt(async () => {
      await memory.edit(id, text)
      this.#closeEditor()
      say(language.text('edited'), async () => void (await memory.edit(id, before)))
    })
  }

  readonly #togglePin = () => {
    const { memory, say, attempt, language } = this.context
    const { id, pinned: before } = this.belief
    void attempt(async () => {
      const { pinned } = await memory.pin(id, !before)
      say(language.text(pinned ? 'pinnedNow' : 'unpinnedNow'), async () => void (await memory.pin(id, before)))
    })
  }

  readonly #retract = () => {
    const { memory, say, attempt, language } = this.context
    const { id } = this.belief
    void attempt(async () => {
      await memory.retract(id)
      say(language.text('retractedNow'))
    })
  }

  /** Saying its words anew by hand is what makes a withdrawn belief hold again. */
  readonly #restore = () => {
    const { memory, say, attempt, language } = this.context
    const { id, text } = this.belief
    void attempt(async () => {
      await memory.edit(id, text)
      say(language.text('restoredNow'))
    })
  }

  readonly #forget = () => {
    const { memory, attempt } = this.context
    const { id } = this.belief
    void attempt(async () => {
      const { evidence } = await memory.explain(id)
      const words = [...new Set(evidence.filter(({ stance }) => stance === 'supports').map(one => one.quote))]
      if (!(await this.context.ask({ question: this.#t('forgetQuestion'), about: this.#goes(words), yes: this.#t('forget') }))) return
      const { beliefs, turns } = await memory.forget(id)
      this.context.say(this.context.language.text('forgotten', { beliefs: beliefs.length, turns: turns.length }))
    })
  }

  #goes(words: readonly string[]): TemplateResult {
    return html`<p>${quote(this.belief.text)}</p>
      <p>${this.#t(words.length > 0 ? 'forgetGoes' : 'forgetNothing')}</p>
      ${
        words.length > 0
          ? html`<ul class="plain goes">
                ${words.map(text => html`<li>${quote(text)}</li>`)}
              </ul>
              <p>${this.#t('forgetShared')}</p>`
          : nothing
      }`
  }

  #t(key: 'forgetQuestion' | 'forgetGoes' | 'forgetNothing' | 'forgetShared' | 'forget'): string {
    return this.context.language.text(key)
  }
}
