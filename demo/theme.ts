/** Light or dark: the system's choice until the person makes one. */

import { byId } from './dom.ts'

const key = 'credence-demo-theme'

export function themeButton(): void {
  const button = byId('theme', HTMLButtonElement)
  const system = matchMedia('(prefers-color-scheme: dark)')
  const chosen = () => localStorage.getItem(key)
  const show = () => {
    const dark = (chosen() ?? (system.matches ? 'dark' : 'light')) === 'dark'
    document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
    button.textContent = dark ? 'Light theme' : 'Dark theme'
  }
  button.addEventListener('click', () => {
    localStorage.setItem(key, document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark')
    show()
  })
  system.addEventListener('change', show)
  show()
}
