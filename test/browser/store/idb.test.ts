import { cdp, server } from 'vitest/browser'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openIdbStore } from '../../../src/store/idb.ts'
import { openStore } from '../../../src/store/open.ts'
import { VERSION } from '../../../src/store/schema.ts'
import { belief, evidence, nothing, turn, vector } from '../../unit/store/records.ts'
import { everyKind, freshName, storeSuite, type Store } from '../../unit/store/suite.ts'

const plain = {
  sound: true,
  open: (name: string) => openIdbStore(name),
  async reopen(store: Store, name: string) {
    await store.close()
    return openIdbStore(name)
  },
}
const encrypted = {
  sound: true,
  open: (name: string) => openStore(name, { passphrase: 'correct horse' }),
  async reopen(store: Store, name: string) {
    await store.close()
    return openStore(name, { passphrase: 'correct horse' })
  },
}

// Fewer random runs than in memory: every commit waits for the disk, and the files are cleaned after each erasure.
storeSuite('in IndexedDB', plain, 4)
storeSuite('encrypted', encrypted, 2)

/** A store of its own within the origin, with a limit that the browser enforces. */
interface StorageBuckets {
  storageBuckets: { open(name: string, options: { quota: number }): Promise<{ indexedDB: IDBFactory }> }
}

const isChromium = server.browser === 'chromium'

/** What a page cannot do to its own storage. */
const devtools = (method: string, params: object): Promise<unknown> =>
  (cdp() as unknown as { send(method: string, params: object): Promise<unknown> }).send(method, params)

/** The browser's own calls, with nothing of ours in between. */
function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function rawOpen(name: string, version?: number, upgrade?: (db: IDBDatabase) => void): Promise<IDBDatabase> {
  const request = indexedDB.open(`credence/${name}`, version)
  request.onupgradeneeded = () => upgrade?.(request.result)
  const db = await settled(request)
  onTestFinished(() => db.close())
  return db
}

const finished = (tx: IDBTransaction) =>
  new Promise<void>((resolve, reject) => {
    tx.oncomplete = () => resolve()
    tx.onabort = () => reject(tx.error)
  })

/** Everything in the database: keys and values of every store and every index. */
async function rawDump(name: string): Promise<Record<string, unknown>> {
  const db = await rawOpen(name)
  const dump: Record<string, unknown> = {}
  const tx = db.transaction([...db.objectStoreNames])
  for (const storeName of db.objectStoreNames) {
    const store = tx.objectStore(storeName)
    dump[storeName] = [await settled(store.getAllKeys()), await settled(store.getAll())]
    for (const index of store.indexNames) {
      const keys: IDBValidKey[] = []
      const request = store.index(index).openKeyCursor()
      for (let cursor = await settled(request); cursor; cursor = await settled(request)) {
        keys.push(cursor.key)
        cursor.continue()
      }
      dump[`${storeName}.${index}`] = keys
    }
  }
  db.close()
  return dump
}

async function fresh(): Promise<[Store, string]> {
  const name = freshName()
  const store = await openIdbStore(name)
  onTestFinished(() => store.close())
  return [store, name]
}

describe('atomicity', () => {
  it('changes nothing when the database refuses one of the records', async () => {
    const [store] = await fresh()
    await store.commit({ put: everyKind }, 0)
    const before = await store.load()
    const noKey = belief('x', { id: { not: 'a key' } as unknown as string })
    const change = { put: { turns: [turn('t9')], beliefs: [belief('n'), noKey], meta: { tick: 99 } }, remove: { beliefs: ['z'] } }
    await expect(store.commit(change, 1)).rejects.toMatchObject({ code: 'StoreFailed', cause: { name: 'DataError' } })
    expect(await store.load()).toStrictEqual(before)
  })

  it('shows a reader the state before or after a commit, never one between', async () => {
    const [store, name] = await fresh()
    const reader = await openIdbStore(name)
    let stop = false
    const seen: Promise<number[]> = (async () => {
      const sizes = new Set<number>()
      while (!stop) {
        const { turns, beliefs, vectors, generation } = await reader.load()
        expect([turns.length, beliefs.length, vectors.length]).toEqual([generation * 50, generation * 50, generation * 50])
        sizes.add(generation)
      }
      return [...sizes]
    })()
    for (let n = 0; n < 20; n++) {
      const ids = Array.from({ length: 50 }, (_, i) => `${n}.${i}`)
      const put = {
        turns: ids.map((id, i) => turn(id, { order: n * 50 + i })),
        beliefs: ids.map(id => belief(id)),
        vectors: ids.map(id => vector(`b:${id}`)),
      }
      await store.commit({ put }, n)
    }
    stop = true
    expect((await seen).length).toBeGreaterThan(1)
    await reader.close()
  })
})

