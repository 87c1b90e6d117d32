/** The public types, as a host sees them. */

import { expectTypeOf, it } from 'vitest'
import {
  CredenceError,
  openMemory,
  parameterTable,
  type Belief,
  type ChatMessage,
  type ErrorCode,
  type Memory,
  type MemoryEvent,
  type MemoryOptions,
  type Observation,
  type Parameters,
  type PromptMessage,
  type Recall,
  type Turn,
} from 'credence'

declare const memory: Memory

it('openMemory', () => {
  expectTypeOf(openMemory).parameter(0).toEqualTypeOf<MemoryOptions | undefined>()
  expectTypeOf(openMemory).returns.resolves.toEqualTypeOf<Memory>()
  openMemory()
  openMemory({
    name: 'alice',
    device: 'wasm',
    models: { lm: false },
    parameters: { gateLow: 0.1 },
    onProgress: p => expectTypeOf(p.total).toBeNumber(),
  })
  // @ts-expect-error unknown option
  openMemory({ colour: 'red' })
  // @ts-expect-error not a device
  openMemory({ device: 'cpu' })
  // @ts-expect-error a hub model has a pinned revision
  openMemory({ models: { nli: { hub: 'owner/name' } } })
  // @ts-expect-error not a parameter
  openMemory({ parameters: { gate: 0.2 } })
})

it('turns and observations', () => {
  expectTypeOf(memory.observe).parameter(0).toEqualTypeOf<Turn>()
  expectTypeOf(memory.observe({ text: 'x' })).resolves.toEqualTypeOf<Observation>()
  memory.observe({ text: 'x', at: new Date(), role: 'tool' }, { signal: new AbortController().signal })
  // @ts-expect-error a turn has a text
  memory.observe({ role: 'user' })
  // @ts-expect-error not a role
  memory.observe({ text: 'x', role: 'human' })
  expectTypeOf(memory.observeAll([{ text: 'x' }])).toEqualTypeOf<AsyncIterable<Observation>>()
  const source = (async function* () {
    yield { text: 'x' }
  })()
  memory.observeAll(source, { total: 1, onProgress: () => {} })
})

it('recall', async () => {
  expectTypeOf(memory.recall('x')).resolves.toEqualTypeOf<Recall>()
  const recalled = await memory.recall('x', { budget: 100, limit: 3 })
  expectTypeOf(recalled.strategy).toEqualTypeOf<'none' | 'current' | 'past'>()
  expectTypeOf(recalled.beliefs[0]!.confidence).toEqualTypeOf<number | null>()
  // @ts-expect-error not an option
  memory.recall('x', { top: 3 })
  const messages: ChatMessage[] = [{ role: 'user', content: 'x' }]
  expectTypeOf(memory.augment(messages, { window: 2 })).resolves.toEqualTypeOf<(ChatMessage | PromptMessage)[]>()
  const own = [{ role: 'user' as const, content: [{ type: 'image_url', image_url: 'x' }], mine: 1 }]
  expectTypeOf(memory.augment(own)).resolves.toEqualTypeOf<((typeof own)[number] | PromptMessage)[]>()
  // @ts-expect-error not a place
  memory.augment(messages, { place: 'end' })
})

it('the bank', () => {
  expectTypeOf(memory.beliefs({ kind: 'fact' })).resolves.toEqualTypeOf<Belief[]>()
  // @ts-expect-error not a kind
  memory.beliefs({ kind: 'guess' })
  memory.forget('id')
  memory.forget({ since: '2026-11-29' })
  // @ts-expect-error not a mode
  memory.import({} as never, 'merge')
  memory.import({} as never, 'skip', { signal: new AbortController().signal })
  expectTypeOf(memory.subscribe).toEqualTypeOf<(listener: (event: MemoryEvent) => void) => () => void>()
  expectTypeOf(memory).toExtend<AsyncDisposable>()
})

it('errors', () => {
  const error = new CredenceError('NotFound', 'x')
  expectTypeOf(error.code).toEqualTypeOf<ErrorCode>()
  expectTypeOf(error.data).toEqualTypeOf<Readonly<Record<string, unknown>> | undefined>()
  expectTypeOf(error).toExtend<Error>()
  // @ts-expect-error codes are a closed set
  new CredenceError('Whatever', 'x')
})

it('parameters', () => {
  expectTypeOf<keyof typeof parameterTable>().toEqualTypeOf<keyof Parameters>()
  expectTypeOf(parameterTable.gateLow.default).toBeNumber()
  // @ts-expect-error the table is read-only
  parameterTable.gateLow = parameterTable.gateHigh
})
