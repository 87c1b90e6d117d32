/** Once the models are there, nothing is requested any more, from anywhere. */

import { expect, it } from 'vitest'
import { commands } from 'vitest/browser'
import { openMemory, type Memory, type MemoryOptions } from 'credence'

const open = (name: string, more: MemoryOptions = {}): Promise<Memory> =>
  openMemory({ name, assets: '/', device: 'wasm', models: { lm: false }, ...more })

it('no call of any kind makes a request after the load, and the next opening asks for no model (asks 57, 58, 84)', async () => {
  const name = `network-${Date.now()}`
  const memory = await open(name)
  const loading = await commands.takeRequests()
  expect(loading.filter(url => new URL(url).origin !== location.origin)).toEqual([])

  const { changes } = await memory.observe({ id: 'n1', text: 'I am allergic to peanuts.' })
  for await (const _ of memory.observeAll([
    { id: 'n2', text: 'Ich bin gestern nach Wien gezogen.' },
    { id: 'n3', text: '我喜欢喝茶。' },
  ]));
  const belief = changes[0]!.belief
  await memory.recall('Which foods must I avoid?')
  await memory.augment([{ role: 'user', content: 'What can I eat?' }])
  await memory.beliefs({ text: 'peanuts' })
  await memory.explain(belief)
  await memory.edit(belief, 'I am allergic to walnuts.')
  await memory.pin(belief)
  await memory.toMarkdown()
  await memory.import(await memory.export(), 'skip')
  await memory.retract(belief)
  await memory.forget(belief)
  await memory.status()
  await memory.forgetAll()
  await memory.close()
  expect(await commands.takeRequests()).toEqual([])

  const again = await open(name)
  expect((await again.status()).missing).toEqual([])
  await again.close()
  const second = (await commands.takeRequests()).map(url => new URL(url).pathname)
  expect(second.filter(path => path.startsWith('/models/') || path.endsWith('.wasm'))).toEqual([])
})

it('the Chinese model is requested at opening by who reads Chinese, and by nobody else', async () => {
  const models = { lm: false, nli: false, evidence: false } as const
  const chinese = async () => (await commands.takeRequests()).filter(url => url.includes('/models/embedder-zh/'))
  const name = `chinese-${Date.now()}`
  await chinese()

  const english = await open(name, { models, languages: ['en-US', 'de'] })
  await english.observe({ id: 'c1', text: '妻子是意大利人。' })
  expect((await english.recall('老婆来自哪个国家？')).needed).toBe(false)
  expect(await english.status()).toMatchObject({ languages: ['en-US', 'de'], missing: [] })
  await english.close()
  expect(await chinese()).toEqual([])

  const memory = await open(name, { models, languages: ['zh-CN', 'en'] })
  const status = await memory.status()
  expect(status).toMatchObject({ languages: ['zh-CN', 'en'], missing: [] })
  expect(status.models.map(({ role, selfTest }) => [role, selfTest])).toEqual([
    ['embedder', 'passed'],
    ['embedder-zh', 'passed'],
  ])
  expect(await chinese()).toHaveLength(2)
  // What was said before has its vectors now.
  const recalled = await memory.recall('老婆来自哪个国家？')
  expect(recalled.trace.candidates[0]).toMatchObject({ text: '妻子是意大利人。' })
  expect(recalled.needed).toBe(true)
  await memory.forgetAll()
  await memory.close()
  expect(await commands.takeRequests()).toEqual([])
})
