/**
 * Ends the worker at random moments of what it does, and looks at what is left. The same acts are done by an engine of our own on a store in memory:
 * what the database holds afterwards must be, to the last field, the state before an act or after it, and never before one that was acknowledged.
 */

import { randomNumbers } from '../../../../bench/metrics.ts'
import { openAt } from '../../../../src/client/open.ts'
import { besideScript } from '../../../../src/client/place.ts'
import { Tab } from '../../../../src/client/tab.ts'
import { openEngine } from '../../../../src/engine/index.ts'
import type { Snapshot } from '../../../../src/engine/ports.ts'
import type { Memory, MemoryOptions, PortableMemory, Turn } from '../../../../src/memory.ts'
import { openMemoryStore } from '../../../../src/store/memory.ts'
import { fromPortable } from '../../../../src/store/portable.ts'
import { contents, writeSchema1 } from '../fixtures/schema-1.ts'
import { noModels } from '../no-models.ts'

const acts = ['observe', 'forget', 'import', 'clean', 'migrate', 'encrypt'] as const
type Act = (typeof acts)[number]

export interface Report {
  kills: Record<Act, number>
  /** Kills that came before the whole act was acknowledged. */
  before: number
  /** Acts of which nothing was there afterwards, or something was: of several turns, each is whole. */
  undone: number
  done: number
  acknowledged: number
  /** What must be empty. */
  halfStates: string[]
  lost: string[]
}

const subjects = [
  'cello',
  'chess',
  'bees',
  'tea',
  'running',
  'Lisbon',
  'my sister',
  'old maps',
  'jazz',
  'gardening',
  'rye bread',
  'sailing',
]

