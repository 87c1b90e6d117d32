/** What the elements offer to a page. */

import type { Memory } from '../memory.ts'
import type { Dictionary } from './texts.ts'

export type { Dictionary }

/** The parts of the inspector: what is believed, what became of the last message, N_eff and routes over time, and data with status. */
export type View = 'beliefs' | 'live' | 'time' | 'data'

/**
 * `<credence-inspector>`: shows a memory to the person it is about. Nothing is shown until `memory` is set. It speaks the language of the nearest
 * `lang` attribute, English and Chinese by itself.
 */
export interface CredenceInspector extends HTMLElement {
  /** The memory to look into. Default null. */
  memory: Memory | null
  /** Attribute `views`: the parts to show, by name, in their order, separated by spaces. Default: `'beliefs live time data'`. */
  views: string
  /** Texts that replace the built-in ones, for another language or other words. Default none. */
  dictionary: Dictionary | null
}

/** `<credence-inspector-button>`: a button in the corner of the page that opens the inspector in a dialog. */
export interface CredenceInspectorButton extends HTMLElement {
  memory: Memory | null
  dictionary: Dictionary | null
}

declare global {
  interface HTMLElementTagNameMap {
    'credence-inspector': CredenceInspector
    'credence-inspector-button': CredenceInspectorButton
  }
}
