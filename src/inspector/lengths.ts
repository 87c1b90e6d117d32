/**
 * Sets custom properties of an element. Lit's own `styleMap` writes a style attribute at first, which a strict Content-Security-Policy refuses.
 */

import { noChange, type ElementPart } from 'lit'
import { Directive, directive } from 'lit/directive.js'

class Lengths extends Directive {
  override render(_values: Readonly<Record<`--${string}`, string>>): unknown {
    return noChange
  }

  override update({ element }: ElementPart, [values]: Parameters<this['render']>): unknown {
    for (const [name, value] of Object.entries(values)) (element as HTMLElement).style.setProperty(name, value)
    return noChange
  }
}

export const lengths = directive(Lengths)
