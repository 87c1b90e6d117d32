/** Each way in which a call could be left pending. */

import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Guard, type GuardOptions } from '../../../src/client/guard.ts'
import type { Ears } from '../../../src/client/line.ts'
import { checkMemoryOptions } from '../../../src/options.ts'
import { CredenceError } from '../../../src/errors.ts'
import type { OpenOptions } from '../../../src/protocol.ts'
import { rejection, settled, workers } from './helpers.ts'

const memory = 'a memory'
const recall = (guard: Guard, query: string, signal?: AbortSignal): Promise<any> => guard.call(memory, 'recall', [query, {}], { signal })
const openOptions = (name = 'default'): OpenOptions => ({ ...checkMemoryOptions({ name }), assets: location.origin })

const guards: Guard[] = []
function guarded(worker: Worker, options?: GuardOptions): Guard {
  const guard = new Guard(worker, options)
  guards.push(guard)
  return guard
}

async function opened(options?: GuardOptions, name?: string, ears?: Ears): Promise<{ guard: Guard; worker: Worker }> {
  const worker = workers.scripted()
  const guard = guarded(worker, options)
  await settled(guard.open(memory, openOptions(name), ears))
  return { guard, worker }
}

afterEach(() => guards.splice(0).forEach(guard => guard.end(new Error('the test is over'))))

describe('a worker that does not start', () => {
  it.each([
    ['its script is missing', workers.missing, /could not be loaded/],
    ['it throws while it loads', workers.throwsAtStart, /no good start/],
    ['it is of another release', workers.otherRelease, /same release/],
  ])('%s', async (_, start, message) => {
    const guard = guarded(start())
    const error = await rejection(recall(guard, 'anything'))
    expect(error).toBeInstanceOf(CredenceError)
    expect(error.code).toBe('WorkerFailed')
    expect(error.message).toMatch(message)
    expect(guard.ended).toBe(true)
  })

  it.each([
    ['it never says hello', workers.silent],
    ['it ends itself first', workers.endsAtStart],
  ])('%s', async (_, start) => {
    const guard = guarded(start(), { deadlines: { hello: 0.5 } })
    const both = await Promise.all([rejection(recall(guard, 'one')), rejection(recall(guard, 'two'))])
    expect(both.map(error => error.code)).toEqual(['WorkerFailed', 'WorkerFailed'])
    expect(both[0].message).toMatch(/did not answer in time/)
  })

  it('its memory does not open', async () => {
    const guard = guarded(workers.scripted())
    const error = await rejection(guard.open(memory, openOptions('refused')))
    expect(error).toMatchObject({ code: 'StoreFailed', message: 'credence: no database today' })
  })

  it('its memory opens for ever', async () => {
    const guard = guarded(workers.scripted(), { deadlines: { open: 0.5 } })
    const [open, call] = await Promise.all([
      rejection(guard.open(memory, openOptions('never-opens'))),
      rejection(recall(guard, 'behind it')),
    ])
    expect(open.code).toBe('Deadline')
    expect(call.code).toBe('WorkerEnded')
  })

  it('a model is built for ever: whoever asked may ask another worker', async () => {
    const guard = guarded(workers.scripted(), { deadlines: { load: 0.5 } })
    const both = await Promise.all([rejection(guard.open(memory, openOptions('never-loads'))), rejection(recall(guard, 'behind it'))])
    for (const error of both) expect(error).toMatchObject({ code: 'LeaderChanged', data: { orderly: true } })
    expect(both[0].message).toMatch(/a model could not be loaded in time/)
  })

  it.each(['loads-then-waits', 'gives-up-then-waits'])('what comes after the building of a model is not on its clock: %s', async name => {
    const { guard } = await opened({ deadlines: { load: 0.5 } }, name)
    expect(guard.ended).toBe(false)
  })
})

