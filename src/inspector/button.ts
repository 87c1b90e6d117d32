/** `<credence-inspector-button>`: a button in the corner of the page that opens the inspector in a dialog. */

import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { Memory } from '../memory.ts'
import type { CredenceInspectorButton } from './api.ts'
import { buttonStyles } from './button-styles.ts'
import { Language } from './language.ts'
import { pageLanguage } from './page-language.ts'
import type { Dictionary } from './texts.ts'

export class InspectorButton extends LitElement implements CredenceInspectorButton {
  static override styles = buttonStyles
  static override properties = { memory: { attribute: false }, dictionary: { attribute: false }, open: { state: true } }

  declare memory: Memory | null
  declare dictionary: Dictionary | null
  declare private open: boolean
  readonly #dialog = createRef<HTMLDialogElement>()

  constructor() {
    super()
    this.memory = null
    this.dictionary = null
    this.open = false
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('open') && this.open) this.#dialog.value?.showModal()
  }

  protected override render(): TemplateResult {
    const language = new Language(pageLanguage(this), this.dictionary ?? {})
    return html`<button
        type="button"
        class="opener"
        lang=${language.tag}
        aria-haspopup="dialog"
        aria-label=${language.text('open')}
        title=${language.text('open')}
        @click=${() => (this.open = true)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6 4h9l3 3v13H6zM9 11h6M9 14.5h6M9 7.5h3" />
        </svg>
      </button>
      <dialog ${ref(this.#dialog)} lang=${language.tag} aria-labelledby="title" @close=${() => (this.open = false)}>
        <header>
          <h2 id="title">${language.text('title')}</h2>
          <button type="button" class="closer" @click=${() => this.#dialog.value?.close()}>${language.text('close')}</button>
        </header>
        <credence-inspector .memory=${this.memory} .dictionary=${this.dictionary} .idle=${!this.open}></credence-inspector>
      </dialog>`
  }
}