export async function torture(kills: number, seed: number, onProgress?: (report: Report) => void): Promise<Report> {
  const random = randomNumbers(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const report: Report = {
    kills: { observe: 0, forget: 0, import: 0, clean: 0, migrate: 0, encrypt: 0 },
    before: 0,
    undone: 0,
    done: 0,
    acknowledged: 0,
    halfStates: [],
    lost: [],
  }
  const workers: Worker[] = []
  const startWorker = () => (workers.push(besideScript.startWorker()), workers.at(-1)!)
  const tab = new Tab({ ...besideScript, startWorker }, { scope: `torture/${seed}/${Date.now()}` })
  const kill = () => workers.splice(0).forEach(worker => worker.terminate())
  const models = { embedder: false, nli: false, evidence: false, lm: false } as const
  const open = (name: string, options: MemoryOptions = {}) => openAt(tab, { name, assets: '/', models, ...options })

  const name = `torture ${seed} ${Date.now()}`
  let memory = await open(name)
  let oracle = await engine()
  /** Milliseconds that an act takes here, by which the moment of its end is chosen. */
  const times: Record<Act, number> = { observe: 20, forget: 20, import: 20, clean: 900, migrate: 60, encrypt: 400 }
  let turns = 0

  /** Starts an act, ends the worker in the midst of it, and tells how many of its steps were acknowledged. */
  async function interrupt(act: Act, start: () => Promise<unknown>[]): Promise<number> {
    const began = performance.now()
    let acknowledged = 0
    const steps = start().map(step => step.then(() => acknowledged++))
    const all = Promise.allSettled(steps)
    const wait = random() * times[act] * 2
    await Promise.race([new Promise(resolve => setTimeout(resolve, wait)), act === 'clean' ? new Promise(() => {}) : all])
    if (acknowledged === steps.length && act !== 'clean') times[act] = 0.8 * times[act] + 0.2 * (performance.now() - began)
    else if (act !== 'clean') times[act] *= 1.15
    const ended = acknowledged
    kill()
    await all
    report.kills[act]++
    if (ended < steps.length) report.before++
    report.acknowledged += acknowledged
    return acknowledged
  }

  /** `states[n]` is what `n` steps leave. */
  async function judge(act: Act, states: PortableMemory[], acknowledged: number, found: PortableMemory): Promise<number> {
    const at = states.findLastIndex(state => same(state, found))
    if (at < 0) report.halfStates.push(`${act}: ${states.map(shape).join(' | ')} but found ${shape(found)}`)
    else if (at < acknowledged) report.lost.push(`${act}: ${acknowledged} acknowledged, ${at} there`)
    // A migration leaves what was there before it.
    else if (states.length > 1) report[at === 0 ? 'undone' : 'done']++
    return at
  }

  async function onMain(act: Act, steps: ((memory: Memory) => Promise<unknown>)[]): Promise<void> {
    const states = [await oracle.memory.export()]
    const snapshots = [await oracle.snapshot()]
    for (const step of steps) {
      await step(oracle.memory)
      states.push(await oracle.memory.export())
      snapshots.push(await oracle.snapshot())
    }
    const acknowledged = await interrupt(act, () => steps.map(step => step(memory)))
    const at = await judge(act, states, acknowledged, await persistently(() => memory.export()))
    if (at < states.length - 1) oracle = await engine(snapshots[Math.max(at, 0)])
  }

  async function perform(act: Act): Promise<void> {
    if (act === 'observe') {
      const said: Turn[] = Array.from({ length: 3 }, () => {
        const text = pick(['I love SUBJECT.', 'I know a lot about SUBJECT and I moved to Oslo.', 'I no longer care for SUBJECT.'])
        return { id: `t${turns++}`, text: text.replace('SUBJECT', pick(subjects)), at: 1_790_000_000_000 + turns * 1000 }
      })
      await onMain(
        act,
        said.map(turn => memory => memory.observe(turn)),
      )
    } else if (act === 'forget' || act === 'clean') {
      const [beliefs, exported] = [await oracle.memory.beliefs({ past: true }), await oracle.memory.export()]
      if (beliefs.length === 0) return
      const many = exported.turns.length > 60
      const { id } = pick(beliefs)
      await onMain(act, [many ? memory => memory.forgetAll() : memory => memory.forget(id)])
    } else if (act === 'import') {
      const { memory: other } = await engine()
      for (let i = 0; i < 4; i++) {
        const at = 1_780_000_000_000 + turns * 1000
        await other.observe({ id: pick([`i${turns}`, `i${turns - 3}`]), text: `I collect ${pick(subjects)} number ${turns++}.`, at })
      }
      const data = await other.export()
      const mode = pick(['skip', 'overwrite', 'append'] as const)
      await onMain(act, [memory => memory.import(data, mode)])
    } else {
      const own = `${name} ${act} ${turns++}`
      await writeSchema1(own)
      let opened: Memory | undefined
      const openOwn = async () => {
        opened = await open(own)
        if (act === 'encrypt') await opened.changePassphrase('correct horse')
      }
      const acknowledged = await interrupt(act, () => [openOwn()])
      await opened?.close().catch(() => {})
      const again = await persistently(() => open(own)).catch(error => {
        if (error.code === 'PassphraseNeeded') return open(own, { passphrase: 'correct horse' })
        throw error
      })
      if (act === 'encrypt' && acknowledged && !(await again.status()).encrypted) report.lost.push('encrypt: acknowledged and not there')
      await judge(act, [await (await engine(fromPortable(asExport()))).memory.export()], 0, await again.export())
      await again.forgetAll()
      await again.close()
    }
  }

  for (let n = 0; n < kills; n++) {
    const weights: Act[] = [
      'observe',
      'observe',
      'observe',
      'forget',
      'import',
      'import',
      'clean',
      'migrate',
      'migrate',
      random() < 0.2 ? 'encrypt' : 'forget',
    ]
    const act = pick(weights)
    const before = sum(report)
    await perform(act)
    if (sum(report) === before) n--
    onProgress?.(report)
    // A tab that has seen many workers is replaced, as a page would be.
    if (n % 100 === 99) {
      await memory.close()
      memory = await open(name)
    }
  }
  await memory.forgetAll()
  await memory.close()
  return report
}

/** That a worker was ended is known only a moment later: the first call may still find it gone. */
async function persistently<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if ((error as { code?: string }).code !== 'WorkerEnded' || attempt > 5) throw error
    }
  }
}

const sum = (report: Report) => Object.values(report.kills).reduce((a, b) => a + b, 0)

/** The oracle, with all that its store holds. */
async function engine(snapshot?: Snapshot): Promise<{ memory: Memory; snapshot(): Promise<Snapshot> }> {
  const store = openMemoryStore(snapshot)
  const memory = await openEngine({ name: 'oracle', store, models: noModels, now: Date.now, newId: () => crypto.randomUUID() })
  return { memory, snapshot: () => store.load() }
}

const asExport = (): PortableMemory => {
  const { vectors: _vectors, meta, ...records } = structuredClone(contents)
  return { format: 'credence', version: 1, exportedAt: new Date(0).toISOString(), ...records, tick: meta.tick }
}

const comparable = (data: PortableMemory) => JSON.stringify({ ...data, exportedAt: '' })
const same = (a: PortableMemory, b: PortableMemory) => comparable(a) === comparable(b)
const shape = (data: PortableMemory) =>
  `${data.turns.length} turns ${data.beliefs.length} beliefs ${data.evidence.length} evidence at ${data.tick}`
