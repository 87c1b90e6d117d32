import { openMemory } from 'credence'
import { expect, it, onTestFinished } from 'vitest'
import { server } from 'vitest/browser'
import type { Store } from '../../../src/engine/ports.ts'
import { openStore, type StoreOptions } from '../../../src/store/open.ts'
import { belief, evidence, label, trail, turn, vector } from '../../unit/store/records.ts'
import { everyKind, freshName } from '../../unit/store/suite.ts'
import { change, dump, flat, settled } from './raw.ts'

const passphrase = 'correct horse battery staple'

async function open(name: string, options: StoreOptions = {}): Promise<Store> {
  const store = await openStore(name, options)
  onTestFinished(() => store.close())
  return store
}

const secret = 'xylophone-4711'
const bytes = flat(new Float32Array([0.123456789, 0.987654321]))
const everything = {
  turns: [turn(secret, { text: `about my ${secret}`, speaker: secret, conversation: secret, passages: [[0, 5]] })],
  beliefs: [belief(secret, { text: `I play the ${secret}`, topic: secret })],
  evidence: [evidence(secret, secret, secret)],
  trails: [trail(secret, secret, { kind: 'edited', replaced: secret })],
  vectors: [vector(`b:${secret}`, [0.123456789, 0.987654321])],
  labels: [label(secret, secret, { query: secret, text: secret })],
  meta: { tick: 1, [secret]: secret },
}

it('leaves no text, id, topic, name or vector readable in the database', async () => {
  const name = freshName()
  const store = await open(name, { passphrase })
  await store.commit({ put: everything }, 0)
  const contents = flat(await dump(name))
  expect(contents).not.toMatch(/xylophone|4711|I play|supports|fact|tick|m@1/)
  expect(contents).not.toContain(bytes)
  expect(contents).not.toContain(passphrase)
  expect(store.encrypted).toBe(true)
  expect(await store.load()).toStrictEqual({ ...everything, generation: 1 })
  // The same in the open is found by the same search.
  const plain = freshName()
  await (await open(plain)).commit({ put: everything }, 0)
  expect(flat(await dump(plain))).toMatch(/xylophone/)
  expect(flat(await dump(plain))).toContain(bytes)
})

it('opens with its passphrase alone, however the keyboard writes it', async () => {
  const name = freshName()
  await (await open(name, { passphrase: 'Caf\u00e9 №1' })).commit({ put: everyKind }, 0)
  await expect(openStore(name, { passphrase: 'Cafe No1!' })).rejects.toMatchObject({ name: 'CredenceError', code: 'WrongPassphrase' })
  await expect(openStore(name)).rejects.toMatchObject({ code: 'PassphraseNeeded' })
  const again = await open(name, { passphrase: 'Cafe\u0301 №1' })
  expect(await again.load()).toStrictEqual({ ...everyKind, generation: 1 })
})

it('refuses a passphrase for a memory that is not encrypted, and touches nothing', async () => {
  const name = freshName()
  await (await open(name)).commit({ put: everyKind }, 0)
  const before = await dump(name)
  await expect(openStore(name, { passphrase })).rejects.toMatchObject({ code: 'NotEncrypted' })
  expect(await dump(name)).toEqual(before)
})

it('a change of passphrase seals the key anew and no record', async () => {
  const name = freshName()
  const store = await open(name, { passphrase })
  await store.commit({ put: everyKind }, 0)
  const before = await dump(name)
  const other = await open(name, { passphrase })
  await store.changePassphrase('another')
  const after = await dump(name)
  for (const kind of ['turns', 'beliefs', 'evidence', 'trails', 'vectors', 'labels']) expect(after[kind]).toEqual(before[kind])
  expect(after.vault![1][1]).not.toEqual(before.vault![1][0])
  await expect(openStore(name, { passphrase })).rejects.toMatchObject({ code: 'WrongPassphrase' })
  expect((await (await open(name, { passphrase: 'another' })).load()).beliefs).toStrictEqual(everyKind.beliefs)
  // A tab that has it open goes on, and does not bring the old passphrase back.
  expect(await other.load()).toMatchObject({ generation: 2 })
  await other.commit({ put: { beliefs: [belief('later')] } }, 2)
  await expect(openStore(name, { passphrase })).rejects.toMatchObject({ code: 'WrongPassphrase' })
  expect((await store.load()).beliefs.map(b => b.id)).toEqual(['z', 'a', 'later'])
})

it('a memory that was not encrypted is encrypted whole, and other tabs are told', async () => {
  const name = freshName()
  const [store, other] = [await open(name), await open(name)]
  await store.commit({ put: everything }, 0)
  await store.changePassphrase(passphrase)
  expect(store.encrypted).toBe(true)
  expect(flat(await dump(name))).not.toMatch(/xylophone|I play/)
  const { generation, ...rest } = await store.load()
  expect([rest, generation]).toStrictEqual([everything, 2])
  await expect(other.load()).rejects.toMatchObject({ code: 'PassphraseNeeded' })
  await expect(other.commit({ put: everyKind }, 1)).rejects.toMatchObject({ code: 'Conflict' })
  expect((await (await open(name, { passphrase })).load()).turns).toStrictEqual(everything.turns)
})

