/** One model set, one engine, for all who ask for the same. */

import { expect, it } from 'vitest'
import type { Progress } from '../../../src/memory.ts'
import { Pool } from '../../../src/worker/pool.ts'

const quiet = () => {}
const progress: Progress = { stage: 'load', item: 'x', done: 1, total: 1 }

function poolOf() {
  const log: string[] = []
  let count = 0
  const gates: ((error?: Error) => void)[] = []
  const pool = new Pool<{ name: string }, string>(
    ({ name }, onProgress, signal) => {
      log.push(`open ${name}`)
      const number = ++count
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => {
          log.push(`abort ${name}`)
          reject(signal.reason)
        })
        gates.push(error => {
          onProgress(progress)
          if (error) reject(error)
          else resolve(`${name} ${number}`)
        })
      })
    },
    async value => void log.push(`close ${value}`),
  )
  return { pool, log, gates }
}

it('opens once for all, tells all of the progress, and closes after the last (asks 95, 96)', async () => {
  const { pool, log, gates } = poolOf()
  const seen = [0, 0]
  const taking = [pool.take({ name: 'a' }, () => seen[0]!++), pool.take({ name: 'a' }, () => seen[1]!++)]
  gates[0]!()
  const [one, two] = await Promise.all(taking)
  expect([one!.value, two!.value, seen]).toEqual(['a 1', 'a 1', [1, 1]])
  await one!.release()
  await one!.release()
  expect(log).toEqual(['open a'])
  await two!.release()
  expect(log).toEqual(['open a', 'abort a', 'close a 1'])
})

it('opens another for other options, and anew after the last was closed', async () => {
  const { pool, gates } = poolOf()
  const a = pool.take({ name: 'a' }, quiet)
  const b = pool.take({ name: 'b' }, quiet)
  gates[0]!()
  gates[1]!()
  expect([(await a).value, (await b).value]).toEqual(['a 1', 'b 2'])
  await (await a).release()
  const again = pool.take({ name: 'a' }, quiet)
  gates[2]!()
  expect((await again).value).toBe('a 3')
})

it('one who stops waiting does not stop the others; the last one does', async () => {
  const { pool, log, gates } = poolOf()
  const [first, second] = [new AbortController(), new AbortController()]
  const one = pool.take({ name: 'a' }, quiet, first.signal)
  const two = pool.take({ name: 'a' }, quiet, second.signal)
  first.abort(new Error('enough'))
  await expect(one).rejects.toThrow('enough')
  expect(log).toEqual(['open a'])
  second.abort(new Error('enough too'))
  await expect(two).rejects.toThrow('enough too')
  expect(log).toEqual(['open a', 'abort a'])
  const three = pool.take({ name: 'a' }, quiet)
  gates[1]!()
  expect((await three).value).toBe('a 2')
})

it('what does not open fails for all who waited, and is tried anew by the next', async () => {
  const { pool, gates } = poolOf()
  const both = [pool.take({ name: 'a' }, quiet), pool.take({ name: 'a' }, quiet)]
  gates[0]!(new Error('no'))
  for (const one of both) await expect(one).rejects.toThrow('no')
  const next = pool.take({ name: 'a' }, quiet)
  gates[1]!()
  expect((await next).value).toBe('a 2')
})

it('what was retired goes on for those who have it, and for nobody else', async () => {
  const { pool, log, gates } = poolOf()
  const taking = pool.take({ name: 'a' }, quiet)
  gates[0]!()
  const old = await taking
  old.retire()
  const fresh = pool.take({ name: 'a' }, quiet)
  gates[1]!()
  expect([old.value, (await fresh).value]).toEqual(['a 1', 'a 2'])
  await old.release()
  expect(log).toContain('close a 1')
  expect(log).not.toContain('close a 2')
})