describe('a worker that goes away', () => {
  it('terminated during calls', async () => {
    const { guard, worker } = await opened()
    const calls = ['hang', 'hang', 'wait'].map(query => rejection(recall(guard, query)))
    worker.terminate()
    expect((await Promise.all(calls)).map(error => error.code)).toEqual(['WorkerEnded', 'WorkerEnded', 'WorkerEnded'])
    expect((await rejection(recall(guard, 'afterwards'))).code).toBe('WorkerEnded')
  })

  it('closes itself', async () => {
    const { guard } = await opened()
    const [hanging, closing] = await Promise.all([rejection(recall(guard, 'hang')), rejection(recall(guard, 'end'))])
    expect([hanging.code, closing.code]).toEqual(['WorkerEnded', 'WorkerEnded'])
  })

  it('throws outside a call', async () => {
    const { guard } = await opened()
    const [hanging, crashing] = await Promise.all([rejection(recall(guard, 'hang')), rejection(recall(guard, 'crash'))])
    expect([hanging.code, crashing.code]).toEqual(['WorkerFailed', 'WorkerFailed'])
    expect(crashing.message).toMatch(/crashed outside a call/)
  })

  it('sends a message that cannot be read', async () => {
    const { guard, worker } = await opened()
    const hanging = rejection(recall(guard, 'hang'))
    worker.dispatchEvent(new MessageEvent('messageerror'))
    expect((await hanging).code).toBe('WorkerFailed')
  })
})

describe('close', () => {
  it('ends one memory, and leaves the others', async () => {
    const { guard } = await opened()
    await settled(guard.open('another', openOptions('other')))
    await settled(guard.close(memory))
    expect((await rejection(recall(guard, 'late'))).message).toMatch(/before open/)
    expect(await settled(guard.call('another', 'recall', ['still there', {}]))).toMatchObject({ prompt: 'still there' })
  })

  it('stops what is at work for the memory', async () => {
    const { guard } = await opened()
    const waiting = settled(recall(guard, 'wait'))
    await settled(guard.close(memory))
    await waiting
  })
})

describe('several memories in one worker', () => {
  it('answer under their own handles, and tell their own progress (asks 95)', async () => {
    const seen: Record<string, number> = { a: 0, b: 0 }
    const guard = guarded(workers.scripted())
    await Promise.all([
      settled(guard.open('a', openOptions('slow-open'), { onProgress: () => seen['a']!++ })),
      settled(guard.open('b', openOptions('b'), { onProgress: () => seen['b']!++ })),
    ])
    expect(seen).toEqual({ a: 8, b: 0 })
    const [a, b] = (await Promise.all(['a', 'b'].map(handle => settled(guard.call(handle, 'status', []))))) as { name: string }[]
    expect([a!.name, b!.name]).toEqual(['slow-open', 'b'])
  })

  it('share an engine when they are opened alike, and not when one only reads (asks 55, 95)', async () => {
    const guard = guarded(workers.scripted())
    const open = (handle: string, readOnly: boolean) => settled(guard.open(handle, { ...openOptions('shared'), readOnly }))
    await Promise.all([open('a', false), open('b', false), open('c', true)])
    const engines = (await Promise.all(['a', 'b', 'c'].map(handle => settled(guard.call(handle, 'status', []))))) as unknown as {
      engine: number
    }[]
    expect(engines[1]!.engine).toBe(engines[0]!.engine)
    expect(engines[2]!.engine).not.toBe(engines[0]!.engine)
    await settled(guard.close('a'))
    expect(await settled(guard.call('b', 'recall', ['still open', {}]))).toMatchObject({ prompt: 'still open' })
  })

  it('a recall is told only to the one that asked (asks 48)', async () => {
    const told: string[] = []
    const guard = guarded(workers.scripted())
    const open = (handle: string) => settled(guard.open(handle, openOptions('shared'), { onRecall: () => told.push(handle) }))
    await Promise.all([open('a'), open('b')])
    await settled(guard.call('b', 'recall', ['mine', {}]))
    expect(told).toEqual(['b'])
  })

  it('one that does not open leaves the others alone', async () => {
    const { guard } = await opened()
    expect((await rejection(guard.open('bad', openOptions('refused')))).code).toBe('StoreFailed')
    expect((await rejection(guard.call('bad', 'recall', ['x', {}]))).code).toBe('StoreFailed')
    expect(await settled(recall(guard, 'fine'))).toMatchObject({ prompt: 'fine' })
  })
})

