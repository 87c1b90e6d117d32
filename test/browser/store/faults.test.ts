/** What can go wrong with a database under a memory, and what the memory makes of it. */

import fc from 'fast-check'
import { openMemory } from 'credence'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openEngine } from '../../../src/engine/index.ts'
import type { Models, Store } from '../../../src/engine/ports.ts'
import type { Memory, MemoryEvent, ModelStatus } from '../../../src/memory.ts'
import { openStore } from '../../../src/store/open.ts'
import { copyName, VERSION } from '../../../src/store/schema.ts'
import { freshName } from '../../unit/store/suite.ts'
import { contents, writeSchema1 } from './fixtures/schema-1.ts'
import { noModels } from './no-models.ts'
import { change, dump, flat, settled } from './raw.ts'

const none = { embedder: false, nli: false, evidence: false, lm: false } as const
const start = 1_790_000_000_000

async function open(
  name: string,
  options: { readOnly?: boolean; clock?: { now: number } } = {},
): Promise<{ memory: Memory; store: Store }> {
  const { clock = { now: start }, readOnly = false } = options
  const store = await openStore(name, { readOnly })
  const memory = await openEngine({ name, store, models: noModels, now: () => clock.now, newId: () => crypto.randomUUID() }, { readOnly })
  onTestFinished(() => memory.close())
  return { memory, store }
}

describe('a database of an older schema', () => {
  it('is brought up to date with all that it holds', async () => {
    const name = freshName()
    await writeSchema1(name)
    const { memory, store } = await open(name)
    const { vectors, meta, ...records } = contents
    expect(await store.load()).toStrictEqual({ ...records, vectors, meta, generation: 7 })
    expect((await memory.beliefs()).map(b => b.text)).toEqual(['I live in Oslo.', 'I play the cello.'])
    await memory.observe({ id: 'm4', text: 'I keep bees.' })
    expect((await store.load()).generation).toBe(8)
    const db = await settled(indexedDB.open(`credence/${name}`))
    expect(db.version).toBe(VERSION)
    db.close()
  })

  it('that an older tab has open is taken over when that tab gives way, and waits for it in bounded time (asks 98)', async () => {
    const name = freshName()
    await writeSchema1(name)
    const old = await settled(indexedDB.open(`credence/${name}`, 1))
    let asked = false
    old.onversionchange = () => {
      asked = true
      setTimeout(() => old.close(), 200)
    }
    const { memory } = await open(name)
    expect(asked).toBe(true)
    expect(await memory.beliefs()).toHaveLength(2)
  })
})

describe('two engines', () => {
  it('that write at the same time lose nothing, and end in one state (asks 14)', async () => {
    const name = freshName()
    const [one, two] = [await open(name), await open(name)]
    const said = (who: string, memory: Memory) =>
      Array.from({ length: 25 }, (_, i) => memory.observe({ id: `${who}${i}`, text: `I own ${i + 2} books about ${who}.` }))
    await Promise.all([...said('chess', one.memory), ...said('bees', two.memory)])
    const [a, b] = [await one.memory.export(), await two.memory.export()]
    expect(a.turns).toHaveLength(50)
    expect({ ...a, exportedAt: '' }).toEqual({ ...b, exportedAt: '' })
    expect((await one.memory.status()).turns).toBe(50)
  })
})

describe('no room', () => {
  it('stops writing, is told once, and ends when something is forgotten (asks 101)', async () => {
    const { memory, store } = await open(freshName())
    const events: MemoryEvent[] = []
    memory.subscribe(event => void events.push(event))
    await memory.observe({ id: 'm1', text: 'I play the cello.' })
    const original = IDBObjectStore.prototype.put
    let tries = 0
    IDBObjectStore.prototype.put = function (...args) {
      if (this.name === 'turns') {
        tries++
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      }
      return original.apply(this, args)
    }
    onTestFinished(() => void (IDBObjectStore.prototype.put = original))
    for (const id of ['m2', 'm3', 'm4']) {
      await expect(memory.observe({ id, text: 'I keep bees.' })).rejects.toMatchObject({ code: 'QuotaExceeded' })
    }
    expect(tries).toBe(1)
    expect(events.map(event => event.type)).toEqual(['observed', 'read-only'])
    expect(await memory.status()).toMatchObject({ readOnly: 'no room is left for the database', turns: 1 })
    expect((await memory.recall('cello')).needed).toBe(true)
    IDBObjectStore.prototype.put = original
    await memory.forget({ turn: 'm1' })
    expect((await memory.status()).readOnly).toBeNull()
    await memory.observe({ id: 'm2', text: 'I keep bees.' })
    expect((await store.load()).turns.map(turn => turn.id)).toEqual(['m2'])
  })
})

