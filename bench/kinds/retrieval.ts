/** `retrieval`: put a chat in, ask, rank its turns. */

import { currentAboveStale, rankTurns, recallAt, reciprocalRank, staleInTop5 } from '../metrics.ts'
import { freshMemory, summarise, type BenchContext, type Result } from '../result.ts'
import type { Chat } from '../sets.ts'
import { parseTime, turnTimes } from '../times.ts'

export async function retrieval(chats: Chat[], { models, limit, progress }: BenchContext): Promise<Result> {
  const taken = firstQueries(chats, limit)
  const total = taken.reduce((sum, chat) => sum + chat.turns.length + chat.queries.length, 0)
  let done = 0
  const rows: Parameters<typeof summarise>[0][number][] = []
  for (const chat of taken) {
    const { memory, clock } = await freshMemory(models)
    const key = (id: string | number) => `${chat.id}/${id}`
    const times = turnTimes(chat.turns.map(turn => turn.time))
    for (const [i, turn] of chat.turns.entries()) {
      clock.now = times[i]!
      await memory.observe({
        id: key(turn.id),
        text: turn.text,
        role: turn.role ?? 'user',
        at: clock.now,
        conversation: key(turn.session ?? ''),
        ...(turn.speaker !== undefined && { speaker: turn.speaker }),
      })
      progress(++done, total)
    }
    for (const query of chat.queries) {
      const at = parseTime(query.at)
      const recall = await memory.recall(query.text, at === undefined ? {} : { at })
      const ranking = rankTurns(recall.trace.candidates)
      const [evidence, current, stale] = [query.evidence, query.current, query.stale].map(ids => (ids ?? []).map(key)) as [
        string[],
        string[],
        string[],
      ]
      rows.push({
        category: query.category,
        values: {
          recallAt1: recallAt(1, ranking, evidence),
          recallAt5: recallAt(5, ranking, evidence),
          recallAt10: recallAt(10, ranking, evidence),
          mrr: reciprocalRank(ranking, evidence),
          currentAboveStale: currentAboveStale(ranking, current, stale),
          staleInTop5: staleInTop5(ranking, stale),
          needlessRate: query.answerable === false ? Number(recall.needed) : null,
          missedRate: evidence.length > 0 && query.answerable !== false ? Number(!recall.needed) : null,
        },
      })
      progress(++done, total)
    }
    await memory.close()
  }
  return summarise(rows)
}

/** The chats of the first `limit` queries, each chat whole. */
function firstQueries(chats: Chat[], limit = Infinity): Chat[] {
  const taken: Chat[] = []
  for (const chat of chats) {
    if (limit <= 0) break
    taken.push({ ...chat, queries: chat.queries.slice(0, limit) })
    limit -= chat.queries.length
  }
  return taken
}
