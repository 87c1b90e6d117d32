import { expect, test } from 'vitest'
import { createQueue } from '../../../src/models/queue.ts'

const pause = (ms: number) => new Promise(done => setTimeout(done, ms))

test('tasks run one after the other, in their order, failures included', async () => {
  const queue = createQueue()
  let running = 0
  const order: number[] = []
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, k) =>
      queue(async () => {
        expect(++running).toBe(1)
        await pause(k % 3)
        running--
        order.push(k)
        if (k % 5 === 0) throw new Error(`task ${k}`)
        return k
      }),
    ),
  )
  expect(order).toEqual(Array.from({ length: 20 }, (_, k) => k))
  expect(results.map(result => (result.status === 'fulfilled' ? result.value : -1))).toEqual(order.map(k => (k % 5 === 0 ? -1 : k)))
})

test('what was aborted while it waited does not run', async () => {
  const queue = createQueue()
  const control = new AbortController()
  let ran = false
  const first = queue(() => pause(10))
  const second = queue(async () => (ran = true), control.signal)
  control.abort()
  await first
  await expect(second).rejects.toMatchObject({ name: 'AbortError' })
  expect(ran).toBe(false)
})