describe('storage', () => {
  it('that was taken away is noticed when the memory is opened again (asks 103, 104)', async () => {
    const name = freshName()
    const options = { name, assets: '/', models: none }
    const first = await openMemory(options)
    expect((await first.status()).storage).toMatchObject({ evicted: false, temporary: false })
    await first.observe({ id: 'm1', text: 'I play the cello.' })
    await first.close()
    const second = await openMemory(options)
    expect((await second.status()).storage.evicted).toBe(false)
    await second.close()
    await settled(indexedDB.deleteDatabase(`credence/${name}`))
    const third = await openMemory(options)
    expect((await third.status()).storage.evicted).toBe(true)
    // What the person erased is no loss.
    await third.observe({ id: 'm2', text: 'I keep bees.' })
    await third.forgetAll()
    await third.close()
    const fourth = await openMemory(options)
    expect((await fourth.status()).storage.evicted).toBe(false)
    await fourth.close()
  })

  it('that the browser does not give is memory for the time being, and says so (asks 91)', async () => {
    const refused = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    })
    onTestFinished(() => refused.mockRestore())
    const { memory } = await open(freshName())
    await memory.observe({ id: 'm1', text: 'I play the cello.' })
    expect((await memory.beliefs()).map(b => b.text)).toEqual(['I play the cello.'])
    expect((await memory.status()).storage).toMatchObject({ temporary: true, persisted: null })
  })
})

it('damaged records are left out and told of, and the rest works', async () => {
  const name = freshName()
  const first = await open(name)
  await first.memory.observe({ id: 'm1', text: 'I play the cello and I keep bees.' })
  await first.memory.observe({ id: 'm2', text: 'I live in Oslo.' })
  await first.memory.close()
  await change(name, ['beliefs', 'turns'], async tx => {
    const [beliefs, turns] = [tx.objectStore('beliefs'), tx.objectStore('turns')]
    beliefs.put({ ...((await settled(beliefs.get(1))) as object), confidence: NaN }, 1)
    turns.put('noise', 2)
  })
  const { memory } = await open(name)
  expect(await memory.status()).toMatchObject({ quarantined: 2, turns: 1 })
  for (const belief of await memory.beliefs({ past: true })) {
    await memory.explain(belief.id)
    await memory.history(belief.id)
  }
  await memory.recall('cello, bees, Oslo?')
  await memory.observe({ id: 'm3', text: 'I play the cello.' })
  await memory.import(await memory.export(), 'overwrite')
  expect((await memory.status()).quarantined).toBe(2)
})

it('a clock that goes backwards changes no order and loses nothing', async () => {
  const clock = { now: start }
  const { memory } = await open(freshName(), { clock })
  for (const [i, at] of [0, 3_600_000, -86_400_000, -86_399_000, 0].entries()) {
    clock.now = start + at
    await memory.observe({ id: `m${i}`, text: `I own ${i + 2} boats.` })
  }
  const exported = await memory.export()
  expect((exported.turns as { id: string; tick: number }[]).map(turn => [turn.id, turn.tick])).toEqual([
    ['m0', 1],
    ['m1', 2],
    ['m2', 3],
    ['m3', 4],
    ['m4', 5],
  ])
  for (const belief of await memory.beliefs({ past: true })) expect(belief.confidence).toBeGreaterThan(0)
  expect((await memory.recall('boats')).needed).toBe(true)
})

