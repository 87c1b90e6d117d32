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

/** A length that style.css shows; an inline style attribute would be refused by the page's security policy. */
export function withLength<E extends HTMLElement>(element: E, name: string, value: number): E {
  element.style.setProperty(`--${name}`, String(Math.min(1, Math.max(0, value))))
  return element
}

/** Makes `parent` hold exactly `children` in this order; leaves alone what is right, and keeps the focus where it was. */
export function arrange(parent: HTMLElement, children: readonly HTMLElement[]): void {
  const focused = document.activeElement
  const wanted = new Set<Element>(children)
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove()
  children.forEach((child, i) => {
    if (parent.children[i] !== child) parent.insertBefore(child, parent.children[i] ?? null)
  })
  if (focused instanceof HTMLElement && focused !== document.activeElement && focused.isConnected) focused.focus()
}

export const chip = (text: string, kind = '') => el('span', { class: `chip ${kind}` }, text)

export const hiddenText = (text: string) => el('span', { class: 'hidden-text' }, text)
