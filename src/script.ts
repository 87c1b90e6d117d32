/**
 * The classic-script entry: its exports become the global `credence`.
 *
 *     <script src="credence.js" data-assets="/assets/" data-name="alice" data-inspector></script>
 *
 * `data-assets` is the default of `assets`. With `data-name` the memory of that name opens at once, as `credence.ready`. With `data-inspector` a
 * button in the corner of the page opens the inspector; without a name it is that of the memory `default`.
 */

import { openAt } from './client/open.ts'
import { besideScript } from './client/place.ts'
import type { CredenceInspectorButton } from './inspector/api.ts'
import type { Memory, MemoryOptions } from './memory.ts'

export { CredenceError } from './errors.ts'
export { parameterTable } from './parameters.ts'

// Known only while the script first runs.
const { assets, name, inspector } = (document.currentScript as HTMLScriptElement).dataset

export function openMemory(options: MemoryOptions = {}): Promise<Memory> {
  return openAt(besideScript, assets === undefined ? options : { assets, ...options })
}

/** Undefined without `data-name` and `data-inspector`. */
export const ready: Promise<Memory> | undefined = (name ?? inspector) === undefined ? undefined : openMemory({ name: name ?? 'default' })

// Whoever waits for `ready` learns why it failed.
if (inspector !== undefined) void ready?.then(addInspector, () => {})

/** The inspector is a script of its own beside this one, and is fetched only where it is wanted. */
async function addInspector(memory: Memory): Promise<void> {
  await import(/* @vite-ignore */ new URL('./inspector.js', String(import.meta.url)).href)
  const button: CredenceInspectorButton = document.createElement('credence-inspector-button')
  button.memory = memory
  if (document.readyState === 'loading')
    await new Promise(resolve => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
  document.body.append(button)
}
