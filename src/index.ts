/** The npm entry. */

import { openAt } from './client/open.ts'
import { besideScript } from './client/place.ts'
import type { Memory, MemoryOptions } from './memory.ts'

export type * from './memory.ts'
export { CredenceError, type ErrorCode } from './errors.ts'
export { parameterTable, type ParameterRow } from './parameters.ts'

/**
 * Opens the memory of `options.name`, ready to observe and recall. May be called in any number of tabs.
 *
 * Rejects with `UnknownOption` or `InvalidArgument` for what is wrong in `options`; `WorkerFailed` when the worker does not start; `ModelCorrupt`,
 * `DownloadRefused` for model files; `StoreFailed`, `SchemaTooNew`, `Blocked`, `QuotaExceeded` for the database; with the signal's reason when it fires.
 */
export function openMemory(options?: MemoryOptions): Promise<Memory> {
  return openAt(besideScript, options)
}
