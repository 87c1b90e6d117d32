/** The boundary's types: derived from `Memory`, but plain data. */

import { expectTypeOf, it } from 'vitest'
import type { Memory, Observation, Recall, RecallOptions, Turn } from '../../src/memory.ts'
import type { Answer, Arguments, MemoryMethod, Method } from '../../src/protocol.ts'

it('every method of Memory crosses, but those that are more than a question', () => {
  type Own = Exclude<keyof Memory, MemoryMethod>
  expectTypeOf<Own>().toEqualTypeOf<'augment' | 'observeAll' | 'subscribe' | 'close' | typeof Symbol.asyncDispose>()
  expectTypeOf<Exclude<Method, MemoryMethod>>().toEqualTypeOf<'open' | 'observeAll' | 'close'>()
})

it('arguments carry no signal', () => {
  expectTypeOf<Arguments<'recall'>[1]>().toEqualTypeOf<Omit<RecallOptions, 'signal'> | undefined>()
  expectTypeOf<Arguments<'observe'>[0]>().toEqualTypeOf<Turn>()
  expectTypeOf<'signal' extends keyof Arguments<'feedback'>[0] ? true : false>().toEqualTypeOf<false>()
})

it('answers are those of Memory', () => {
  expectTypeOf<Answer<'recall'>>().toEqualTypeOf<Recall>()
  expectTypeOf<Answer<'observe'>>().toEqualTypeOf<Observation>()
  expectTypeOf<Answer<'forgetAll'>>().toEqualTypeOf<void>()
})
