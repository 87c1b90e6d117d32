/**
 * Counts loads of models that never came to an end, as when they take the tab down with them: without that, a page that is reloaded by the browser
 * would load them again, and again.
 *
 * Kept in `localStorage`, which can be written while the page goes away: a load that the page ended itself does not count.
 */

const item = 'credence/unfinished-loads'
const most = 2
const hours = 24

interface Count {
  models: string
  count: number
  /** Milliseconds since 1970: the last one. */
  at: number
}

/** Why these models should not be loaded now, or undefined. */
export function refusal(models: string, now = Date.now()): string | undefined {
  const { count, at } = read(models)
  const left = at + hours * 3_600_000 - now
  if (count < most || left <= 0 || left > hours * 3_600_000) return undefined
  const next = new Date(at + hours * 3_600_000).toISOString()
  return (
    `the last ${count} times the tab or its worker ended while these models were loaded, so they are left out until ${next}; ` +
    'to try at once, open the memory with fewer of them, such as models: { lm: false }, or with another device'
  )
}

export function began(models: string): void {
  write({ models, count: read(models).count + 1, at: Date.now() })
}

/** The load came to an end, well or with an error that was caught. */
export function finished(models: string): void {
  if (read(models).count > 0) write(null)
}

/** The load was given up, as by closing the page. */
export function givenUp(models: string): void {
  const { count, at } = read(models)
  write(count > 1 ? { models, count: count - 1, at } : null)
}

function read(models: string): Count {
  const none = { models, count: 0, at: 0 }
  try {
    const found = JSON.parse(localStorage.getItem(item) ?? 'null') as Partial<Count> | null
    return found?.models === models && Number.isSafeInteger(found.count) && Number.isFinite(found.at) ? (found as Count) : none
  } catch {
    return none
  }
}

/** Where nothing can be kept, nothing is counted. */
function write(count: Count | null): void {
  try {
    if (count) localStorage.setItem(item, JSON.stringify(count))
    else localStorage.removeItem(item)
  } catch {}
}
