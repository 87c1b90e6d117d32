/** A worker that commits one change after the other until it is ended. The message gives the name and the number of records a change. */

import { openIdbStore } from '../../../src/store/idb.ts'
import { belief, turn, vector } from '../../unit/store/records.ts'

addEventListener('message', async ({ data: { name, size } }: MessageEvent<{ name: string; size: number }>) => {
  const store = await openIdbStore(name)
  for (let n = await store.generation(); ; n++) {
    const ids = Array.from({ length: size }, (_, i) => `${n}.${i}`)
    const put = {
      turns: ids.map((id, i) => turn(id, { order: n * size + i })),
      beliefs: ids.map(id => belief(id)),
      vectors: ids.map(id => vector(`b:${id}`)),
      meta: { tick: n + 1 },
    }
    await store.commit({ put }, n)
    postMessage(n + 1)
  }
})
