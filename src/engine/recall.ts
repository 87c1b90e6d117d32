/** Recall (design §4): find candidates, weigh their evidence, open or shut the gate, write the block. */

import { defaultHead, features, logOdds, type Head } from '../evidence/head.ts'
import { salienceOfQuery } from '../evidence/salience.ts'
import { focus, weigh, withoutRemarks } from '../evidence/threshold.ts'
import type { Recall, RecalledItem, RecallTrace } from '../memory.ts'
import type { Parameters } from '../parameters.ts'
import { asksAboutPast, asksForFact, asksForManner, isChineseCourtesy, need, questionsOf, wantsForgetting } from '../text/index.ts'
import { askAgain, type Asking } from './again.ts'
import { findCandidates, type Candidate, type Question } from './candidates.ts'
import { liftAmong, liftNeighbours, neighbours } from './nearby.ts'
import { liftNewest } from './newest.ts'
import type { Models } from './ports.ts'
import { promptBlock } from './prompt.ts'
import { embedderOf, embedReadable, reads } from './reads.ts'
import { liftInstructions, standing } from './standing.ts'
import type { State } from './state.ts'

/** A cosine counts against a memory by this much at most: its text may be in another language, which cosines say nothing of. */
const leastMeaning = -0.1

export type Controller = Exclude<RecallTrace['controller'], 'llm'>

export interface RecallContext {
  state: State
  models: Models
  parameters: Parameters
  controller: Controller
  /** Milliseconds, for the timings. */
  clock: () => number
  signal?: AbortSignal | undefined
}

export interface RecallRequest {
  query: string
  at: number
  budget: number
  limit: number
  /** Turns that the host's model sees anyway. */
  exclude: ReadonlySet<string>
}

/**
 * Log-odds that what answers an outright question about the person must have by itself, when it shares no word with it: that such a question is
 * best answered by knowing the person says nothing of what is known.
 */
const leastOfFact = -1.5
/** Log-odds from which a memory may stand beside far better ones: to an open request (“plan my week”) many things bear. Ten to one. */
const ample = Math.log(10)
/** How far below the best of all a memory may lie to be chosen, or to lift the message beside it: evidence fifty times weaker. */
const far = 4

/**
 * What was written to an assistant at length: the cross-encoder, which learnt from short texts, orders it worse than the cosine, which counts more by
 * `longWeight` then, above `longFloor`.
 */
const longText = 120
const longWeight = 6
const longFloor = 0.68

/** Beliefs that the host's model sees, which are compared with those that it does not. */
const seenMost = 4

