/** `gate`: does the memory know when it is not needed? */

import { freshMemory, summarise, type BenchContext, type Result } from '../result.ts'
import { spread } from '../sets.ts'
import { turnTimes } from '../times.ts'

export async function gate(set: { memory: string[]; needs: string[]; needless: string[] }, context: BenchContext): Promise<Result> {
  const { limit, progress } = context
  const { memory, clock } = await freshMemory(context)
  const [needs, needless] = [spread(set.needs, limit), spread(set.needless, limit)]
  const total = set.memory.length + needs.length + needless.length
  let done = 0
  const times = turnTimes(set.memory.map(() => undefined))
  for (const [i, text] of set.memory.entries()) {
    clock.now = times[i]!
    await memory.observe({ id: `m${i}`, text, at: clock.now })
    progress(++done, total)
  }
  const rows: Parameters<typeof summarise>[0][number][] = []
  const ask = async (query: string) => {
    const { needed } = await memory.recall(query)
    progress(++done, total)
    return needed
  }
  for (const query of needs) rows.push({ category: undefined, values: { missedRate: Number(!(await ask(query))) } })
  for (const query of needless) rows.push({ category: undefined, values: { needlessRate: Number(await ask(query)) } })
  await memory.close()
  return summarise(rows)
}
