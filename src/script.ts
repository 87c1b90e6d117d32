/**
 * The classic-script entry: its exports become the global `credence`.
 *
 *     <script src="credence.js" data-assets="/assets/" data-name="alice"></script>
 *
 * `data-assets` is the default of `assets`. With `data-name` the memory of that name opens at once, as `credence.ready`.
 */

import { openAt } from './client/open.ts'
import { besideScript } from './client/place.ts'
import type { Memory, MemoryOptions } from './memory.ts'

export { CredenceError } from './errors.ts'
export { parameterTable } from './parameters.ts'

// Known only while the script first runs.
const { assets, name } = (document.currentScript as HTMLScriptElement).dataset

export function openMemory(options: MemoryOptions = {}): Promise<Memory> {
  return openAt(besideScript, assets === undefined ? options : { assets, ...options })
}

/** Undefined without `data-name`. */
export const ready: Promise<Memory> | undefined = name === undefined ? undefined : openMemory({ name })
