/**
 * A mark outside the database for each memory that this browser has had: browsers that throw a database away for want of room seldom throw away
 * this with it. Where nothing can be kept, nothing is known.
 */

const item = (name: string) => `credence/known/${name}`

export function isKnown(name: string): boolean {
  try {
    return localStorage.getItem(item(name)) !== null
  } catch {
    return false
  }
}

export function markKnown(name: string): void {
  try {
    if (!isKnown(name)) localStorage.setItem(item(name), '')
  } catch {}
}