it('a damaged record, and one in the place of another, is left out and counted', async () => {
  const name = freshName()
  const store = await open(name, { passphrase })
  await store.commit({ put: { beliefs: ['a', 'b', 'c', 'd'].map(id => belief(id)), meta: { tick: 1 } } }, 0)
  await change(name, ['beliefs'], async tx => {
    const beliefs = tx.objectStore('beliefs')
    const [keys, [a, b, c]] = [await settled(beliefs.getAllKeys()), (await settled(beliefs.getAll())) as { id: string; box: Uint8Array }[]]
    a!.box[20]! ^= 1
    beliefs.put(a, keys[0])
    beliefs.put({ ...b, box: c!.box }, keys[1])
  })
  const loaded = await store.load()
  expect(loaded.beliefs.map(b => b.id)).toEqual(['c', 'd'])
  expect(loaded.meta).toEqual({ tick: 1, quarantined: 2 })
})

it('erasing everything throws the key away', async () => {
  const name = freshName()
  const store = await open(name, { passphrase })
  await store.commit({ put: everything }, 0)
  const other = await open(name, { passphrase })
  const key = async () => ((await dump(name)).vault![1].find(value => typeof value === 'object') as { id: string }).id
  const before = await key()
  await store.clear()
  expect(await key()).not.toBe(before)
  await store.commit({ put: everyKind }, 2)
  expect((await other.load()).beliefs).toStrictEqual(everyKind.beliefs)
})

it('goes on when the browser took the database away', async () => {
  const name = freshName()
  const store = await open(name, { passphrase })
  await store.commit({ put: everything }, 0)
  await settled(indexedDB.deleteDatabase(`credence/${name}`))
  expect(await store.load()).toMatchObject({ turns: [], generation: 0 })
  await store.commit({ put: everyKind }, 0)
  expect((await (await open(name, { passphrase })).load()).beliefs).toStrictEqual(everyKind.beliefs)
})

it('writes nothing for a session that only reads (asks 55, 56)', async () => {
  const name = freshName()
  const store = await open(name, { passphrase, readOnly: true })
  expect(await store.load()).toMatchObject({ turns: [] })
  expect(flat(await dump(name))).not.toContain('box')
})

it('of a memory in its worker is shown, and lasts', async () => {
  const name = freshName()
  const models = { embedder: false, nli: false, evidence: false, lm: false } as const
  const memory = await openMemory({ name, assets: '/', models, passphrase })
  await memory.observe({ id: 'm1', text: 'I play the xylophone.' })
  expect(await memory.status()).toMatchObject({ encrypted: true, quarantined: 0 })
  expect(flat(await dump(name))).not.toContain('xylophone')
  await memory.changePassphrase('another')
  await memory.close()
  await expect(openMemory({ name, assets: '/', models })).rejects.toMatchObject({ code: 'PassphraseNeeded' })
  const again = await openMemory({ name, assets: '/', models, passphrase: 'another' })
  expect((await again.beliefs()).map(b => b.text)).toEqual(['I play the xylophone.'])
  await again.forgetAll()
  await again.close()
})

it.runIf(server.browser === 'chromium')(
  'costs what docs/encryption.md says: 2,000 beliefs and 2,000 turns with their vectors',
  async () => {
    const n = 2_000
    const ids = Array.from({ length: n }, () => crypto.randomUUID())
    const data = (seed: number) => Array.from({ length: 384 }, (_, i) => Math.sin(seed * 384 + i))
    const put = {
      turns: ids.map((id, order) => turn(id, { order, tick: order })),
      beliefs: ids.map(id => belief(id)),
      evidence: ids.map(id => evidence(`e${id}`, id, id)),
      vectors: ids.flatMap((id, i) => ['b', 't'].map(kind => vector(`${kind}:${id}`, data(i)))),
    }
    const timed = async <T>(work: () => Promise<T>): Promise<[T, string]> => {
      const start = performance.now()
      return [await work(), `${(performance.now() - start).toFixed(0)} ms`]
    }
    for (const options of [{}, { passphrase }]) {
      const name = freshName()
      const [store, making] = await timed(() => open(name, options))
      const [, writing] = await timed(() => store.commit({ put }, 0))
      await store.close()
      const [again, opening] = await timed(() => open(name, options))
      const [loaded, loading] = await timed(() => again.load())
      expect([loaded.turns.length, loaded.vectors.length]).toEqual([n, 2 * n])
      const [, twenty] = await timed(async () => {
        for (let g = 1; g <= 20; g++)
          await again.commit({ put: { turns: [turn(`n${g}`, { order: n + g })], beliefs: [belief(ids[g]!)] } }, g)
      })
      console.info(
        `encrypted ${again.encrypted}: made in ${making}, written in ${writing}, opened in ${opening}, loaded in ${loading}, 20 commits ${twenty}`,
      )
      await again.close()
    }
  },
)
