/** Once the models are there, nothing is requested any more, from anywhere. */

import { expect, it } from 'vitest'
import { commands } from 'vitest/browser'
import { openMemory, type Memory } from 'credence'

const open = (name: string): Promise<Memory> => openMemory({ name, assets: '/', device: 'wasm', models: { lm: false } })

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
