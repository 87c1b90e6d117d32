/** What the parts of the inspector share. A new object whenever any of it changes. */

import { html, LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit'
import type { Memory } from '../memory.ts'
import type { Language } from './language.ts'
import type { Seen } from './watch.ts'

export interface Question {
  question: string
  about: TemplateResult | string
  /** What the button that says yes is called. */
  yes: string
}

export interface Context {
  memory: Memory
  language: Language
  seen: Seen
  /** Tells what was done; with `undo` a button takes it back. */
  say(text: string, undo?: () => Promise<void>): void
  /** Does it, and tells when it fails. */
  attempt(action: () => Promise<void>): Promise<void>
  /** Asks before what cannot be undone. */
  ask(question: Question): Promise<boolean>
  /** Looks at the memory anew, after what it does not tell of. */
  look(): void
}

/** A part with a state of its own. It renders into the inspector's one shadow root, so that styles and labels reach it. */
export abstract class Part extends LitElement {
  static override properties: PropertyDeclarations = { context: { attribute: false } }

  declare context: Context

  protected override createRenderRoot(): HTMLElement {
    return this
  }

  /** Whether what the memory holds may be another than at the last rendering. */
  protected outdated(changed: PropertyValues<this>): boolean {
    const before = changed.get('context')
    const { memory, seen } = this.context
    return changed.has('context') && (before?.memory !== memory || before.seen.revision !== seen.revision)
  }
}

/** What only a screen reader tells. */
export const spoken = (text: string) => html`<span class="spoken">${text}</span>`

/** What a person wrote, in its own direction. */
export const quote = (text: string) => html`<q dir="auto">${text}</q>`