it('holds whole commits alone when its worker was killed in the midst of one', async () => {
  const name = freshName()
  const size = 200
  let reached = 0
  let cut = 0
  for (let kill = 0; kill < 12; kill++) {
    const worker = new Worker(new URL('./writer.ts', import.meta.url), { type: 'module' })
    worker.postMessage({ name, size })
    const start = await new Promise<number>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data)
      worker.onerror = event => reject(new Error(event.message))
    })
    reached = start
    worker.onmessage = ({ data }) => (reached = data)
    await new Promise(resolve => setTimeout(resolve, kill * 9))
    worker.terminate()
    const store = await openIdbStore(name)
    const { turns, beliefs, vectors, meta, generation } = await store.load()
    await store.close()
    expect(generation).toBeGreaterThanOrEqual(reached)
    expect([turns.length, beliefs.length, vectors.length, meta]).toEqual([...Array(3).fill(generation * size), { tick: generation }])
    if (generation === reached) cut++
  }
  expect(cut).toBeGreaterThan(0)
})

describe('two handles of one name', () => {
  it('see each other’s commits, and refuse a commit that did not', async () => {
    const [one, name] = await fresh()
    const two = await openIdbStore(name)
    await one.commit({ put: { beliefs: [belief('from one')] } }, 0)
    await expect(two.commit({ put: { beliefs: [belief('from two')] } }, 0)).rejects.toMatchObject({
      code: 'Conflict',
      data: { expected: 0, found: 1 },
    })
    expect(await two.generation()).toBe(1)
    await two.commit({ put: { beliefs: [belief('from two')] } }, 1)
    expect((await one.load()).beliefs.map(b => b.id)).toEqual(['from one', 'from two'])
    await two.close()
    expect(await one.generation()).toBe(2)
  })

  it('let exactly one of two commits at once through, a hundred times', async () => {
    const [one, name] = await fresh()
    const two = await openIdbStore(name)
    for (let n = 0; n < 100; n++) {
      const results = await Promise.allSettled(
        [one, two].map((store, i) => store.commit({ put: { beliefs: [belief(`${n} of ${i}`)] } }, n)),
      )
      expect(results.filter(r => r.status === 'fulfilled')).toHaveLength(1)
    }
    const { beliefs, generation } = await one.load()
    expect([beliefs.length, generation]).toEqual([100, 100])
    await two.close()
  })
})

