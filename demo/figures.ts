/** The figures that the README gives, out of the README itself, so that they cannot differ. */

import readme from '../README.md?raw'
import { byId, el } from './dom.ts'

export interface Figures {
  /** What stands above the table. */
  about: string
  head: string[]
  rows: string[][]
}

/** The tables under "## Measured", each with the paragraph before it. */
export function figures(markdown: string): Figures[] {
  const section = /^## Measured$([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(markdown)?.[1] ?? ''
  return [...section.matchAll(/^([^|\n].*)\n+((?:\|.*\n)+)/gm)].map(([, about = '', table = '']) => {
    const [head = [], , ...rows] = table.trim().split('\n').map(cells)
    return { about: plain(about), head, rows }
  })
}

const cells = (line: string) =>
  line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map(plain)

/** Without what only Markdown needs. */
const plain = (text: string) =>
  text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .trim()

export function showFigures(): void {
  byId('figures-view', HTMLDivElement).replaceChildren(
    ...figures(readme).flatMap(({ about, head, rows }) => [
      el('p', { class: 'muted' }, about),
      el(
        'div',
        { class: 'wide', tabindex: 0, role: 'region', 'aria-label': about },
        el(
          'table',
          {},
          el('thead', {}, el('tr', {}, ...head.map(name => el('th', { scope: 'col' }, name)))),
          el('tbody', {}, ...rows.map(row => el('tr', {}, ...row.map(value => el('td', {}, value))))),
        ),
      ),
    ]),
  )
}
