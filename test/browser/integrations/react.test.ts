/** The hooks in the real React, in strict mode, which mounts every component twice. */

import { createElement, StrictMode, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useBeliefs, useMemory, type UseMemory } from 'credence/react'

let name: string
const workers = vi.fn<() => void>()
const ended = vi.fn<() => void>()
let root: Root
let shown: UseMemory
let texts: string[] | null

const Original = globalThis.Worker
class Counted extends Original {
  constructor(...args: ConstructorParameters<typeof Worker>) {
    super(...args)
    workers()
  }
  override terminate() {
    ended()
    super.terminate()
  }
}

function Chat({ assets = '/' }: { assets?: string }): ReactNode {
  shown = useMemory({ name, assets, device: 'wasm', models: { lm: false } })
  texts = useBeliefs(shown.memory)?.map(belief => belief.text) ?? null
  return shown.memory ? 'ready' : shown.error ? String(shown.error) : (shown.progress?.stage ?? 'opening')
}

const render = (...children: ReactNode[]) => flushSync(() => root.render(createElement(StrictMode, null, ...children)))
const ready = () => vi.waitUntil(() => document.body.textContent === 'ready', { timeout: 3 * 60_000 })

beforeEach(() => {
  name = `react-${crypto.randomUUID()}`
  globalThis.Worker = Counted
  workers.mockClear()
  ended.mockClear()
  const element = document.createElement('main')
  document.body.replaceChildren(element)
  root = createRoot(element)
})
afterEach(async () => {
  root.unmount()
  globalThis.Worker = Original
})

it('opens one worker in strict mode, shows beliefs as they form, and closes with its last user (asks 96)', async () => {
  render(createElement(Chat))
  await ready()
  expect(workers).toHaveBeenCalledTimes(1)
  expect(shown.error).toBeNull()
  await shown.memory!.observe({ text: 'I play the cello.' })
  await vi.waitUntil(() => texts?.[0] === 'I play the cello.', { timeout: 20_000 })

  render(createElement('div', { key: 'other' }, createElement(Chat)))
  await ready()
  expect(workers).toHaveBeenCalledTimes(1)
  expect(ended).not.toHaveBeenCalled()

  root.unmount()
  await vi.waitUntil(() => ended.mock.calls.length === 1, { timeout: 20_000 })
  expect(workers).toHaveBeenCalledTimes(1)
})

it('shares one worker between components', async () => {
  render(createElement(Chat, { key: 1 }), createElement(Chat, { key: 2 }))
  await vi.waitUntil(() => document.body.textContent === 'readyready', { timeout: 3 * 60_000 })
  expect(workers).toHaveBeenCalledTimes(1)
})

it('tells why it cannot open', async () => {
  render(createElement(Chat, { assets: 'http://[' }))
  await vi.waitUntil(() => shown.error !== null, { timeout: 20_000 })
  expect(shown.error).toMatchObject({ code: 'InvalidArgument' })
  expect(shown.memory).toBeNull()
})