describe('deadlines', () => {
  it('end a call that hangs, and its worker with it', async () => {
    const { guard } = await opened({ deadlines: { recall: 0.3 } })
    const [first, second] = await Promise.all([rejection(recall(guard, 'hang')), rejection(recall(guard, 'hang'))])
    expect(first).toMatchObject({ code: 'Deadline', data: { method: 'recall' } })
    expect(second.code).toBe('WorkerEnded')
  })

  it('are put off by progress', async () => {
    const seen: number[] = []
    const { guard } = await opened({ deadlines: { recall: 0.25, open: 0.25 } }, 'slow-open', { onProgress: p => seen.push(p.done) })
    expect(seen).toHaveLength(8)
    expect(await settled(recall(guard, 'report'))).toEqual({ prompt: 'reported' })
    expect(seen).toHaveLength(16)
  })

  it('are not put off by other calls', async () => {
    const { guard } = await opened({ deadlines: { recall: 0.4 } })
    const asking = setInterval(() => guard.call(memory, 'status', []).catch(() => {}), 50)
    const error = await rejection(recall(guard, 'hang'), 2000)
    clearInterval(asking)
    expect(error.code).toBe('Deadline')
  })

  it('are longer for a long turn', async () => {
    const { guard } = await opened({ deadlines: { observe: 0.05, observeAll: 0.05 } })
    const turns = ['slow', `slow${' '.repeat(500)}`].map(text => ({ text, id: 'x' }))
    expect((await settled(guard.call(memory, 'observe', [turns[1]!]))).turn).toBe('x')
    await settled(guard.call(memory, 'observeAll', [[turns[1]!]]))
    expect((await rejection(guard.call(memory, 'observe', [turns[0]!]))).code).toBe('Deadline')
  })

  it('do not count the time spent behind other calls', async () => {
    const { guard } = await opened({ deadlines: { explain: 0.2 } })
    const controller = new AbortController()
    const before = rejection(recall(guard, 'hang', controller.signal)) // with the usual minute
    let settledAt = 0
    const behind = rejection(guard.call(memory, 'explain', ['x'])).finally(() => (settledAt = performance.now()))
    await new Promise(resolve => setTimeout(resolve, 600))
    expect(settledAt).toBe(0)
    const released = performance.now()
    controller.abort()
    expect((await before).name).toBe('AbortError')
    expect((await behind).code).toBe('Deadline')
    expect(settledAt - released).toBeGreaterThanOrEqual(190)
  })

  it('do not count the time that the computer slept, but that of a hidden tab, whose timers are slow', async () => {
    const { guard } = await opened({ deadlines: { recall: 100 } })
    let now = performance.now()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    onTestFinished(() => void (clock.mockRestore(), vi.useRealTimers()))
    let code: string | undefined
    void recall(guard, 'hang').catch(error => (code = error.code))
    /** The timer that is due after 5 s comes after so many. */
    const comesAfter = async (seconds: number) => {
      now += seconds * 1000
      await vi.advanceTimersByTimeAsync(5000)
      return code
    }
    for (const slept of [3600, 80_000, 70]) expect(await comesAfter(slept)).toBeUndefined()
    for (const seconds of [60, 5, 5, 5, 5]) expect(await comesAfter(seconds)).toBeUndefined()
    expect(await comesAfter(5)).toBe('Deadline')
  })

  it('find the end of a worker where there are no Web Locks', async () => {
    const guard = guarded(workers.noLocks(), { deadlines: { recall: 0.4 } })
    await settled(guard.open(memory, openOptions()))
    const [ended, hanging] = await Promise.all([rejection(recall(guard, 'end')), rejection(recall(guard, 'hang'))])
    expect([ended.code, hanging.code]).toEqual(['Deadline', 'WorkerEnded'])
  })
})

