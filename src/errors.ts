/** The error table. Codes are a closed set; class and code survive the way out of the worker. */

export type ErrorCode =
  | 'InvalidArgument' // a value out of range or of the wrong shape
  | 'UnknownOption' // an option that does not exist
  | 'NotFound' // no belief or turn of this id
  | 'ReadOnly' // a write to a memory that cannot be written
  | 'Closed' // the memory was closed
  | 'WorkerFailed' // the worker could not start, or threw outside a call
  | 'WorkerEnded' // the worker went away while a call was pending
  | 'LeaderChanged' // the tab that did the work went away, or its worker was replaced, while a call was pending
  | 'Deadline' // a call took longer than its deadline
  | 'ModelMissing' // a model file is not where it should be
  | 'ModelCorrupt' // a model file has the wrong size or hash
  | 'ModelFailed' // a model ran and failed, or no device passed its self-test
  | 'DownloadRefused' // a hub model without allowDownload
  | 'OutOfMemory' // a model did not fit
  | 'StoreFailed' // the database failed
  | 'QuotaExceeded' // no room left for the database
  | 'SchemaTooNew' // the database was written by a newer version
  | 'PassphraseNeeded' // the memory is encrypted and was opened without a passphrase
  | 'WrongPassphrase' // the passphrase does not open the memory
  | 'NotEncrypted' // a passphrase for a memory that is not encrypted
  | 'Blocked' // another tab keeps the database from being upgraded
  | 'Conflict' // another tab wrote at the same time, again and again
  | 'ImportInvalid' // data to import has the wrong format

/** Every error of this library. `message` says what to do; `data` holds what a program may want to know. */
export class CredenceError extends Error {
  override readonly name = 'CredenceError'
  readonly code: ErrorCode
  readonly data: Readonly<Record<string, unknown>> | undefined

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; data?: Record<string, unknown> } = {}) {
    super(`credence: ${message}`, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.data = options.data
  }
}

/** Throws when `options` has a key that is not among `known`. */
export function refuseUnknown(options: object, known: readonly string[], where: string): void {
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) {
      throw new CredenceError('UnknownOption', `${where} has no option "${key}"; it takes ${known.join(', ')}`, { data: { option: key } })
    }
  }
}

/** What fetch would reject with: aborts look the same everywhere. */
export function abortError(signal: AbortSignal): unknown {
  return signal.reason ?? new DOMException('The operation was aborted.', 'AbortError')
}