describe('a lost connection', () => {
  it('is opened again, without the caller noticing (asks 99)', async () => {
    const [store, name] = await fresh()
    await store.commit({ put: everyKind }, 0)
    for (let n = 0; n < 3; n++) {
      await closeFromOutside(name)
      expect(await store.generation()).toBe(1 + n)
      await closeFromOutside(name)
      expect(await store.commit({ put: { beliefs: [belief(`after ${n}`)] } }, 1 + n)).toBe(2 + n)
    }
    expect((await store.load()).beliefs.map(b => b.id)).toEqual(['z', 'a', 'after 0', 'after 1', 'after 2'])
  })

  it('is opened again when the handle died without a word (asks 100)', async () => {
    const [store] = await fresh()
    await store.commit({ put: everyKind }, 0)
    const died = killHandles()
    expect(await store.generation()).toBe(1)
    expect(await store.commit({ put: { meta: { tick: 3 } } }, 1)).toBe(2)
    expect(died()).toBe(1)
  })

  it('is tried once more and not for ever (asks 99)', async () => {
    const [store] = await fresh()
    const original = IDBDatabase.prototype.transaction
    let calls = 0
    IDBDatabase.prototype.transaction = function () {
      calls++
      throw new DOMException('Connection to Indexed Database server lost. Refresh the page to try again', 'UnknownError')
    }
    onTestFinished(() => void (IDBDatabase.prototype.transaction = original))
    await expect(store.load()).rejects.toMatchObject({ code: 'StoreFailed', cause: { name: 'UnknownError' } })
    expect(calls).toBe(2)
    IDBDatabase.prototype.transaction = original
    expect(await store.load()).toStrictEqual(nothing)
  })

  it.runIf(isChromium)(
    'that the browser took away together with the data is told, and what comes next finds an empty database (asks 104)',
    async () => {
      const name = freshName()
      const reasons: string[] = []
      const store = await openIdbStore(name, { onClosed: reason => reasons.push(reason) })
      onTestFinished(() => store.close())
      await store.commit({ put: everyKind }, 0)
      await devtools('Storage.clearDataForOrigin', { origin: location.origin, storageTypes: 'indexeddb' })
      await expect.poll(() => reasons).toEqual(['terminated'])
      await expect(store.commit({ put: everyKind }, 1)).rejects.toMatchObject({ code: 'Conflict', data: { found: 0 } })
      expect(await store.load()).toStrictEqual(nothing)
    },
  )

  /** Closes every open connection as another tab does that deletes nothing: by a version change that is then given up. */
  async function closeFromOutside(name: string): Promise<void> {
    const request = indexedDB.open(`credence/${name}`, VERSION + 1)
    request.onupgradeneeded = () => request.transaction!.abort()
    await expect(settled(request)).rejects.toMatchObject({ name: 'AbortError' })
  }

  /** The next use of a connection finds it closed, as after a phone has put the page to sleep. */
  function killHandles(): () => number {
    const original = IDBDatabase.prototype.transaction
    let killed = 0
    IDBDatabase.prototype.transaction = function (...args) {
      if (killed === 0) {
        killed++
        this.close()
      }
      return original.apply(this, args)
    }
    onTestFinished(() => void (IDBDatabase.prototype.transaction = original))
    return () => killed
  }
})

