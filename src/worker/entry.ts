/** The worker's script: memories of models, database and engine, served to the page. Memories with the same models share one set of them. */

import { serveEngine } from '../engine/index.ts'
import type { Models } from '../engine/ports.ts'
import { newId } from '../id.ts'
import { openModels, threadCount } from '../models/index.ts'
import { modelsKey, type Notice, type OpenOptions } from '../protocol.ts'
import { openStore } from '../store/open.ts'
import { host } from './host.ts'
import { Pool } from './pool.ts'

type ModelChoice = Pick<OpenOptions, 'assets' | 'models' | 'allowDownload' | 'device' | 'languages' | 'withoutModels'>
const modelSets = new Pool<ModelChoice, Models>(
  ({ withoutModels, ...choice }, onProgress, signal) => {
    const onLoading = (on: boolean) => self.postMessage({ credence: 'loading', models: modelsKey(choice), on } satisfies Notice)
    return openModels({ ...choice, ...(withoutModels !== undefined && { without: withoutModels }), onProgress, onLoading, signal })
  },
  models => models.dispose(),
)

// What is opened here and not closed ends with the worker.
void host(self as unknown as DedicatedWorkerGlobalScope, async (options, onProgress, signal) => {
  const { name, parameters, granularity, controller, passphrase, readOnly, ...forModels } = options
  // Before the store: a worker that hangs as its models are built cannot be made to give its database back, and nothing could be cleaned.
  const taken = await modelSets.take(forModels, onProgress, signal)
  try {
    const store = await openStore(name, { ...(passphrase !== undefined && { passphrase }), readOnly })
    // The engine disposes of its models when it is closed; the set is disposed of when no engine has it any more.
    const models: Models = Object.create(taken.value, { dispose: { value: taken.release } })
    const environment = { threads: threadCount(), crossOriginIsolated: self.crossOriginIsolated, languages: [...options.languages] }
    const surroundings = { name, store, models, now: Date.now, newId, onProgress, environment }
    return await serveEngine(surroundings, { parameters, granularity, controller, readOnly })
  } catch (error) {
    void taken.release().catch(() => {})
    throw error
  }
})