export async function recallFor(context: RecallContext, request: RecallRequest): Promise<Recall> {
  const { state, models, parameters: p, clock, signal } = context
  // Where the models cannot read the question, words alone decide.
  const controller = reads(models, 'evidence', request.query) ? context.controller : 'lexical'
  const started = clock()
  const past = asksAboutPast(request.query)
  const silent =
    (state.turns.size === 0 && state.beliefs.size === 0) ||
    request.query.trim() === '' ||
    isChineseCourtesy(request.query) ||
    wantsForgetting(request.query)
  let searched = started
  const question = silent ? null : await questionFor(context, request, past)
  const candidates = question ? await recallCandidates(context, question, () => (searched = clock())) : []
  const seen = question ? await seenBeliefs(context, question) : []
  const weighed = clock()
  const salience =
    controller === 'likelihood' ? await scoreSalience(context, request.query, [...candidates, ...seen]) : new Map<Candidate, number>()
  const done = clock()

  const head = (state.meta['head'] as Head | undefined) ?? defaultHead
  // Only cosines of this model were calibrated to stand beside shares of words.
  const meaning = controller === 'lexical' && embedderOf(models, request.query) === 'embedder-zh' ? p.meaningWeight : 0
  const itemOf = (c: Candidate) => toItem(c, controller, head, salience.get(c) ?? null, meaning, p)
  const least = (best: number, margin: number) => (controller === 'lexical' ? best / 2 : best - margin)
  const floor = (best: number) => least(best, far)
  const neighboured = liftNeighbours(state, liftAmong(state, candidates.map(itemOf), floor, p), floor, p)
  const threshold = { learned: p.learnedThreshold, likelihood: p.likelihoodThreshold, lexical: p.lexicalThreshold }[controller]
  const ranked = liftInstructions(state, liftNewest(neighboured, request.query, past)).sort(byScore)
  const asking: Asking = {
    search: (text, vector) =>
      findCandidates(state, { ...question!, text, vector, asked: [{ text, vector }] }, p)
        .map(itemOf)
        .sort(byScore),
    embed: async text => (await embedReadable(models, [text], 'query', signal))[0],
  }
  const items = meaning > 0 && question ? (await askAgain(question.asked, ranked, asking, threshold)).sort(byScore) : ranked
  // What used to hold has no one answer: what holds now may be the better match, and far better.
  const fact = controller === 'learned' && !past && asksForFact(request.query)
  const bears = ({ score, parts }: RecalledItem) =>
    parts.evidence === null ||
    parts.overlap > 0 ||
    (parts.evidence >= p.evidenceFloor && !(fact && score - head.at(-1)! * parts.need < leastOfFact))
  // What the host's model sees takes part, so that what is far weaker does not come in its place.
  const present = new Set(seen.map(itemOf))
  const bearing = withoutRemarks([...items, ...present].filter(bears).sort(byScore), p.remarkLead)
  const best = bearing[0]?.score ?? 0
  const bestBelief = bearing.find(c => c.kind === 'belief')?.score ?? best
  const beside = fact ? least(bestBelief, p.margin) : past ? -Infinity : Math.min(ample, least(bestBelief, p.margin))
  const focused = focus(bearing, threshold, Math.max(least(best, Math.max(far, p.margin)), beside), Infinity)
  const chosen = once(focused.filter(item => !present.has(item))).slice(0, request.limit)
  return {
    needed: chosen.length > 0,
    strategy: chosen.length === 0 ? 'none' : past ? 'past' : 'current',
    beliefs: chosen.filter(c => c.kind === 'belief'),
    turns: chosen.filter(c => c.kind === 'turn'),
    prompt: promptBlock(chosen, request.budget, text => models.countTokens(text)),
    trace: {
      controller,
      threshold,
      candidates: items,
      timings: { search: searched - started, evidence: weighed - searched, salience: done - weighed, total: done - started },
    },
  }
}

export async function questionFor(
  { models, signal }: RecallContext,
  { query, at, exclude }: Pick<RecallRequest, 'query' | 'at' | 'exclude'>,
  past: boolean,
): Promise<Question> {
  const texts = [query, ...questionsOf(query)]
  const vectors = await embedReadable(models, texts, 'query', signal)
  const asked = texts.map((text, i) => ({ text, vector: vectors[i] }))
  // What says so was trained on vectors of this model only.
  const needed = need(query, reads(models, 'embedder', query) ? vectors[0] : undefined)
  return { text: query, vector: vectors[0], asked, at, past, exclude, need: needed, manner: asksForManner(query) }
}

/** Steps 1 and 2: the best fused first, then what stands near the best of them. */
export async function recallCandidates(context: RecallContext, question: Question, onSearched?: () => void): Promise<Candidate[]> {
  const { state, parameters } = context
  const candidates = findCandidates(state, question, parameters)
  onSearched?.()
  await scoreEvidence(context, question.text, candidates, parameters.evidenceCandidates)
  const near = [...neighbours(state, question, candidates, parameters), ...standing(state, question, candidates)]
  await scoreEvidence(context, question.text, near)
  return [...new Set([...candidates, ...near])]
}

