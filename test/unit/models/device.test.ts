import { expect, test } from 'vitest'
import { differenceOf, place, steady, choiceKey, type Backend, type Choice, type Model } from '../../../src/models/device.ts'
import type { Device } from '../../../src/memory.ts'
import type { Graph } from '../../../src/models/graph.ts'
import type { ModelSpec } from '../../../src/models/manifest.ts'
import type { Session } from '../../../src/models/session.ts'

// A model that doubles a number; a device may be slow, wrong, or break.
interface Machine {
  wrong?: boolean
  slow?: number
  fails?: boolean
  broken?: boolean
}

const spec: ModelSpec = {
  id: 'double',
  revision: 'r',
  dtype: 'fp32',
  languages: [],
  maxTokens: 10,
  reference: { items: ['1', '4'], outputs: [[2], [8]], tolerance: { kind: 'absolute', most: 0.01 } },
}

async function double(graph: Graph, value: number): Promise<number> {
  const { out } = await graph.run({ in: { type: 'float32', data: new Float32Array([value]), dims: [1] } }, ['out'])
  return Number(out!.data[0])
}

const model: Model = {
  role: 'evidence',
  spec,
  head: { outputs: (graph, items) => Promise.all(items.map(async item => [await double(graph, Number(item))])), terms: () => 1 },
  parts: async () => ({ graph: new Uint8Array(), data: [], own: true }),
}

function backendOf(machines: Partial<Record<Device, Machine>>, more: Partial<Backend> = {}) {
  const log: string[] = []
  const backend: Backend = {
    devices: Object.keys(machines) as Device[],
    firstWins: false,
    refused: [],
    choices: new Map<string, Choice>(),
    async create(_, device) {
      const machine = machines[device]!
      log.push(`create ${device}`)
      if (machine.fails) throw new Error(`${device} cannot be used`)
      const session: Session = {
        inputs: ['in'],
        outputs: ['out'],
        batchTokens: 0,
        async run(feeds) {
          log.push(`run ${device}`)
          if (machine.broken) throw new Error('device lost')
          await new Promise(done => setTimeout(done, machine.slow ?? 0))
          return {
            out: { type: 'float32', data: (feeds.in!.data as Float32Array).map(value => value * (machine.wrong ? 3 : 2)), dims: [1] },
          }
        },
        async release() {
          log.push(`release ${device}`)
        },
      }
      return session
    },
    ...more,
  }
  return { backend, log, machines }
}

test('the fastest of the devices that answer right is taken, and remembered (asks 69, 70)', async () => {
  const { backend, log } = backendOf({ webgpu: { slow: 30 }, wasm: {} })
  const placement = await place(model, backend)
  expect(placement).toMatchObject({ device: 'wasm', selfTest: 'passed', refused: [] })
  expect(placement.timings.webgpu!).toBeGreaterThan(placement.timings.wasm!)
  expect(log).toContain('release webgpu')
  expect(backend.choices.get(choiceKey('evidence', spec))!.device).toBe('wasm')
})

test('a device that answers wrong is not used, however fast, and the reason is told (asks 67, 68, 77)', async () => {
  const { backend } = backendOf({ webgpu: { wrong: true }, wasm: { slow: 5 } })
  const placement = await place(model, backend)
  expect(placement.device).toBe('wasm')
  expect(placement.refused).toEqual([{ device: 'webgpu', reason: expect.stringContaining('3.000 instead of 2.000') }])
})

test('a device that cannot be used is passed over (asks 75, 77)', async () => {
  const { backend } = backendOf({ webgpu: { fails: true }, wasm: {} })
  expect(await place(model, backend)).toMatchObject({ device: 'wasm', refused: [{ device: 'webgpu', reason: 'webgpu cannot be used' }] })
})

test('where no device is right the failure comes out', async () => {
  const { backend } = backendOf({ webgpu: { fails: true }, wasm: { wrong: true } })
  await expect(place(model, backend)).rejects.toMatchObject({ code: 'ModelFailed' })
})

test('a remembered device is tested but not timed against the others', async () => {
  const { backend, log } = backendOf({ webgpu: {}, wasm: {} })
  backend.choices.set(choiceKey('evidence', spec), { device: 'wasm', timings: { wasm: 7, webgpu: 9 } })
  const placement = await place(model, backend)
  expect(placement).toMatchObject({ device: 'wasm', selfTest: 'passed', timings: { wasm: 7, webgpu: 9 } })
  expect(log).toEqual(['create wasm', 'run wasm', 'run wasm'])
})

test('a remembered device that answers wrong by now gives way to the other (asks 75)', async () => {
  const { backend } = backendOf({ webgpu: { wrong: true }, wasm: {} })
  backend.choices.set(choiceKey('evidence', spec), { device: 'webgpu', timings: { webgpu: 1 } })
  expect(await place(model, backend)).toMatchObject({ device: 'wasm', refused: [{ device: 'webgpu' }] })
})

