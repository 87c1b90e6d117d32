/** The language of the page at an element: that of the nearest `lang` attribute, through shadow roots, else the browser's. */
export function pageLanguage(element: Element): string {
  for (let at: Element | null = element; at;) {
    const named: Element | null = at.closest('[lang]')
    const lang = named?.getAttribute('lang')
    if (lang) return lang
    const root: Node = at.getRootNode()
    at = root instanceof ShadowRoot ? root.host : null
  }
  return navigator.language
}
