/** Builds elements. Text goes in as text nodes only: what a person wrote is never parsed as HTML. */

export type Child = Node | string | number | null | undefined | false

type Attributes = Record<string, string | number | boolean | undefined | ((event: Event) => void)>

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value))
  }
  element.append(...nodes(children))
  return element
}

export const nodes = (children: Child[]): (Node | string)[] =>
  children
    .filter(child => child !== null && child !== undefined && child !== false)
    .map(child => (child instanceof Node ? child : String(child)))

/** An element of index.html. */
export function byId<E extends HTMLElement>(id: string, type: new () => E): E {
  const element = document.getElementById(id)
  if (!(element instanceof type)) throw new Error(`index.html has no ${type.name} "${id}"`)
  return element
}

export const chip = (text: string, kind = '') => el('span', { class: `chip ${kind}` }, text)
