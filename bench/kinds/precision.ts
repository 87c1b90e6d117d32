/** `precision`: PrecisionMemBench. Does exactly the right belief come back, and nothing where nothing should? */

import { openEngine } from '../../src/engine/index.ts'
import type { Belief, Memory, PortableMemory } from '../../src/memory.ts'
import { openMemoryStore } from '../../src/store/memory.ts'
import { summarise, type BenchContext, type Result } from '../result.ts'
import { spread, type PrecisionBelief, type PrecisionExpectation, type PrecisionSet } from '../sets.ts'

/** As the benchmark's own runner has it. */
const defaultBudget = { maxBeliefs: 20 }
const owner = 'test-user'
/** All that is chosen is compared, so that the block's budget plays no part. */
const tokens = 1_000_000
/** Questions are asked after the last date of the fixtures. */
const asked = Date.UTC(2026, 10, 1)

export async function precision(set: PrecisionSet, context: BenchContext): Promise<Result> {
  const { limit, progress } = context
  const beliefs = [...set['beliefs.seed']]
  const cases = spread(set['retrieval.cases'], limit)
  const sessions = limit === undefined ? (set['session-retrieval.cases'] ?? []) : []
  const total = cases.length + sessions.reduce((sum, session) => sum + session.turns.length, 0)
  let done = 0
  let memories = await openMemories(beliefs, context)
  const rows: Parameters<typeof summarise>[0][number][] = []

  for (const { caseId, category, scope, query, userId, budget, expect } of cases) {
    const given = await retrieve(beliefs, memories, { user: userId ?? owner, scope, query, ...defaultBudget, ...budget })
    const verdict = judge(given, expect)
    const empty = expect.relevantBeliefs?.shouldOnlyInclude?.length === 0
    rows.push({
      category,
      values: {
        meanPrecision: verdict.precision,
        meanRecall: verdict.recall,
        passed: Number(verdict.passed),
        activePassed: verdict.precision === null ? null : Number(verdict.passed),
        emptyWhenNothingFits: empty ? Number(given.relevant.length === 0) : null,
        supersessionPassed: /supersession/i.test(category) ? Number(verdict.passed) : null,
      },
    })
    if (process.env['CREDENCE_BENCH_VERBOSE'])
      console.error(verdict.passed ? 'ok' : 'FAILED', caseId, given.relevant, expect.relevantBeliefs)
    progress(++done, total)
  }

  for (const { turns } of sessions) {
    for (const turn of turns) {
      const given = await retrieve(beliefs, memories, { user: owner, scope: turn.scope, query: turn.userMessage, ...defaultBudget })
      const { passed, precision } = judge(given, turn.expect)
      rows.push({ category: 'Sessions', values: { sessionPassed: Number(passed), sessionPrecision: precision } })
      const { createBeliefAtTurn: created, updateBeliefAtTurn: updated } = turn
      if (created) beliefs.push(created)
      if (updated) {
        const at = beliefs.findIndex(belief => belief._id === updated.beliefId)
        const { aliases } = beliefs[at]!
        beliefs[at] = { ...beliefs[at]!, aliases: [...aliases, ...(updated.addAliases ?? [])] }
      }
      if (created || updated) {
        await closeAll(memories)
        memories = await openMemories(beliefs, context)
      }
      progress(++done, total)
    }
  }
  await closeAll(memories)

  const result = summarise(rows)
  const count = (key: string) => (result.items![key] ?? []).reduce<number>((sum, value) => sum + (value ?? 0), 0)
  result.metrics['passedCases'] = count('passed')
  result.metrics['emptyCases'] = count('emptyWhenNothingFits')
  return result
}

/** A memory for each user and scope: what must never meet is never in one namespace. The beliefs come in by `import`, as they are. */
async function openMemories(beliefs: readonly PrecisionBelief[], { models, engine = {} }: BenchContext): Promise<Map<string, Memory>> {
  const memories = new Map<string, Memory>()
  for (const { user_id: user, scope } of beliefs) {
    for (const one of scope) {
      const name = place(user, one)
      if (memories.has(name)) continue
      let ids = 0
      const host = { name, store: openMemoryStore(), models, now: () => asked, newId: () => `n${ids++}` }
      const memory = await openEngine(host, engine)
      await memory.import(portable(beliefs.filter(b => b.user_id === user && b.scope.includes(one))))
      memories.set(name, memory)
    }
  }
  return memories
}

const place = (user: string, scope: string) => `${user}/${scope}`

async function closeAll(memories: Map<string, Memory>): Promise<void> {
  for (const memory of memories.values()) await memory.close()
}

/** As the benchmark's own runner writes a belief for a memory that it tests. */
const textOf = ({ canonical_name: name, aliases, content, why_it_matters: why }: PrecisionBelief) =>
  [name, ...aliases, content, why].filter(part => part !== '').join(' ')

