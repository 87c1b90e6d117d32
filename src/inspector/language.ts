/** How the inspector speaks: texts, numbers and times in one language. */

import { english, type Dictionary, type TextKey, type Texts } from './texts.ts'
import { chinese } from './texts.zh.ts'

type Values = Readonly<Record<string, string | number>>

export class Language {
  /** BCP 47 tag of the texts. */
  readonly tag: string
  readonly #texts: Texts
  readonly #day: Intl.DateTimeFormat
  readonly #minute: Intl.DateTimeFormat

  /** `wanted` is the page's language. With a `dictionary` the texts are in it; without, in the built-in language that is nearest. */
  constructor(wanted: string, dictionary: Dictionary = {}) {
    const own = /^zh\b/i.test(wanted) ? chinese : english
    const spoken = own === chinese || /^en\b/i.test(wanted) || Object.keys(dictionary).length > 0
    this.tag = spoken && known(wanted) ? wanted : 'en'
    this.#texts = { ...own, ...dictionary }
    this.#day = new Intl.DateTimeFormat(this.tag, { dateStyle: 'medium' })
    this.#minute = new Intl.DateTimeFormat(this.tag, { dateStyle: 'medium', timeStyle: 'short' })
  }

  text(key: TextKey, values: Values = {}): string {
    return this.#texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
  }

  /** The text of one of several, such as `reason.question`; the bare name where there is none. */
  name(group: string, one: string): string {
    const key = `${group}.${one}`
    return Object.hasOwn(this.#texts, key) ? this.text(key as TextKey) : one
  }

  number(value: number, digits = 0): string {
    const shown = Math.round(value * 10 ** digits) === 0 ? 0 : value
    return shown.toLocaleString(this.tag, { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace('-', '−')
  }

  /** A confidence, a surprisal, a score. */
  fixed(value: number): string {
    return this.number(value, 2)
  }

  milliseconds(value: number): string {
    return `${this.number(value, value < 10 ? 1 : 0)} ms`
  }

  bytes(value: number): string {
    return value < 1e9 ? `${this.number(value / 1e6, 1)} MB` : `${this.number(value / 1e9, 1)} GB`
  }

  date(at: number): string {
    return unbroken(this.#day.format(at))
  }

  time(at: number): string {
    return unbroken(this.#minute.format(at))
  }

  yesNo(value: boolean | null | undefined): string {
    return this.text(value === true ? 'yes' : value === false ? 'no' : 'unknown')
  }
}

/** Not to be broken over two lines. */
const unbroken = (text: string) => text.replace(/\s/g, '\u00a0')

function known(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}
