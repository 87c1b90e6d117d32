/** On which device a model runs: by test and measurement, not by preference. */

import { abortError, CredenceError } from '../errors.ts'
import type { Device, ModelRole, ModelStatus, Progress } from '../memory.ts'
import type { Graph } from './graph.ts'
import type { Head } from './head.ts'
import { isEmbedder, type Item, type ModelSpec, type Reference } from './manifest.ts'
import type { Parts, Session } from './session.ts'

export interface Choice {
  device: Device
  timings: ModelStatus['timings']
}

/** What can run graphs here. */
export interface Backend {
  /** Devices to try. */
  readonly devices: readonly Device[]
  /** Whether the first device that passes is taken, not the fastest. */
  readonly firstWins: boolean
  /** Devices that were asked for and are not there. */
  readonly refused: readonly Refusal[]
  /** Choices of earlier visits, by model. */
  readonly choices: Map<string, Choice>
  create(parts: Parts, device: Device): Promise<Session>
}

export type Refusal = ModelStatus['refused'][number]

export interface Model {
  role: ModelRole
  spec: ModelSpec
  head: Head
  parts(): Promise<Parts>
}

export interface Placement {
  session: Session
  device: Device
  selfTest: 'passed' | 'none'
  timings: ModelStatus['timings']
  refused: Refusal[]
}

/** What a remembered choice hangs on, besides the machine. */
export const choiceKey = (role: ModelRole, spec: ModelSpec) => `${role} ${stampOf(spec)}`

export const stampOf = (spec: ModelSpec) => `${spec.id}@${spec.revision}/${spec.dtype}`

/**
 * Builds a session on the device that answers right and is fastest. One that was found so at an earlier visit is tested again, but not timed
 * against the others. Rejects with the last device's failure when no device is right.
 */