describe('a cleaning that was ended in the midst', () => {
  const copyTo = async (name: string, target: string) => {
    const from = await dump(name)
    const request = indexedDB.open(target, VERSION)
    request.onupgradeneeded = () => {
      for (const store of Object.keys(from)) {
        const made = request.result.createObjectStore(store, store === 'meta' || store === 'vault' ? {} : { autoIncrement: true })
        if (store !== 'meta' && store !== 'vault') made.createIndex('id', store === 'vectors' ? 'key' : 'id', { unique: true })
      }
    }
    const db = await settled(request)
    const tx = db.transaction([...db.objectStoreNames], 'readwrite')
    for (const [store, [keys, values]] of Object.entries(from)) keys.forEach((key, i) => tx.objectStore(store).put(values[i], key))
    await new Promise(resolve => (tx.oncomplete = resolve))
    db.close()
  }
  const filled = async () => {
    const name = freshName()
    const { memory, store } = await open(name)
    await memory.observe({ id: 'm1', text: 'I play the cello.' })
    const snapshot = await store.load()
    await memory.close()
    return { name, snapshot }
  }
  const left = async (name: string) => (await indexedDB.databases()).some(found => found.name === copyName(name))

  it('after the database was deleted takes the copy back', async () => {
    const { name, snapshot } = await filled()
    await copyTo(name, copyName(name))
    await settled(indexedDB.deleteDatabase(`credence/${name}`))
    const { store } = await open(name)
    expect(await store.load()).toStrictEqual(snapshot)
    expect(await left(name)).toBe(false)
  })

  it('before that keeps what was written since', async () => {
    const { name } = await filled()
    await copyTo(name, copyName(name))
    await change(name, ['meta'], tx => void tx.objectStore('meta').put(9, ['generation']))
    const { store } = await open(name)
    expect((await store.load()).generation).toBe(9)
    expect(await left(name)).toBe(false)
  })

  it('when the copy was not yet written leaves it', async () => {
    const { name, snapshot } = await filled()
    ;(await settled(indexedDB.open(copyName(name), 1))).close()
    await settled(indexedDB.deleteDatabase(copyName(name)))
    const request = indexedDB.open(copyName(name), 1)
    request.onupgradeneeded = () => {
      for (const store of ['turns', 'beliefs', 'evidence', 'trails', 'vectors', 'labels'])
        request.result
          .createObjectStore(store, { autoIncrement: true })
          .createIndex('id', store === 'vectors' ? 'key' : 'id', { unique: true })
      request.result.createObjectStore('meta')
    }
    ;(await settled(request)).close()
    const { store } = await open(name)
    expect(await store.load()).toStrictEqual(snapshot)
    expect(await left(name)).toBe(false)
  })

  it('that ran to its end leaves what there was, and writes of other engines wait for it', async () => {
    const name = freshName()
    const [one, two] = [await open(name), await open(name)]
    await one.memory.observe({ id: 'm1', text: 'I play the xylophone.' })
    await one.memory.observe({ id: 'm2', text: 'I keep bees.' })
    await one.memory.forget({ turn: 'm1' })
    expect((await one.memory.status()).storage.erasing).toBe(true)
    for (let n = 0; n < 30; n++) {
      await two.memory.observe({ id: `n${n}`, text: `I own ${n + 2} boats.` })
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    const texts = ((await two.memory.export()).turns as { text: string }[]).map(turn => turn.text)
    expect(texts[0]).toBe('I keep bees.')
    expect(texts.slice(1)).toEqual(texts.slice(1).map((_, n) => `I own ${n + 2} boats.`))
    expect(texts).toHaveLength(31)
    expect(flat(await dump(name))).not.toMatch(/xylophone|due/)
  })
})

describe('a private session', () => {
  it('reads, and leaves the database as it is to the last byte (asks 55, 56)', async () => {
    const name = freshName()
    const first = await open(name)
    await first.memory.observe({ id: 'm1', text: 'I play the cello.' })
    await first.memory.close()
    const before = await dump(name)
    const { memory } = await open(name, { readOnly: true })
    expect((await memory.recall('Which instrument do I play, the cello?')).needed).toBe(true)
    expect((await memory.observe({ text: 'I keep bees.' })).propositions[0]!.reason).toBe('read-only')
    const id = (await memory.beliefs())[0]!.id
    const exported = await memory.export()
    const refused = [
      () => memory.edit(id, 'x'),
      () => memory.pin(id),
      () => memory.retract(id),
      () => memory.forget(id),
      () => memory.forgetAll(),
      () => memory.import(exported),
      () => memory.changePassphrase('x'),
    ]
    for (const call of refused) await expect(call()).rejects.toMatchObject({ code: 'ReadOnly' })
    await memory.status()
    await memory.close()
    expect(await dump(name)).toEqual(before)
  })
})

describe('erasure and correction', () => {
  it('are different things, and look different in the history (asks 11, 51, 52)', async () => {
    const name = freshName()
    const { memory } = await open(name)
    await memory.observe({ id: 'm1', text: 'I play the cello.' })
    const [belief] = await memory.beliefs()
    await memory.edit(belief!.id, 'I play the viola.')
    expect((await memory.explain(belief!.id)).trail.map(point => [point.kind, point.replaced])).toEqual([
      ['created', undefined],
      ['edited', 'I play the cello.'],
    ])
    await memory.retract(belief!.id)
    expect(await memory.history(belief!.id)).toMatchObject([{ text: 'I play the viola.', retracted: true }])
    expect(flat(await dump(name))).toMatch(/cello/)
    expect(await memory.forget(belief!.id)).toEqual({ beliefs: [belief!.id], turns: ['m1'] })
    await expect(memory.history(belief!.id)).rejects.toMatchObject({ code: 'NotFound' })
    expect(flat(await dump(name))).not.toMatch(/cello|viola/)
    expect(JSON.stringify(await memory.recall('cello viola'))).not.toMatch(/I play/)
  })

  it('go by the message: each belief leads to its words there, and goes with it (asks 61, 62)', async () => {
    const { memory } = await open(freshName())
    await memory.observe({ id: 'm1', text: 'I have a dog called Otto. I have two cats.' })
    await memory.observe({ id: 'm2', text: 'I keep bees.' })
    const [belief] = await memory.beliefs({ text: 'Otto' })
    const { evidence } = await memory.explain(belief!.id)
    expect(evidence.map(e => [e.turn, e.span, e.quote])).toEqual([['m1', [0, 25], 'I have a dog called Otto.']])
    expect((await memory.forget({ turn: 'm1' })).turns).toEqual(['m1'])
    expect((await memory.beliefs()).map(b => b.text)).toEqual(['I keep bees.'])
    await expect(memory.turn('m1')).rejects.toMatchObject({ code: 'NotFound' })
  })

  it('what was learned from something forgotten is unlearned', async () => {
    const [one, two] = [await open(freshName()), await open(freshName())]
    await one.memory.observe({ id: 'm1', text: 'I play the cello.' })
    await one.memory.observe({ id: 'm2', text: 'I keep bees.' })
    const exported = await one.memory.export()
    const [cello, bees] = ['cello', 'bees'].map(word =>
      (exported.beliefs as { id: string; text: string }[]).find(b => b.text.includes(word))!,
    )
    const label = (n: number, of: { id: string; text: string }) => ({
      id: `l${n}`,
      query: `question ${of.id}`,
      item: `belief:${of.id}`,
      text: of.text,
      salienceAnswer: n % 2 ? 3 : -1,
      used: false,
      at: start,
      features: Array.from({ length: 12 }, (_, i) => Math.sin(n * 12 + i)),
    })
    const about = (of: { id: string; text: string }, from: number) => Array.from({ length: 6 }, (_, i) => label(from + i, of))
    const all = { ...exported, labels: [...about(cello!, 0), ...about(bees!, 6)] }
    await one.memory.import(all, 'overwrite')
    await two.memory.import({ ...exported, labels: about(bees!, 6) }, 'overwrite')
    const head = async ({ store }: { store: Store }) => (await store.load()).meta['head']
    expect(await head(one)).not.toEqual(await head(two))
    await one.memory.forget(cello!.id)
    expect(await head(one)).toEqual(await head(two))
    expect((await one.store.load()).labels).toHaveLength(6)
  })
})

it('memories of different names never mix, in any index and whatever is done to them (asks 48, 49, 50)', { timeout: 300_000 }, async () => {
  const words = ['cello', 'bees', 'chess', 'Oslo', 'jazz']
  const act = fc.record({
    who: fc.nat(1),
    what: fc.constantFrom('observe', 'observe', 'observe', 'forget', 'edit', 'import'),
    word: fc.constantFrom(...words),
    n: fc.nat(9),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), async acts => {
      const names = ['anna', 'bert']
      const memories = [await open(freshName()), await open(freshName())]
      for (const [i, { who, what, word, n }] of acts.entries()) {
        const { memory } = memories[who]!
        const beliefs = await memory.beliefs({ past: true })
        const text = `I told ${names[who]} about ${word} ${n}.`
        const one = beliefs[n % (beliefs.length || 1)]
        if (what === 'observe' || !one) await memory.observe({ id: `m${i}`, text })
        else if (what === 'forget') await memory.forget(one.id)
        else if (what === 'edit') await memory.edit(one.id, text)
        else await memory.import(await memory.export(), 'append')
      }
      for (const who of [0, 1]) {
        const { memory } = memories[who]!
        const seen: unknown[] = [await memory.export(), await memory.beliefs({ past: true }), await memory.toMarkdown()]
        for (const word of words) seen.push(await memory.recall(`What about ${word}?`), await memory.beliefs({ text: word, past: true }))
        expect(JSON.stringify(seen)).not.toContain(names[1 - who])
      }
      for (const { memory } of memories) await memory.close()
    }),
    { numRuns: 20 },
  )
})

