import { expect } from 'vitest'

/** The fixture workers, each written out, as a bundler wants it. */
export const workers = {
  scripted: () => new Worker(new URL('./fixtures/scripted.ts', import.meta.url), { type: 'module' }),
  noLocks: () => new Worker(new URL('./fixtures/no-locks.ts', import.meta.url), { type: 'module' }),
  silent: () => new Worker(new URL('./fixtures/silent.ts', import.meta.url), { type: 'module' }),
  endsAtStart: () => new Worker(new URL('./fixtures/ends-at-start.ts', import.meta.url), { type: 'module' }),
  throwsAtStart: () => new Worker(new URL('./fixtures/throws-at-start.ts', import.meta.url), { type: 'module' }),
  otherRelease: () => new Worker(new URL('./fixtures/other-release.ts', import.meta.url), { type: 'module' }),
  missing: () => new Worker(`/no-such-worker.js`, { type: 'module' }),
}

/** Fails when the promise is still pending after `ms`. */
export function settled<T>(promise: Promise<T>, ms = 30_000): Promise<T> {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error(`still pending after ${ms} ms`)), ms))
  return Promise.race([promise, late])
}

/** The error a promise rejects with, in time. */
export async function rejection(promise: Promise<unknown>, ms?: number): Promise<any> {
  const result = await settled(
    promise.then(
      value => ({ value }),
      error => ({ error }),
    ),
    ms,
  )
  expect(result).toHaveProperty('error')
  return (result as { error: unknown }).error
}