function portable(beliefs: readonly PrecisionBelief[]): PortableMemory {
  const known = new Set(beliefs.map(belief => belief._id))
  const records = beliefs.map((belief): Belief => {
    const replacement = belief.superseded_by
    return {
      id: belief._id,
      text: textOf(belief),
      kind: belief.confidence >= 0.8 ? 'fact' : 'hypothesis',
      origin: belief.epistemic_status === 'inferred' ? 'latent' : 'explicit',
      confidence: belief.confidence,
      topic: null,
      createdAt: Date.parse(belief.created_at),
      lastSupported: 0,
      protected: true,
      pinned: belief.pinned,
      // An open question that was resolved is over.
      ...(belief.resolved_at !== null && { expiresAt: Date.parse(belief.resolved_at) }),
      supersedes: beliefs.filter(other => other.superseded_by === belief._id).map(other => other._id),
      ...(replacement !== null && (known.has(replacement) ? { supersededBy: replacement } : { retracted: true })),
    }
  })
  return {
    format: 'credence',
    version: 1,
    exportedAt: new Date(asked).toISOString(),
    turns: [],
    beliefs: records,
    evidence: [],
    trails: [],
    labels: [],
    tick: 0,
  }
}

interface Given {
  pinned: string[]
  relevant: string[]
  questions: string[]
}

/**
 * What the benchmark's runner calls the context: pinned facts and open questions come from the host's own lists, the relevant beliefs from the
 * memory under test, without the pinned ones; a relation brings its participants. Several scopes take turns.
 */
async function retrieve(
  beliefs: readonly PrecisionBelief[],
  memories: ReadonlyMap<string, Memory>,
  { user, scope, query, maxBeliefs }: { user: string; scope: string[]; query: string; maxBeliefs: number },
): Promise<Given> {
  const listed = beliefs.filter(b => b.user_id === user && b.pinned && b.resolved_at === null && b.scope.some(s => scope.includes(s)))
  const pinned = listed.filter(b => b.type !== 'open_question' && b.superseded_by === null).map(b => b._id)
  const questions = listed.filter(b => b.type === 'open_question').map(b => b._id)

  const rankings: string[][] = []
  if (query.trim() !== '' && maxBeliefs > 0) {
    for (const one of scope) {
      const recall = await memories.get(place(user, one))?.recall(query, { limit: Math.min(50, maxBeliefs), budget: tokens })
      rankings.push((recall?.beliefs ?? []).map(item => item.id).filter(id => !pinned.includes(id)))
    }
  }
  const found = [...new Set(takeTurns(rankings))].slice(0, maxBeliefs)
  const participants = beliefs.filter(b => b.type === 'relation' && found.includes(b._id)).flatMap(b => b.participants ?? [])
  const expanded = participants.filter(id => {
    const belief = beliefs.find(b => b._id === id)
    return belief && belief.type !== 'open_question' && belief.user_id === user && belief.scope.some(s => scope.includes(s))
  })
  const relevant = [...new Set([...found, ...expanded.filter(id => !pinned.includes(id))])]
  const shownPinned = pinned.slice(0, maxBeliefs)
  return { pinned: shownPinned, relevant: relevant.slice(0, Math.max(0, maxBeliefs - shownPinned.length)), questions }
}

function takeTurns(rankings: readonly string[][]): string[] {
  const longest = Math.max(0, ...rankings.map(ranking => ranking.length))
  return Array.from({ length: longest }, (_, i) => rankings.flatMap(ranking => ranking.slice(i, i + 1))).flat()
}

/** Precision is null where nothing is expected and nothing came; a pass needs every part of the expectation. */
function judge({ pinned, relevant, questions }: Given, expect: PrecisionExpectation) {
  const { relevantBeliefs: beliefs = {}, pinnedFacts = {}, openQuestions = {}, noiseCheck } = expect
  const union = [...pinned, ...relevant]
  const has = (ids: readonly string[], wanted: readonly string[] = []) => wanted.every(id => ids.includes(id))
  const lacks = (ids: readonly string[], barred: readonly string[] = []) => !barred.some(id => ids.includes(id))
  const only = beliefs.shouldOnlyInclude
  const expected = only ?? (beliefs.mustInclude ?? []).filter(id => !pinned.includes(id))
  const hits = expected.filter(id => relevant.includes(id)).length
  return {
    precision: relevant.length === 0 ? (expected.length === 0 ? null : 0) : hits / relevant.length,
    recall: expected.length === 0 ? null : hits / expected.length,
    passed:
      has(union, beliefs.mustInclude) &&
      lacks(union, beliefs.mustExclude) &&
      (only === undefined || (has(relevant, only) && relevant.every(id => only.includes(id)))) &&
      has(pinned, pinnedFacts.mustInclude) &&
      lacks(pinned, pinnedFacts.mustExclude) &&
      has(questions, openQuestions.mustInclude) &&
      lacks(questions, openQuestions.mustExclude) &&
      lacks(union, noiseCheck?.mustNotSurface),
  }
}
