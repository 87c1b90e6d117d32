/** A big export through the real worker and database; by words alone, as it is the order of writes that is looked at, not the models. */

import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js'
import { expect, it } from 'vitest'
import { openMemory, type Memory } from 'credence'
import { importTranscript, readTranscript, type ImportReport } from 'credence/import'
import { chatGptExport } from '../../fixtures/chatgpt-export.ts'

const open = (name: string) =>
  openMemory({
    name: `${name}-${Date.now()}`,
    assets: '/',
    device: 'wasm',
    models: { embedder: false, nli: false, evidence: false, lm: false },
  })

const bank = async (memory: Memory) => {
  const { exportedAt: _, ...rest } = await memory.export()
  return rest
}

it('2,000 messages come in with progress, can be stopped and continued, and give the same bank as in one go', async () => {
  const { json, expected } = chatGptExport({ messages: 2000, conversations: 40 })
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false })
  await writer.add('conversations.json', new TextReader(json))
  const file = await writer.close()

  const whole = await open('whole')
  const growing: number[] = []
  const report = await importTranscript(whole, await readTranscript(file), { onProgress: ({ turns }) => growing.push(turns) })
  expect(report).toMatchObject({ turns: 2000, total: 2000, repeated: 0 })
  expect(growing).toEqual(Array.from({ length: 2000 }, (_, i) => i + 1))
  expect((await readTranscript(file)).summary).toEqual({ format: 'chatgpt', ...expected })
  expect(report.changes.created).toBeGreaterThan(10)
  expect(report.ignored['not-user']).toBe(1000)
  expect(report.ignored.question).toBeGreaterThan(50)

  const parts = await open('parts')
  for (const stopAt of [1, 333, 1200]) {
    const controller = new AbortController()
    const onProgress = ({ turns }: ImportReport) => turns === stopAt && controller.abort()
    const stopped = importTranscript(parts, await readTranscript(file), { signal: controller.signal, onProgress })
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
    const { turns } = await parts.status()
    expect(turns).toBeGreaterThanOrEqual(stopAt)
    expect(turns).toBeLessThan(2000)
  }
  const rest = await importTranscript(parts, await readTranscript(file))
  expect(rest.turns).toBe(2000)
  expect(rest.repeated).toBeGreaterThanOrEqual(1200)

  const [inParts, inOneGo] = [await bank(parts), await bank(whole)]
  expect(inParts.turns).toHaveLength(2000)
  expect(inParts).toEqual(inOneGo)
  await Promise.all([whole.forgetAll(), parts.forgetAll()])
  await Promise.all([whole.close(), parts.close()])
})