describe('another version', () => {
  it('of the future is refused, and its data left as it is', async () => {
    const name = freshName()
    const future = await rawOpen(name, 99, db => void db.createObjectStore('beliefs', { keyPath: 'uid' }))
    const tx = future.transaction('beliefs', 'readwrite')
    tx.objectStore('beliefs').put({ uid: 'u1', words: 'kept' })
    await finished(tx)
    future.close()
    const before = await rawDump(name)
    await expect(openIdbStore(name)).rejects.toMatchObject({ name: 'CredenceError', code: 'SchemaTooNew' })
    expect(await rawDump(name)).toEqual(before)
    expect((await rawOpen(name)).version).toBe(99)
  })

  it('can be made by another tab while we are open: we give way, tell it, and then say that ours is too old (asks 98)', async () => {
    const name = freshName()
    const reasons: string[] = []
    const store = await openIdbStore(name, { onClosed: reason => reasons.push(reason) })
    await store.commit({ put: everyKind }, 0)
    const newer = await rawOpen(name, VERSION + 1)
    expect(newer.version).toBe(VERSION + 1)
    expect(reasons).toEqual(['upgrade'])
    await expect(store.commit({ put: { meta: { tick: 9 } } }, 1)).rejects.toMatchObject({ code: 'SchemaTooNew' })
    await expect(store.load()).rejects.toMatchObject({ code: 'SchemaTooNew' })
    expect(await settled(newer.transaction('beliefs').objectStore('beliefs').count())).toBe(2)
    await store.close()
  })

  it('is not kept from another tab that deletes the database; after that it is empty', async () => {
    const [store, name] = await fresh()
    await store.commit({ put: everyKind }, 0)
    await settled(indexedDB.deleteDatabase(`credence/${name}`))
    expect(await store.load()).toStrictEqual(nothing)
    await expect(store.commit({ put: everyKind }, 1)).rejects.toMatchObject({ code: 'Conflict', data: { found: 0 } })
  })

  it('in the making behind a tab that does not give way ends in Blocked, in bounded time; when the way is free, all is there (asks 98)', async () => {
    const [store, name] = await fresh()
    await store.commit({ put: everyKind }, 0)
    await store.close()
    const stubborn = await rawOpen(name)
    const upgrading = indexedDB.open(`credence/${name}`, VERSION + 1)
    upgrading.onupgradeneeded = () => upgrading.transaction!.abort()
    const start = performance.now()
    await expect(openIdbStore(name)).rejects.toMatchObject({ code: 'Blocked' })
    const waited = performance.now() - start
    expect(waited).toBeGreaterThan(9_000)
    expect(waited).toBeLessThan(15_000)
    stubborn.close()
    // The open that comes too late closes its connection, for nobody has it.
    const closes = vi.spyOn(IDBDatabase.prototype, 'close')
    onTestFinished(() => closes.mockRestore())
    await expect(settled(upgrading)).rejects.toMatchObject({ name: 'AbortError' })
    await expect.poll(() => closes.mock.calls.length).toBe(1)
    const again = await openIdbStore(name)
    expect(await again.load()).toStrictEqual({ ...everyKind, generation: 1 })
    await again.close()
  })

  it('that another tab is making just waits, when that tab gives way in time', async () => {
    const name = freshName()
    const stubborn = await rawOpen(name, 1, db => void db.createObjectStore('other'))
    const deleting = settled(indexedDB.deleteDatabase(`credence/${name}`))
    setTimeout(() => stubborn.close(), 500)
    const store = await openIdbStore(name)
    await deleting
    expect(await store.load()).toStrictEqual(nothing)
    await store.close()
  })
})

describe('failures', () => {
  it.runIf('storageBuckets' in navigator)('of room are QuotaExceeded and change nothing (asks 101)', async () => {
    const bucket = await (navigator as unknown as StorageBuckets).storageBuckets.open('small', { quota: 10_000_000 })
    const whole = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB')!
    Object.defineProperty(globalThis, 'indexedDB', { ...whole, get: () => bucket.indexedDB })
    onTestFinished(() => void Object.defineProperty(globalThis, 'indexedDB', whole))
    const [store] = await fresh()
    await store.commit({ put: everyKind }, 0)
    const before = await store.load()
    // Noise, which no compression makes smaller.
    const noise = Array.from({ length: 1_000 }, (_, i) => vector(`b:noise ${i}`, Array.from({ length: 4_000 }, Math.random)))
    const change = { put: { turns: [turn('t9')], vectors: noise }, remove: { beliefs: ['z'] } }
    await expect(store.commit(change, 1)).rejects.toMatchObject({ code: 'QuotaExceeded', cause: { name: 'QuotaExceededError' } })
    expect(await store.load()).toStrictEqual(before)
  })

  it('of records do not keep the rest from being read: they stay where they are and are counted', async () => {
    const [store, name] = await fresh()
    await store.commit({ put: everyKind }, 0)
    const raw = await rawOpen(name)
    const tx = raw.transaction(['beliefs', 'turns', 'vectors', 'meta'], 'readwrite')
    tx.objectStore('beliefs').put(belief('nan', { confidence: Number.NaN }))
    tx.objectStore('beliefs').put({ id: 'no text' })
    tx.objectStore('turns').put('just a string')
    tx.objectStore('vectors').put({ key: 'b:z2', stamp: 's', data: [1, 2] })
    tx.objectStore('beliefs').put({ ...belief('later release'), mood: 'sunny' })
    await finished(tx)
    raw.close()
    const loaded = await store.load()
    expect(loaded).toMatchObject({ turns: everyKind.turns, vectors: everyKind.vectors, meta: { tick: 2, quarantined: 4 } })
    expect(loaded.beliefs.map(b => b.id)).toEqual(['z', 'a', 'later release'])
    await store.commit({ put: { beliefs: [belief('next')] } }, 1)
    expect((await store.load()).meta.quarantined).toBe(4)
  })
})

