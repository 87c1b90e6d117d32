/** Databases by the browser's own calls, with nothing of ours in between. */

export function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

export const finished = (tx: IDBTransaction) =>
  new Promise<void>((resolve, reject) => {
    tx.oncomplete = () => resolve()
    tx.onabort = () => reject(tx.error)
  })

export type Dump = Record<string, [IDBValidKey[], unknown[]]>

/** Keys and values of every object store. */
export async function dump(name: string): Promise<Dump> {
  const db = await settled(indexedDB.open(`credence/${name}`))
  const contents: Dump = {}
  const tx = db.transaction([...db.objectStoreNames])
  for (const storeName of db.objectStoreNames) {
    const store = tx.objectStore(storeName)
    contents[storeName] = [await settled(store.getAllKeys()), await settled(store.getAll())]
  }
  db.close()
  return contents
}

/** All bytes and texts of a dump in one string, in which a text or the bytes of a number are found wherever they stand. */
export function flat(value: unknown): string {
  if (value instanceof Uint8Array) return String.fromCharCode(...value)
  if (value instanceof Float32Array) return flat(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, part]) => `${key} ${flat(part)}`)
      .join('\n')
  return String(value)
}

export async function change(name: string, stores: string[], act: (tx: IDBTransaction) => void | Promise<void>): Promise<void> {
  const db = await settled(indexedDB.open(`credence/${name}`))
  const tx = db.transaction(stores, 'readwrite')
  await act(tx)
  await finished(tx)
  db.close()
}