export async function place(
  model: Model,
  backend: Backend,
  options: { onProgress?: ((progress: Progress) => void) | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Placement> {
  const { role, spec, head } = model
  // Without a reference each device is measured by another one, at every visit.
  const known = spec.reference && !backend.firstWins ? backend.choices.get(choiceKey(role, spec)) : undefined
  const order = orderOf(backend, spec, known)
  const parts = await model.parts()
  const refused: Refusal[] = [...backend.refused]
  const passed: { device: Device; session: Session; selfTest: Placement['selfTest'] }[] = []
  const timings: ModelStatus['timings'] = { ...known?.timings }
  let reference = spec.reference
  let failure: unknown

  for (const device of order) {
    if (passed.some(one => known || (backend.firstWins && one.device === backend.devices[0]))) break
    if (options.signal?.aborted) throw abortError(options.signal)
    let session: Session | undefined
    try {
      session = await backend.create(parts, device)
      options.onProgress?.({ stage: 'self-test', item: spec.id, done: 0, total: 1 })
      const started = performance.now()
      const outputs = await head.outputs(session, reference?.items ?? probes(role), options.signal)
      timings[device] ??= performance.now() - started
      const difference = reference && differenceOf(outputs, reference, head)
      if (difference)
        throw new CredenceError('ModelFailed', `${spec.id} gives wrong answers on ${device}: ${difference}; it is not used there`)
      passed.push({ device, session, selfTest: reference ? 'passed' : 'none' })
      reference ??= { items: probes(role), outputs, tolerance: ownTolerance[role] }
      options.onProgress?.({ stage: 'self-test', item: spec.id, done: 1, total: 1 })
    } catch (cause) {
      await session?.release().catch(() => undefined)
      if (options.signal?.aborted) throw abortError(options.signal)
      failure = cause
      delete timings[device]
      refused.push({ device, reason: cause instanceof Error ? cause.message.replace(/^credence: /, '') : String(cause) })
    }
  }
  if (passed.length === 0) throw failure

  if (backend.firstWins) passed.sort((a, b) => backend.devices.indexOf(a.device) - backend.devices.indexOf(b.device))
  else if (passed.length > 1) {
    // The test run was also the warm-up: shaders are compiled and caches filled, so the second run is the one to compare.
    for (const { device, session } of passed) {
      const started = performance.now()
      await head.outputs(session, reference!.items, options.signal)
      timings[device] = performance.now() - started
    }
    passed.sort((a, b) => timings[a.device]! - timings[b.device]!)
  }
  const [best, ...others] = passed as [(typeof passed)[0], ...typeof passed]
  for (const other of others) await other.session.release().catch(() => undefined)
  if (!backend.firstWins) backend.choices.set(choiceKey(role, spec), { device: best.device, timings })
  return { session: best.session, device: best.device, selfTest: best.selfTest, timings, refused }
}

/** Without a reference the WASM answers are the reference, so they come first. */
function orderOf(backend: Backend, spec: ModelSpec, known: Choice | undefined): Device[] {
  const first = known?.device ?? (spec.reference ? backend.devices[0] : 'wasm')
  return [...backend.devices].sort((a, b) => Number(b === first) - Number(a === first))
}

function probes(role: ModelRole): Item[] {
  const texts = ['tea', 'I like drinking coffee.', 'My sister moved from Lisbon to a small village near Utrecht in spring.']
  return isEmbedder(role) ? texts : texts.map(text => [text, 'What do I like to drink in the morning?'] as const)
}

const ownTolerance: Record<ModelRole, Reference['tolerance']> = {
  embedder: { kind: 'cosine', least: 0.98 },
  'embedder-zh': { kind: 'cosine', least: 0.98 },
  nli: { kind: 'absolute', most: 0.5 },
  evidence: { kind: 'absolute', most: 0.5 },
  lm: { kind: 'absolutePerToken', most: 0.05 },
}

/** What is beyond the tolerance, or undefined. Not a number is always beyond it. */
export function differenceOf(outputs: readonly (readonly number[])[], reference: Reference, head: Head): string | undefined {
  const { tolerance } = reference
  for (const [k, expected] of reference.outputs.entries()) {
    const found = outputs[k]!
    if (found.length !== expected.length) return `${found.length} numbers instead of ${expected.length}`
    if (tolerance.kind === 'cosine') {
      const cosine = dot(found, expected) / Math.sqrt(dot(found, found) * dot(expected, expected))
      if (!(cosine >= tolerance.least)) return `cosine ${cosine.toFixed(4)} with the reference, at least ${tolerance.least} wanted`
    } else {
      const most = tolerance.kind === 'absolute' ? tolerance.most : tolerance.most * head.terms(reference.items[k]!)
      for (const [i, value] of expected.entries()) {
        if (!(Math.abs(found[i]! - value) <= most))
          return `${found[i]!.toFixed(3)} instead of ${value.toFixed(3)}, at most ${most.toFixed(3)} apart wanted`
      }
    }
  }
  return undefined
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, k) => sum + value * b[k]!, 0)
}

/**
 * The graph of a placed model. When a run on the GPU fails, as by the loss of the device, the session is built anew and the run repeated: first there,
 * and when it fails again on another device.
 */
export function steady(model: Model, backend: Backend, placement: Placement, changed: (placement: Placement) => void): Session {
  let current = placement
  let repair: Promise<Placement> | undefined

  async function rebuild(leave: boolean): Promise<Placement> {
    await current.session.release().catch(() => undefined)
    const others = backend.devices.filter(device => device !== current.device)
    current = await place(model, { ...backend, devices: leave ? others : [current.device, ...others], firstWins: true })
    changed(current)
    return current
  }

  const run: Graph['run'] = async (feeds, outputs, signal) => {
    for (let failures = 1; ; failures++) {
      const used = current
      try {
        return await used.session.run(feeds, outputs, signal)
      } catch (cause) {
        if (signal?.aborted || used.device !== 'webgpu') throw cause
        if (current === used) await (repair ??= rebuild(failures > 1).finally(() => (repair = undefined)))
      }
    }
  }
  return {
    get inputs() {
      return current.session.inputs
    },
    get outputs() {
      return current.session.outputs
    },
    get batchTokens() {
      return current.session.batchTokens
    },
    run,
    release: () => current.session.release(),
  }
}