it('leaves no text, id or vector in the database after removal and after clear', async () => {
  const secret = 'xylophone-4711'
  const everything = (id: string) => ({
    turns: [turn(id, { text: `about my ${secret}`, speaker: secret, conversation: secret })],
    beliefs: [belief(id, { text: `I play the ${secret}`, topic: secret })],
    evidence: [evidence(id, secret, secret)],
    trails: [{ id, belief: secret, tick: 1, at: 1, kind: 'edited' as const, confidence: 0.5, replaced: secret }],
    vectors: [vector(`b:${id}`, [0.123456789])],
    labels: [{ id, query: secret, item: id, text: secret, salienceAnswer: 1, used: true, at: 1, features: [0.123456789] }],
  })
  const [store, name] = await fresh()
  const id = `${secret} id`
  await store.commit({ put: { ...everything(id), meta: { [secret]: secret } } }, 0)
  expect(JSON.stringify(await rawDump(name)).split(secret).length).toBeGreaterThan(10)
  await store.commit(
    { remove: { turns: [id], beliefs: [id], evidence: [id], trails: [id], vectors: [`b:${id}`], labels: [id], meta: [secret] } },
    1,
  )
  const afterRemoval = await rawDump(name)
  expect(JSON.stringify(afterRemoval)).not.toContain('xylophone')
  expect(afterRemoval.vectors).toEqual([[], []])

  await store.commit({ put: { ...everything(id), meta: { [secret]: secret } } }, 2)
  await store.clear()
  expect(await rawDump(name)).toEqual({
    ...Object.fromEntries(
      ['beliefs', 'evidence', 'labels', 'trails', 'turns', 'vectors'].flatMap(s => [
        [s, [[], []]],
        [`${s}.id`, []],
      ]),
    ),
    meta: [[['generation']], [4]],
    vault: [['due'], [true]],
  })
})

it('tells what is used', async () => {
  const [store] = await fresh()
  await store.commit({ put: everyKind }, 0)
  const { used, quota, persisted } = await store.usage()
  expect(used).toBeGreaterThan(0)
  expect(quota).toBeGreaterThan(used!)
  expect(typeof persisted).toBe('boolean')
})

it.runIf(isChromium)('opens 10,000 beliefs and 10,000 turns with their vectors whole and in order', async () => {
  const [store, name] = await fresh()
  const n = 10_000
  const ids = Array.from({ length: n }, () => crypto.randomUUID())
  const data = (seed: number) => Float32Array.from({ length: 384 }, (_, i) => Math.sin(seed * 384 + i))
  const put = {
    turns: ids.map((id, order) => turn(id, { order, tick: order })),
    beliefs: ids.map(id => belief(id)),
    evidence: ids.map(id => evidence(`e${id}`, id, id)),
    vectors: ids.flatMap((id, i) => ['b', 't'].map(kind => ({ key: `${kind}:${id}`, stamp: 'm@1/int8', data: data(i) }))),
  }
  let start = performance.now()
  await store.commit({ put }, 0)
  const writing = performance.now() - start
  await store.close()
  start = performance.now()
  const again = await openIdbStore(name)
  const loaded = await again.load()
  const opening = performance.now() - start
  start = performance.now()
  for (let g = 1; g <= 20; g++) await again.commit({ put: { turns: [turn(`n${g}`, { order: n + g })], beliefs: [belief(ids[g]!)] } }, g)
  const commit = (performance.now() - start) / 20
  console.info(`write ${writing.toFixed(0)} ms, open and load ${opening.toFixed(0)} ms, one commit ${commit.toFixed(1)} ms`)
  expect(loaded.turns.map(t => t.id)).toEqual(ids)
  expect(loaded.beliefs.map(b => b.id)).toEqual(ids)
  expect(loaded.vectors).toHaveLength(2 * n)
  expect(loaded.vectors[2 * n - 1]).toStrictEqual(put.vectors[2 * n - 1])
  await again.clear()
  await again.close()
})
