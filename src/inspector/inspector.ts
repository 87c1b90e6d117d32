/** `<credence-inspector>`: the frame of tabs, notices and questions around the parts. */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { Memory } from '../memory.ts'
import type { CredenceInspector, View } from './api.ts'
import type { Context, Question } from './context.ts'
import { Language } from './language.ts'
import { pageLanguage } from './page-language.ts'
import { recallView } from './recall-view.ts'
import { statusView } from './status-view.ts'
import { styles } from './styles.ts'
import type { Dictionary } from './texts.ts'
import { turnView } from './turn-view.ts'
import { nothingSeen, Watch } from './watch.ts'

const allViews: readonly View[] = ['beliefs', 'live', 'time', 'data']

interface Notice {
  text: string
  bad?: true
  undo?: (() => Promise<void>) | undefined
}

export class Inspector extends LitElement implements CredenceInspector {
  static override styles = styles
  static override properties = {
    memory: { attribute: false },
    views: {},
    dictionary: { attribute: false },
    idle: { attribute: false },
    current: { state: true },
    notice: { state: true },
    question: { state: true },
    seen: { state: true },
  }

  declare memory: Memory | null
  declare views: string
  declare dictionary: Dictionary | null
  /** While it cannot be seen it only remembers what it is told. Set by the dialog that it may stand in. */
  declare idle: boolean
  declare private current: View | null
  declare private notice: Notice | null
  declare private question: Question | null
  declare private seen: Watch['seen']
  readonly #dialog = createRef<HTMLDialogElement>()
  #watch: Watch | null = null
  #language = new Language('en')
  #answer: (yes: boolean) => void = () => {}

  constructor() {
    super()
    this.memory = null
    this.views = allViews.join(' ')
    this.dictionary = null
    this.idle = false
    this.current = null
    this.notice = null
    this.question = null
    this.seen = nothingSeen
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#language = new Language(pageLanguage(this), this.dictionary ?? {})
    this.#follow()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#unfollow()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('dictionary')) this.#language = new Language(pageLanguage(this), this.dictionary ?? {})
    if (changed.has('memory') && this.isConnected) this.#follow()
    if (changed.has('idle') && this.#watch) this.#watch.idle = this.idle
    if (this.idle && this.question) {
      this.question = null
      this.#answer(false)
    }
  }

  protected override updated(changed: PropertyValues): void {
    const dialog = this.#dialog.value
    if (changed.has('question') && this.question && dialog && !dialog.open) {
      dialog.returnValue = ''
      dialog.showModal()
    }
  }

  protected override render(): TemplateResult {
    const language = this.#language
    const { memory } = this
    if (this.idle) return html``
    return html`<div class="frame" lang=${language.tag}>
      ${memory ? this.#parts(this.#context(memory)) : html`<p class="muted">${language.text('noMemory')}</p>`} ${this.#noticeLine()}
      ${this.#questionDialog()}
    </div>`
  }

  #follow(): void {
    this.#unfollow()
    this.seen = nothingSeen
    this.notice = null
    if (!this.memory) return
    const watch = new Watch(
      this.memory,
      () => (this.seen = watch.seen),
      error => this.#fail(error),
    )
    this.#watch = watch
    watch.idle = this.idle
  }

