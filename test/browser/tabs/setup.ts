/** For each test a scope of locks and channels of its own; what it opened is closed after it. */

import { afterEach, beforeEach } from 'vitest'
import type { Memory } from '../../../src/memory.ts'

export let scope: string
/** Workers that the test started. */
export let started: Worker[]
export const memories: Memory[] = []

beforeEach(() => {
  scope = `test/${Math.random()}`
  started = []
})

afterEach(async () => {
  await Promise.all(memories.splice(0).map(memory => memory.close()))
})
