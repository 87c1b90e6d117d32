/** `admission`: which messages become beliefs? Each is one user message to a fresh memory. */

import { freshMemory, summarise, type BenchContext, type Result } from '../result.ts'
import { spread } from '../sets.ts'

export async function admission(set: { store: string[]; ignore: string[] }, context: BenchContext): Promise<Result> {
  const { limit, progress } = context
  const [store, ignore] = [spread(set.store, limit), spread(set.ignore, limit)]
  let done = 0
  const isStored = async (text: string) => {
    const { memory } = await freshMemory(context)
    const { changes } = await memory.observe({ id: 'm', text, at: Date.UTC(2024, 0, 1, 9) })
    await memory.close()
    progress(++done, store.length + ignore.length)
    return Number(changes.some(change => change.kind === 'created'))
  }
  const rows: Parameters<typeof summarise>[0][number][] = []
  for (const text of store) rows.push({ category: undefined, values: { storedWanted: await isStored(text) } })
  for (const text of ignore) rows.push({ category: undefined, values: { storedNoise: await isStored(text) } })
  return summarise(rows)
}
