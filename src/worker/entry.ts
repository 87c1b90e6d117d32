/** The worker's script: a memory of models, database and engine, served to the page. */

import { openEngine } from '../engine/index.ts'
import { openModels, threadCount } from '../models/index.ts'
import { openIdbStore } from '../store/idb.ts'
import { host } from './host.ts'

// When anything here fails the page ends the worker, so nothing need be closed.
void host(self as unknown as DedicatedWorkerGlobalScope, async (options, onProgress, signal) => {
  const { name, parameters, granularity, controller, readOnly, ...forModels } = options
  const [models, store] = await Promise.all([openModels({ ...forModels, onProgress, signal }), openIdbStore(name)])
  const environment = { threads: threadCount(), crossOriginIsolated: self.crossOriginIsolated }
  const surroundings = { name, store, models, now: Date.now, newId, onProgress, environment }
  return openEngine(surroundings, { ...(parameters && { parameters }), granularity, controller, readOnly })
})

/** `crypto.randomUUID` is missing where the context is not secure. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}
