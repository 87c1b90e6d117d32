/** Where the library's own files lie, seen from the script that runs. */

import { CredenceError } from '../errors.ts'

export interface Place {
  /** Base URL of the models and runtime files when the host names none. */
  assets(): URL
  startWorker(): Worker
}

/** Beside the script. */
export const besideScript: Place = {
  // Not in the form that bundlers know, or they would look for a file of this name.
  assets: () => new URL('./assets/', String(import.meta.url)),
  startWorker() {
    // Some bundlers put an object with a path alone in the place of such a URL: read again, it has an origin.
    const script = new URL(String(new URL('../worker/entry.ts', import.meta.url)), location.href)
    if (script.origin !== location.origin) return attempt(() => startForeign(script))
    // Bundlers know a worker by this very form, so the URL is written out again.
    return attempt(() => new Worker(new URL('../worker/entry.ts', import.meta.url), { type: 'module', name: 'credence' }))
  },
}

/** A page may not start a worker of another origin, but may start one of its own that imports it. */
export function startForeign(script: URL): Worker {
  const url = URL.createObjectURL(new Blob([`import ${JSON.stringify(script.href)}`], { type: 'text/javascript' }))
  // Not every browser has read the blob when the constructor returns.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return new Worker(url, { type: 'module', name: 'credence' })
}

function attempt(start: () => Worker): Worker {
  try {
    return start()
  } catch (cause) {
    const message = 'the page may not start the worker; allow its script in the Content-Security-Policy (worker-src)'
    throw new CredenceError('WorkerFailed', message, { cause })
  }
}
