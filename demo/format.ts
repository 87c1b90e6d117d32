/** How numbers, times and errors are written on the page. */

export const fixed = (value: number, digits = 2) => (Object.is(value, -0) ? 0 : value).toFixed(digits).replace('-', '−')

export const mb = (bytes: number) => `${fixed(bytes / 1e6, 1)} MB`

export const count = (n: number, one: string, many = `${one}s`) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
/** Not to be broken over two lines. */
export const date = (at: number) => day.format(at).replace(/\s/g, '\u00a0')

export function seconds(value: number): string {
  return value < 90 ? count(Math.max(1, Math.round(value)), 'second') : count(Math.round(value / 60), 'minute')
}

export const reason = (error: unknown) => (error instanceof Error ? error.message : String(error)).replace(/^credence: /, '')

export const aborted = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'
