/** `retrieval`: put a chat in, ask, rank its turns. */

import type { RecalledItem } from '../../src/memory.ts'
import { currentAboveStale, precisionOf, rankTurns, recallAt, reciprocalRank, staleInTop5 } from '../metrics.ts'
import { freshMemory, summarise, type BenchContext, type Result } from '../result.ts'
import type { Chat } from '../sets.ts'
import { parseTime, turnTimes } from '../times.ts'

export type ChatTurn = Chat['turns'][number]

/** What is measured: something that takes a chat's turns and then answers questions with turns. */
export interface Remembering {
  put(turn: ChatTurn, id: string, at: number, conversation: string): Promise<void>
  /** Ids of turns, best first. `given` is what a recall puts before the host's model; null of what answers whatever is asked. */
  ask(query: string, at: number | undefined): Promise<{ ranking: string[]; given: readonly { turns: readonly string[] }[] | null }>
  close(): Promise<void>
}

export async function retrieval(chats: Chat[], context: BenchContext): Promise<Result> {
  return measure(chats, context, () => credence(context))
}

export async function measure(chats: Chat[], { limit, progress }: BenchContext, open: () => Promise<Remembering>): Promise<Result> {
  const taken = firstQueries(chats, limit)
  const total = taken.reduce((sum, chat) => sum + chat.turns.length + chat.queries.length, 0)
  let done = 0
  const rows: Parameters<typeof summarise>[0][number][] = []
  for (const chat of taken) {
    const memory = await open()
    const key = (id: string | number) => `${chat.id}/${id}`
    const times = turnTimes(chat.turns.map(turn => turn.time))
    for (const [i, turn] of chat.turns.entries()) {
      await memory.put(turn, key(turn.id), times[i]!, key(turn.session ?? ''))
      progress(++done, total)
    }
    for (const query of chat.queries) {
      const { ranking, given } = await memory.ask(query.text, parseTime(query.at))
      const needed = given && given.length > 0
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
          givenPrecision: given && precisionOf(given, evidence),
          givenRecall: given && recallAt(Infinity, rankTurns(given), evidence),
          needlessRate: needed !== null && query.answerable === false ? Number(needed) : null,
          missedRate: needed !== null && evidence.length > 0 && query.answerable !== false ? Number(!needed) : null,
        },
      })
      progress(++done, total)
    }
    await memory.close()
  }
  return summarise(rows)
}

/** `score` ranks the candidates by something else than what they are worth together; then nothing is chosen. */
export async function credence(
  context: Pick<BenchContext, 'models' | 'engine'>,
  score?: (item: RecalledItem) => number,
): Promise<Remembering> {
  const { memory, clock } = await freshMemory(context)
  return {
    async put({ text, role = 'user', speaker }, id, at, conversation) {
      clock.now = at
      await memory.observe({ id, text, role, at, conversation, ...(speaker !== undefined && { speaker }) })
    },
    async ask(query, at) {
      const { beliefs, turns, trace } = await memory.recall(query, at === undefined ? {} : { at })
      if (score) return { ranking: rankTurns([...trace.candidates].sort((a, b) => score(b) - score(a))), given: null }
      return { ranking: rankTurns(trace.candidates), given: [...beliefs, ...turns] }
    },
    close: () => memory.close(),
  }
}

/** A turn as text alone, for what knows no speakers. */
export const attributed = (text: string, speaker: string | undefined) => (speaker === undefined ? text : `${speaker}: ${text}`)

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
