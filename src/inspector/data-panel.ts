/** Takes the memory away as a file, brings such a file in, or erases all. */

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { ImportMode, PortableMemory } from '../memory.ts'
import { Part } from './context.ts'

const modes: readonly ImportMode[] = ['skip', 'overwrite', 'append']

export class DataPanel extends Part {
  static override properties = { ...Part.properties, chosen: { state: true }, refused: { state: true } }

  /** Whether a file was chosen. */
  declare private chosen: boolean
  /** Whether the browser refused to keep the memory. */
  declare private refused: boolean
  readonly #file = createRef<HTMLInputElement>()
  readonly #mode = createRef<HTMLSelectElement>()

  constructor() {
    super()
    this.chosen = false
    this.refused = false
  }

  protected override render(): TemplateResult {
    const { language, seen } = this.context
    const readOnly = seen.status?.readOnly != null
    return html`${seen.status?.storage.persisted === false ? this.#reminder() : nothing}
      <fieldset>
        <legend>${language.text('takeAway')}</legend>
        <div class="buttons">
          <button type="button" data-do="export-json" @click=${this.#exportJson}>${language.text('exportJson')}</button>
          <button type="button" data-do="export-markdown" @click=${this.#exportMarkdown}>${language.text('exportMarkdown')}</button>
        </div>
      </fieldset>
      <fieldset ?disabled=${readOnly}>
        <legend>${language.text('bringBack')}</legend>
        <label>${language.text('file')} <input type="file" accept=".json" ${ref(this.#file)} @change=${this.#choose} /></label>
        <label>
          ${language.text('inBoth')}
          <select ${ref(this.#mode)}>
            ${modes.map(mode => html`<option value=${mode}>${language.text(`mode.${mode}`)}</option>`)}
          </select>
        </label>
        <div class="buttons">
          <button type="button" data-do="import" ?disabled=${!this.chosen} @click=${this.#import}>${language.text('import')}</button>
        </div>
      </fieldset>
      <fieldset ?disabled=${readOnly}>
        <legend>${language.text('erase')}</legend>
        <p class="muted">${language.text('eraseAbout')}</p>
        <div class="buttons">
          <button type="button" class="danger" data-do="erase" @click=${this.#erase}>${language.text('eraseAll')}</button>
        </div>
      </fieldset>`
  }

  /** What the browser may evict should be taken away from time to time. */
  #reminder(): TemplateResult {
    const { language } = this.context
    return html`<div class="reminder">
      <p>${language.text(this.refused ? 'persistRefused' : 'notPersisted')}</p>
      ${
        this.refused
          ? nothing
          : html`<div class="buttons">
              <button type="button" data-do="persist" @click=${this.#persist}>${language.text('askPersist')}</button>
            </div>`
      }
    </div>`
  }

  readonly #persist = () => {
    void this.context.attempt(async () => {
      this.refused = !(await navigator.storage.persist())
      if (!this.refused) this.context.look()
    })
  }

  readonly #exportJson = () => {
    const { memory, attempt } = this.context
    void attempt(async () => this.#download('json', 'application/json', JSON.stringify(await memory.export())))
  }

  readonly #exportMarkdown = () => {
    const { memory, attempt } = this.context
    void attempt(async () => this.#download('md', 'text/markdown', await memory.toMarkdown()))
  }

  readonly #choose = () => void (this.chosen = Boolean(this.#file.value?.files?.length))

  readonly #import = () => {
    const { memory, attempt, say, language } = this.context
    const file = this.#file.value?.files?.[0]
    if (!file) return
    void attempt(async () => {
      say(language.text('loading'))
      const data = parse(await file.text(), language.text('notJson'))
      const summary = await memory.import(data, this.#mode.value!.value as ImportMode)
      say(language.text('imported', { ...summary }))
    })
  }

  readonly #erase = () => {
    const { memory, attempt, ask, say, language } = this.context
    void attempt(async () => {
      const about = language.text('eraseConsequence')
      if (!(await ask({ question: language.text('eraseQuestion'), about, yes: language.text('eraseAll') }))) return
      await memory.forgetAll()
      say(language.text('erased'))
    })
  }

  #download(ending: string, type: string, content: string): void {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([content], { type }))
    link.download = `credence-${new Date().toISOString().slice(0, 10)}.${ending}`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  }
}

function parse(text: string, otherwise: string): PortableMemory {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(otherwise, { cause })
  }
}
