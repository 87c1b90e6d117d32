/** Errors as plain data and back, so that class, code, message, cause and data survive the way out of the worker. */

import { CredenceError, type ErrorCode } from './errors.ts'

export interface EncodedError {
  name: string
  /** Set for a CredenceError. */
  code?: ErrorCode
  message: string
  cause?: EncodedError
  data?: Record<string, unknown>
}

/** Causes further down are cut off; a cause may even be its own cause. */
const deepestCause = 8

export function encodeError(error: unknown, depth = 0): EncodedError {
  if (!isErrorLike(error)) return { name: 'Error', message: String(error) }
  const encoded: EncodedError = { name: error.name, message: error.message }
  if (error.cause !== undefined && depth < deepestCause) encoded.cause = encodeError(error.cause, depth + 1)
  if (error instanceof CredenceError) {
    encoded.code = error.code
    if (error.data) encoded.data = cloneable(error.data)
  }
  return encoded
}

/** What a call rejects with: a CredenceError or an AbortError, whatever was thrown. */
export function decodeError(encoded: EncodedError): CredenceError | DOMException {
  const error = rebuild(encoded)
  if (error instanceof CredenceError || (error instanceof DOMException && error.name === 'AbortError')) return error
  const message = `the worker met an error it does not know, ${encoded.name}: ${encoded.message}; please report it with its cause`
  return new CredenceError('WorkerFailed', message, { cause: error })
}

function rebuild(encoded: EncodedError): Error {
  if (encoded.name === 'AbortError') return new DOMException(encoded.message, 'AbortError')
  const cause = encoded.cause && rebuild(encoded.cause)
  if (encoded.code) {
    const message = encoded.message.replace(/^credence: /, '')
    return new CredenceError(encoded.code, message, { cause, ...(encoded.data && { data: encoded.data }) })
  }
  const error = new Error(encoded.message, cause && { cause })
  error.name = encoded.name
  return error
}

/** DOMException is no subclass of Error everywhere. */
function isErrorLike(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && 'name' in error && 'message' in error
}

function cloneable(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(data)) {
    try {
      kept[key] = structuredClone(value)
    } catch {
      kept[key] = String(value)
    }
  }
  return kept
}
