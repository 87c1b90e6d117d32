/** Each way in which a call could be left pending. */

import { afterEach, describe, expect, it } from 'vitest'
import { Guard, type GuardOptions } from '../../../src/client/guard.ts'
import { checkMemoryOptions } from '../../../src/options.ts'
import { CredenceError } from '../../../src/errors.ts'
import type { OpenOptions } from '../../../src/protocol.ts'
import { rejection, settled, workers } from './helpers.ts'

const recall = (guard: Guard, query: string, signal?: AbortSignal): Promise<any> => guard.call('recall', [query, {}], { signal })
const openOptions = (name = 'default'): OpenOptions => ({ ...checkMemoryOptions({ name }), assets: location.origin })

const guards: Guard[] = []
function guarded(worker: Worker, options?: GuardOptions): Guard {
  const guard = new Guard(worker, options)
  guards.push(guard)
  return guard
}

async function opened(options?: GuardOptions, name?: string): Promise<{ guard: Guard; worker: Worker }> {
  const worker = workers.scripted()
  const guard = guarded(worker, options)
  await settled(guard.call('open', [openOptions(name)]))
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
    const error = await rejection(guard.call('open', [openOptions('refused')]))
    expect(error).toMatchObject({ code: 'StoreFailed', message: 'credence: no database today' })
  })

  it('its memory opens for ever', async () => {
    const guard = guarded(workers.scripted(), { deadlines: { open: 0.5 } })
    const [open, call] = await Promise.all([
      rejection(guard.call('open', [openOptions('never-opens')])),
      rejection(recall(guard, 'behind it')),
    ])
    expect(open.code).toBe('Deadline')
    expect(call.code).toBe('WorkerEnded')
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
  it('rejects what is pending and what follows', async () => {
    const { guard } = await opened()
    const pending = [rejection(recall(guard, 'hang')), rejection(recall(guard, 'wait'))]
    await settled(guard.close())
    expect((await Promise.all(pending)).map(error => error.code)).toEqual(['Closed', 'Closed'])
    expect((await rejection(recall(guard, 'late'))).code).toBe('Closed')
  })

  it('ends a worker that will not close', async () => {
    const { guard } = await opened({ deadlines: { close: 0.3 } }, 'never-closes')
    await settled(guard.close())
    expect(guard.ended).toBe(true)
  })

  it('does not wait for a worker that never started', async () => {
    const guard = guarded(workers.silent())
    const pending = rejection(recall(guard, 'anything'))
    await settled(guard.close(), 1000)
    expect((await pending).code).toBe('Closed')
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
    const { guard } = await opened({ deadlines: { recall: 0.25, open: 0.25 }, onProgress: p => seen.push(p.done) }, 'slow-open')
    expect(seen).toHaveLength(8)
    expect(await settled(recall(guard, 'report'))).toEqual({ prompt: 'reported' })
    expect(seen).toHaveLength(16)
  })

  it('are not put off by other calls', async () => {
    const { guard } = await opened({ deadlines: { recall: 0.4 } })
    const asking = setInterval(() => guard.call('status', []).catch(() => {}), 50)
    const error = await rejection(recall(guard, 'hang'), 2000)
    clearInterval(asking)
    expect(error.code).toBe('Deadline')
  })

  it('are longer for a long turn', async () => {
    const { guard } = await opened({ deadlines: { observe: 0.05, observeAll: 0.05 } })
    const turns = ['slow', `slow${' '.repeat(500)}`].map(text => ({ text, id: 'x' }))
    expect((await settled(guard.call('observe', [turns[1]!]))).turn).toBe('x')
    await settled(guard.call('observeAll', [[turns[1]!]]))
    expect((await rejection(guard.call('observe', [turns[0]!]))).code).toBe('Deadline')
  })

  it('do not count the time spent behind other calls', async () => {
    const { guard } = await opened({ deadlines: { explain: 0.2 } })
    const controller = new AbortController()
    const before = rejection(recall(guard, 'hang', controller.signal)) // with the usual minute
    let settledAt = 0
    const behind = rejection(guard.call('explain', ['x'])).finally(() => (settledAt = performance.now()))
    await new Promise(resolve => setTimeout(resolve, 600))
    expect(settledAt).toBe(0)
    const released = performance.now()
    controller.abort()
    expect((await before).name).toBe('AbortError')
    expect((await behind).code).toBe('Deadline')
    expect(settledAt - released).toBeGreaterThanOrEqual(190)
  })

  it('find the end of a worker where there are no Web Locks', async () => {
    const guard = guarded(workers.noLocks(), { deadlines: { recall: 0.4 } })
    await settled(guard.call('open', [openOptions()]))
    const [ended, hanging] = await Promise.all([rejection(recall(guard, 'end')), rejection(recall(guard, 'hang'))])
    expect([ended.code, hanging.code]).toEqual(['Deadline', 'WorkerEnded'])
  })
})

describe('signals', () => {
  it('before the call: rejects at once, and no call is made', async () => {
    const { guard } = await opened()
    const reason = new Error('not wanted')
    expect(await rejection(guard.call('observe', [{ text: '', id: 'never' }], { signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(await settled(guard.call('status', []))).toMatchObject({ observed: [] })
  })

  it('during the handshake: no call is made either', async () => {
    const guard = guarded(workers.scripted())
    const open = guard.call('open', [openOptions()])
    const controller = new AbortController()
    const aborted = rejection(guard.call('observe', [{ text: '', id: 'never' }], { signal: controller.signal }))
    controller.abort()
    expect((await aborted).name).toBe('AbortError')
    await settled(open)
    await settled(guard.call('observe', [{ text: '', id: 'later' }]))
    expect(await settled(guard.call('status', []))).toMatchObject({ observed: ['later'] })
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
    const argument = await rejection(guard.call('import', [{ turns: [() => {}] } as never]))
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