test('the device that was asked for is taken when it is right, though slower', async () => {
  const { backend, log } = backendOf({ webgpu: { slow: 20 }, wasm: {} }, { firstWins: true })
  expect((await place(model, backend)).device).toBe('webgpu')
  expect(log).not.toContain('create wasm')
})

test('without a reference WASM is the reference', async () => {
  const { reference: _, ...bare } = spec
  const own = {
    ...model,
    spec: bare,
    head: { ...model.head, outputs: (graph: Graph) => double(graph, 5).then(value => [[value], [value], [value]]) },
  }
  const right = await place(own, backendOf({ webgpu: {}, wasm: { slow: 20 } }).backend)
  expect(right).toMatchObject({ device: 'webgpu', selfTest: 'passed' })
  const wrong = await place(own, backendOf({ webgpu: { wrong: true }, wasm: { slow: 20 } }).backend)
  expect(wrong).toMatchObject({ device: 'wasm', selfTest: 'none', refused: [{ device: 'webgpu' }] })
})

test('without a reference too, the device that was asked for is taken when it is right', async () => {
  const { reference: _, ...bare } = spec
  const own = {
    ...model,
    spec: bare,
    head: { ...model.head, outputs: (graph: Graph) => double(graph, 5).then(value => [[value], [value], [value]]) },
  }
  const right = await place(own, backendOf({ webgpu: { slow: 20 }, wasm: {} }, { firstWins: true }).backend)
  expect(right).toMatchObject({ device: 'webgpu', selfTest: 'passed' })
  const wrong = await place(own, backendOf({ webgpu: { wrong: true }, wasm: {} }, { firstWins: true }).backend)
  expect(wrong).toMatchObject({ device: 'wasm', selfTest: 'none', refused: [{ device: 'webgpu' }] })
})

test('a lost device is rebuilt, and the call that found it lost is answered', async () => {
  const { backend, log } = backendOf({ webgpu: {}, wasm: {} }, { firstWins: true })
  const create = backend.create
  let first = true
  backend.create = async (parts, device) => {
    const session = await create(parts, device)
    if (!first || device !== 'webgpu') return session
    first = false
    let runs = 0
    return { ...session, run: (...call) => (++runs > 2 ? Promise.reject(new Error('device lost')) : session.run(...call)) }
  }
  const placement = await place(model, backend)
  const graph = steady(model, backend, placement, () => undefined)
  expect(await Promise.all([double(graph, 3), double(graph, 4), double(graph, 5)])).toEqual([6, 8, 10])
  expect(log.filter(line => line === 'create webgpu')).toHaveLength(2)
  expect(log).not.toContain('create wasm')
})

test('a device that stays lost gives way to the other', async () => {
  const { backend, machines } = backendOf({ webgpu: {}, wasm: {} }, { firstWins: true })
  const devices: Device[] = []
  const graph = steady(model, backend, await place(model, backend), now => devices.push(now.device))
  machines.webgpu!.broken = true
  expect(await double(graph, 3)).toBe(6)
  expect(devices).toEqual(['wasm'])
})

test('a failure on WASM is not repeated', async () => {
  const { backend, machines, log } = backendOf({ wasm: {} })
  const graph = steady(model, backend, await place(model, backend), () => undefined)
  machines.wasm!.broken = true
  await expect(double(graph, 3)).rejects.toThrow('device lost')
  expect(log.filter(line => line === 'create wasm')).toHaveLength(1)
})

test('an abort ends the choice', async () => {
  const control = new AbortController()
  control.abort()
  await expect(place(model, backendOf({ wasm: {} }).backend, { signal: control.signal })).rejects.toBe(control.signal.reason)
})

test('the tolerances are kept to', () => {
  const head = { ...model.head, terms: () => 10 }
  const reference = (tolerance: NonNullable<ModelSpec['reference']>['tolerance']) => ({ items: ['x'], outputs: [[3, 4]], tolerance })
  expect(differenceOf([[6, 8]], reference({ kind: 'cosine', least: 0.999 }), head)).toBeUndefined()
  expect(differenceOf([[-4, 3]], reference({ kind: 'cosine', least: 0.1 }), head)).toContain('cosine 0.0000')
  expect(differenceOf([[3.4, 4]], reference({ kind: 'absolutePerToken', most: 0.05 }), head)).toBeUndefined()
  expect(differenceOf([[3.6, 4]], reference({ kind: 'absolutePerToken', most: 0.05 }), head)).toContain('3.600 instead of 3.000')
  expect(differenceOf([[Number.NaN, 4]], reference({ kind: 'absolute', most: 9 }), head)).toBeDefined()
  expect(differenceOf([[Number.NaN, 4]], reference({ kind: 'cosine', least: 0.1 }), head)).toBeDefined()
  expect(differenceOf([[3]], reference({ kind: 'absolute', most: 9 }), head)).toContain('1 numbers instead of 2')
})
