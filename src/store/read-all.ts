/** Everything in an object store, in the order of its keys. */

interface Readable<Value> {
  getAllKeys(): Promise<IDBValidKey[]>
  getAll(range: IDBKeyRange): Promise<Value[]>
}

/** Records a request: some browsers send the result of one request as one message, which must not grow without bound. */
const BATCH = 1_000

export async function readAll<Value>(store: Readable<Value>): Promise<{ keys: IDBValidKey[]; values: Value[] }> {
  const keys = await store.getAllKeys()
  const batches: Promise<Value[]>[] = []
  for (let i = 0; i < keys.length; i += BATCH) {
    batches.push(store.getAll(IDBKeyRange.bound(keys[i], keys[Math.min(i + BATCH, keys.length) - 1])))
  }
  return { keys, values: (await Promise.all(batches)).flat() }
}