/** The best of the beliefs that rest on nothing but what the host's model sees, the message itself apart. */
async function seenBeliefs(context: RecallContext, question: Question): Promise<Candidate[]> {
  const { exclude, text } = question
  const { state, parameters } = context
  if (exclude.size === 0) return []
  const isSeen = ({ kind, turns }: Candidate) =>
    kind === 'belief' && turns.every(turn => exclude.has(turn)) && turns.some(turn => state.turns.get(turn)!.text !== text)
  const found = findCandidates(state, { ...question, exclude: new Set() }, parameters)
  const seen = found.filter(isSeen).slice(0, seenMost)
  await scoreEvidence(context, text, seen)
  return seen
}

/** Logits that a memory's own words are worth more than those of what it took the place of. */
const onceRemoved = 1

/** Step 2: the evidence cross-encoder reads the query beside each memory, or the first `most` texts: once each, as people say the same again. */
async function scoreEvidence({ models, signal }: RecallContext, query: string, candidates: Candidate[], most = Infinity): Promise<void> {
  if (!reads(models, 'evidence', query)) return
  const readable = candidates.flatMap(c => [c.text, ...c.before]).filter(text => reads(models, 'evidence', text))
  const texts = [...new Set(readable)].slice(0, most)
  const logits = texts.length > 0 ? await models.relevance(query, texts, signal) : []
  const logit = new Map(texts.map((text, i) => [text, logits[i]!]))
  for (const candidate of candidates) {
    const own = logit.get(candidate.text)
    const before = candidate.before.flatMap(text => (logit.has(text) ? [logit.get(text)! - onceRemoved] : []))
    candidate.evidence = own === undefined ? null : Math.max(own, ...before)
  }
}

/** Step 3: Sal_q(c; q) = log p(q | c) − log p(q) for the best so far. */
async function scoreSalience({ models, parameters: p, signal }: RecallContext, query: string, candidates: Candidate[]) {
  const read = [...candidates]
    .sort((a, b) => (b.evidence ?? -Infinity) - (a.evidence ?? -Infinity) || b.fused - a.fused)
    .slice(0, p.salienceCandidates)
  if (read.length === 0) return new Map<Candidate, number>()
  const [prior, ...given] = await models.logProbability([['', query], ...read.map(c => [c.text, query] as const)], signal)
  return new Map(read.map((c, i) => [c, salienceOfQuery(given[i]!, prior!)]))
}

function toItem(c: Candidate, controller: Controller, head: Head, salience: number | null, meaning: number, p: Parameters): RecalledItem {
  const long = c.kind === 'turn' && !c.between && c.text.length >= longText
  const estimate =
    controller === 'lexical'
      ? c.overlap + meaning * Math.max(leastMeaning, c.cosine - p.meaningFloor)
      : logOdds(head, features(c)) + (long ? longWeight * (c.cosine - longFloor) : 0)
  // What the LM did not read is worth no more than nothing to it.
  const evidence = controller === 'likelihood' ? (salience ?? Math.min(0, estimate)) : estimate
  // A superseded value is shown because the past was asked for: its small w is no reason against it.
  const { score, fromConfidence } = weigh(evidence, c.past ? null : c.confidence, controller === 'lexical' ? 0 : p.confidenceWeight)
  return {
    kind: c.kind,
    id: c.id,
    role: c.role,
    text: c.text,
    score,
    parts: {
      fused: c.fused,
      cosine: c.cosine,
      overlap: c.overlap,
      held: c.held,
      need: c.need,
      evidence: c.evidence,
      salience,
      confidence: fromConfidence,
      nearby: 0,
      newest: 0,
      standing: 0,
      again: 0,
    },
    turns: c.turns,
    at: c.at,
    confidence: c.confidence,
    past: c.past,
  }
}

/** Without what says word for word the same as one before it: people greet, order and complain alike many times. */
function once(items: readonly RecalledItem[]): RecalledItem[] {
  const said = new Set<string>()
  return items.filter(({ text }) => !said.has(text) && said.add(text))
}

/** Best first; equal scores: the later said first, then by id, so that the order of the candidates does not matter. */
function byScore(a: RecalledItem, b: RecalledItem): number {
  return b.score - a.score || b.at - a.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
