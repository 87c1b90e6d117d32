/** A fresh random id. `crypto.randomUUID` is missing where the context is not secure. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}