describe('another embedder', () => {
  /** Letters counted in so many boxes: enough to tell one model's vectors from another's. */
  const embedder = (stamp: string, dimensions: number, calls: string[], breaksAt = Infinity): Models => ({
    ...noModels,
    has: { ...noModels.has, embedder: true },
    vectorStamp: stamp,
    dimensions,
    async embed(texts) {
      return texts.map(text => {
        if (text.includes('boat')) calls.push(text)
        if (calls.length > breaksAt) throw new Error('the device was lost')
        const vector = new Float32Array(dimensions)
        for (const letter of text) vector[letter.codePointAt(0)! % dimensions]! += 1
        const length = Math.hypot(...vector) || 1
        return vector.map(value => value / length)
      })
    },
    status: () => ({ models: [{ role: 'embedder', languages: ['en'] } as ModelStatus], missing: [] }),
  })
  const openWith = async (name: string, models: Models) => {
    const store = await openStore(name)
    const memory = await openEngine({ name, store, models, now: () => start, newId: () => crypto.randomUUID() })
    onTestFinished(() => memory.close())
    return { memory, store }
  }

  it.each([8, 12])(
    'of %i numbers is never compared with the old one; its vectors are made again from the texts, and nothing else is (asks 64, 65, 66)',
    async dimensions => {
      const name = freshName()
      const first = await openWith(name, embedder('old@1/int8', 8, []))
      for (let n = 0; n < 40; n++) await first.memory.observe({ id: `m${n}`, text: `I own boat number ${n}.` })
      const before = await first.memory.export()
      await first.memory.close()

      // Ended in the midst of it, it goes on where it stopped.
      const calls: string[] = []
      const second = await openWith(name, embedder('new@1/int8', dimensions, calls, 40))
      expect((await second.memory.recall('Which boat number 7 do I own?')).needed).toBe(true)
      await expect.poll(() => calls.length).toBe(41)
      await second.memory.close()

      const again: string[] = []
      const third = await openWith(name, embedder('new@1/int8', dimensions, again))
      await expect
        .poll(async () => (await third.store.load()).vectors.filter(v => v.stamp !== 'new@1/int8').length, { timeout: 20_000 })
        .toBe(0)
      expect(again.length).toBeLessThan(calls.length + 40)
      expect({ ...(await third.memory.export()), exportedAt: '' }).toEqual({ ...before, exportedAt: '' })
    },
  )
})