  #unfollow(): void {
    this.#watch?.stop()
    this.#watch = null
  }

  #context(memory: Memory): Context {
    return {
      memory,
      language: this.#language,
      seen: this.seen,
      say: (text, undo) => (this.notice = { text, undo }),
      attempt: action => action().catch(error => this.#fail(error)),
      ask: question => this.#ask(question),
      look: () => this.#watch?.again(),
    }
  }

  #parts(context: Context): TemplateResult {
    const { language } = context
    const wanted = this.views.split(/\s+/).filter((name): name is View => (allViews as readonly string[]).includes(name))
    const views = wanted.length > 0 ? wanted : allViews
    const current = views.find(view => view === this.current) ?? views[0]!
    if (views.length === 1) return html`<div class="part" data-view=${current}>${this.#part(current, context)}</div>`
    return html`<div
        class="tabs"
        role="tablist"
        aria-label=${language.text('views')}
        @keydown=${(event: KeyboardEvent) => this.#onTabKey(event, views)}
      >
        ${views.map(
          view =>
            html`<button
              type="button"
              role="tab"
              id="tab-${view}"
              data-view=${view}
              aria-controls="part"
              aria-selected=${view === current}
              tabindex=${view === current ? 0 : -1}
              @click=${() => (this.current = view)}
            >
              ${language.text(`view.${view}`)}
            </button>`,
        )}
      </div>
      <div class="part" role="tabpanel" id="part" data-view=${current} aria-labelledby="tab-${current}">
        ${this.#part(current, context)}
      </div>`
  }

  #part(view: View, context: Context): TemplateResult {
    const { language, seen } = context
    switch (view) {
      case 'beliefs':
        return html`<credence-inspector-beliefs .context=${context}></credence-inspector-beliefs>`
      case 'live':
        return html`<section data-part="recall">
            <h3>${language.text('lastRecall')}</h3>
            ${recallView(seen.recall, language)}
          </section>
          <section data-part="turn">
            <h3>${language.text('lastTurn')}</h3>
            ${turnView(seen.turn, context)}
          </section>`
      case 'time':
        return html`<credence-inspector-time .context=${context}></credence-inspector-time>`
      case 'data':
        return html`<credence-inspector-data .context=${context}></credence-inspector-data>
          <section data-part="status">
            <h3>${language.text('status')}</h3>
            ${seen.status ? statusView(seen.status, language) : html`<p class="muted">${language.text('loading')}</p>`}
          </section>`
    }
  }

  /** Arrow keys go along the tabs, in the direction of the writing. */
  #onTabKey(event: KeyboardEvent, views: readonly View[]): void {
    const tab = (event.target as Element).closest<HTMLElement>('[role=tab]')
    if (!tab) return
    const at = views.indexOf(tab.dataset['view'] as View)
    const on = getComputedStyle(this).direction === 'rtl' ? -1 : 1
    const steps: Record<string, number> = { ArrowRight: at + on, ArrowLeft: at - on, Home: 0, End: views.length - 1 }
    const to = steps[event.key]
    if (to === undefined) return
    event.preventDefault()
    this.current = views[(to + views.length) % views.length]!
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus())
  }

  /** The live regions are always there, so that what comes into them is read out. */
  #noticeLine(): TemplateResult {
    const { notice } = this
    return html`<div class="notice ${notice?.bad ? 'bad' : ''}" ?data-empty=${!notice}>
      <span role="status">${notice && !notice.bad ? notice.text : ''}</span>
      <span role="alert">${notice?.bad ? notice.text : ''}</span>
      ${
        notice?.undo
          ? html`<button type="button" class="small" data-do="undo" @click=${() => this.#undo(notice.undo!)}>
              ${this.#language.text('undo')}
            </button>`
          : nothing
      }
    </div>`
  }

  #undo(undo: () => Promise<void>): void {
    this.notice = { text: this.#language.text('undone') }
    undo().catch(error => this.#fail(error))
  }

  #fail(error: unknown): void {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/^credence: /, '')
    this.notice = { text: this.#language.text('failed', { reason }), bad: true }
  }

  async #ask(question: Question): Promise<boolean> {
    const dialog = this.#dialog.value
    // The event of closing comes later than the closing itself: a question asked in between must not take it for its own answer.
    if (this.question && dialog?.isConnected && !dialog.open) {
      await new Promise(resolve => dialog.addEventListener('close', resolve, { once: true }))
    }
    this.#answer(false)
    this.question = question
    return new Promise(resolve => (this.#answer = resolve))
  }

  #questionDialog(): TemplateResult {
    const { question } = this
    const answered = () => {
      this.question = null
      this.#answer(this.#dialog.value?.returnValue === 'yes')
    }
    return html`<dialog ${ref(this.#dialog)} aria-labelledby="question" aria-describedby="about" @close=${answered}>
      <form method="dialog">
        <h3 id="question">${question?.question}</h3>
        <div id="about">${question?.about}</div>
        <div class="buttons">
          <button value="no" autofocus>${this.#language.text('keep')}</button>
          <button value="yes" class="danger">${question?.yes}</button>
        </div>
      </form>
    </dialog>`
  }
}