describe('signals', () => {
  it('before the call: rejects at once, and no call is made', async () => {
    const { guard } = await opened()
    const reason = new Error('not wanted')
    expect(await rejection(guard.call(memory, 'observe', [{ text: '', id: 'never' }], { signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(await settled(guard.call(memory, 'status', []))).toMatchObject({ observed: [] })
  })

  it('during the handshake: no call is made either', async () => {
    const guard = guarded(workers.scripted())
    const open = guard.open(memory, openOptions())
    const controller = new AbortController()
    const aborted = rejection(guard.call(memory, 'observe', [{ text: '', id: 'never' }], { signal: controller.signal }))
    controller.abort()
    expect((await aborted).name).toBe('AbortError')
    await settled(open)
    await settled(guard.call(memory, 'observe', [{ text: '', id: 'later' }]))
    expect(await settled(guard.call(memory, 'status', []))).toMatchObject({ observed: ['later'] })
  })

  it('during the call: rejects at once with the reason', async () => {
    const { guard } = await opened()
    const controller = new AbortController()
    const call = rejection(recall(guard, 'hang', controller.signal))
    const reason = { any: 'value' }
    controller.abort(reason)
    expect(await call).toBe(reason)
    expect(guard.ended).toBe(false)
    expect(await settled(recall(guard, 'answer'))).toMatchObject({ prompt: 'answer' })
  })

  it('after the answer: nothing happens', async () => {
    const { guard } = await opened()
    const controller = new AbortController()
    expect(await settled(recall(guard, 'answer', controller.signal))).toMatchObject({ prompt: 'answer' })
    controller.abort()
    expect(await settled(recall(guard, 'again'))).toMatchObject({ prompt: 'again' })
  })
})

describe('errors', () => {
  it('keep class, code, message, cause and data', async () => {
    const { guard } = await opened()
    const error = await rejection(recall(guard, 'not found'))
    expect(error).toBeInstanceOf(CredenceError)
    expect(error).toMatchObject({ name: 'CredenceError', code: 'NotFound', message: 'credence: no belief of this id', data: { id: 'b1' } })
    expect(error.cause).toMatchObject({ name: 'RangeError', message: 'inner' })
  })

  it('of other classes become WorkerFailed, with the cause', async () => {
    const { guard } = await opened()
    const error = await rejection(recall(guard, 'type error'))
    expect(error).toMatchObject({ code: 'WorkerFailed', cause: { name: 'TypeError', message: 'a defect' } })
    expect(guard.ended).toBe(false)
  })

  it('of an abort inside the worker are AbortErrors outside', async () => {
    const { guard } = await opened()
    const error = await rejection(recall(guard, 'abort error'))
    expect(error).toBeInstanceOf(DOMException)
    expect(error.name).toBe('AbortError')
  })

  it('for what cannot be sent', async () => {
    const { guard } = await opened()
    const argument = await rejection(guard.call(memory, 'import', [{ turns: [() => {}] } as never]))
    expect(argument).toMatchObject({ code: 'InvalidArgument', cause: { name: 'DataCloneError' } })
    const answer = await rejection(recall(guard, 'uncloneable answer'))
    expect(answer.code).toBe('WorkerFailed')
  })

  it('for a call before open', async () => {
    const guard = guarded(workers.scripted())
    expect((await rejection(recall(guard, 'too early'))).code).toBe('WorkerFailed')
  })
})

it('answers a hundred calls made at once', async () => {
  const { guard } = await opened()
  const queries = Array.from({ length: 100 }, (_, i) => `query ${i}`)
  const answers = await settled(Promise.all(queries.map(query => recall(guard, query))))
  expect(answers.map(answer => answer.prompt)).toEqual(queries)
})
