/**
 * Every number the engine works with: symbol, meaning, range, source. `PreCoMem` and `MRCP` (Memory Retrieval for Changing Preferences) are the
 * two papers; `calibrated` values were chosen on development data (docs/tuning.md says how).
 */

export interface Parameters {
  retrieved: number
  semanticWeight: number
  lexicalWeight: number
  topicWeight: number
  similarityFloor: number
  similarityCeiling: number
  lexicalHalf: number
  temperature: number
  surprisalMix: number
  gateLow: number
  gateHigh: number
  supportThreshold: number
  conflictThreshold: number
  mergeThreshold: number
  maintainRate: number
  explicitLow: number
  explicitHigh: number
  latentLow: number
  latentHigh: number
  promoteAt: number
  correctInitial: number
  correctRate: number
  decayRate: number
  pruneBelow: number
  moodHalfLife: number
  spellHalfLife: number
  candidates: number
  fusionConstant: number
  evidenceCandidates: number
  salienceCandidates: number
  expandedHits: number
  conversationReach: number
  nearbyWeight: number
  amongWeight: number
  replyWeight: number
  k: number
  confidenceWeight: number
  margin: number
  remarkLead: number
  evidenceFloor: number
  learnedThreshold: number
  likelihoodThreshold: number
  lexicalThreshold: number
  meaningFloor: number
  meaningWeight: number
}

export interface ParameterRow {
  symbol: string
  meaning: string
  default: number
  min: number
  max: number
  integer?: true
  source: string
}

export const parameterTable: { readonly [P in keyof Parameters]: ParameterRow } = {
  // Retrieval for evolution, s(m) = (α_sem·sem + α_lex·bm25 + α_top·topic) × w(m)
  retrieved: row('K', 'beliefs retrieved for a proposition', 10, 1, 50, 'PreCoMem, k sweep', true),
  semanticWeight: row('α_sem', 'weight of the cosine', 0.7, 0, 1, 'calibrated'),
  lexicalWeight: row('α_lex', 'weight of BM25', 0.2, 0, 1, 'calibrated'),
  topicWeight: row('α_top', 'weight of the topic', 0.1, 0, 1, 'calibrated'),
  similarityFloor: row('', 'cosine that counts as 0 (unrelated sentences)', 0.5, -1, 1, 'calibrated'),
  similarityCeiling: row('', 'cosine that counts as 1 (paraphrases)', 0.9, -1, 1, 'calibrated'),
  lexicalHalf: row('', 'BM25 score that counts as 1/2', 6, 0.01, 1000, 'calibrated'),
  temperature: row('T', 'smoothing of the scores, ŝ ∝ exp(s / T)', 0.025, 0.001, 10, 'calibrated'),
  // Surprisal and gate
  surprisalMix: row('λ', 'share of the cosine deviation in S_raw', 0.15, 0, 1, 'calibrated'),
  gateLow: row('θ_low', 'x up to which the turn is MAINTAIN', 0.2, 0, 1, 'PreCoMem'),
  gateHigh: row('θ_high', 'x above which the turn is CORRECT', 0.6, 0, 1, 'PreCoMem'),
  supportThreshold: row('', 'support from which a belief counts as supported', 0.5, 0, 1, 'calibrated'),
  conflictThreshold: row('', 'conflict from which a belief counts as contradicted', 0.5, 0, 1, 'calibrated'),
  mergeThreshold: row('', 'entailment needed both ways to be the same belief', 0.7, 0, 1, 'calibrated'),
  // Operators
  maintainRate: row('η_max', 'η of a certain support; η = η_max · support', 0.5, 0, 1, 'calibrated; PreCoMem: .25 to .38'),
  explicitLow: row('w₀', 'least initial confidence of an explicit hypothesis', 0.6, 0.01, 0.79, 'PreCoMem'),
  explicitHigh: row('w₀', 'greatest initial confidence of an explicit hypothesis', 0.7, 0.01, 0.79, 'PreCoMem'),
  latentLow: row('w₀', 'least initial confidence of a latent hypothesis', 0.5, 0.01, 0.79, 'PreCoMem'),
  latentHigh: row('w₀', 'greatest initial confidence of a latent hypothesis', 0.59, 0.01, 0.79, 'PreCoMem'),
  promoteAt: row('τ_promote', 'confidence from which a hypothesis is a fact', 0.8, 0.01, 1, 'PreCoMem'),
  correctInitial: row('', 'confidence of a fact that corrects', 0.85, 0.01, 1, 'PreCoMem'),
  correctRate: row('β', 'rate of w ← w·exp(−β·x·ζ)', 2.4, 0, 100, 'implied by the example of PreCoMem, 2.2 to 2.5'),
  // Life cycle
  decayRate: row('γ', 'rate of w ← w·exp(−γ·a) a turn', 0.0001, 0, 1, 'calibrated'),
  pruneBelow: row('', 'confidence below which a hypothesis is pruned', 0.1, 0, 1, 'PreCoMem'),
  moodHalfLife: row('', 'days after which what is said of a mood counts half', 1, 0.01, 3650, 'ours'),
  spellHalfLife: row('', 'days after which what is said of an illness, a journey or the present week counts half', 7, 0.01, 3650, 'ours'),
  // Recall
  candidates: row('', 'memories considered for a query', 50, 1, 500, 'design', true),
  fusionConstant: row('', 'constant c of reciprocal rank fusion, Σ 1 / (c + rank)', 20, 0, 1000, 'calibrated', true),
  evidenceCandidates: row('', 'fused candidates that the evidence cross-encoder scores', 24, 0, 500, 'measured speed', true),
  salienceCandidates: row('', 'candidates that the causal LM scores', 8, 0, 500, 'measured speed', true),
  expandedHits: row('', 'best candidates whose neighbours are considered too', 4, 0, 50, 'calibrated', true),
  conversationReach: row('', 'messages on each side that count as neighbours', 2, 0, 8, 'calibrated', true),
  nearbyWeight: row('', 'share of what a neighbour lies above the margin that a message is lifted by', 0.7, 0, 2, 'calibrated'),
  amongWeight: row('', 'the same for the best three around it, between people', 0.3, 0, 2, 'calibrated'),
  replyWeight: row('', 'the same for a reply to what a neighbour asks', 1.3, 0, 2, 'calibrated'),
  k: row('k', 'memories chosen at most', 5, 1, 50, 'MRCP', true),
  confidenceWeight: row('κ', 'weight of log w in the score', 0.5, 0, 100, 'calibrated'),
  margin: row('', 'how far below the best belief a memory less than ten to one may lie', 2, 0, 1000, 'calibrated'),
  remarkLead: row('', 'how far a passing remark must lie above the best of what was kept', 1.5, 0, 1000, 'calibrated'),
  evidenceFloor: row('', 'logit that a memory without a word of the query needs', -3.5, -100, 100, 'calibrated'),
  learnedThreshold: row('τ', 'evidence needed, learned controller (log-odds)', -0.75, -100, 100, 'calibrated'),
  likelihoodThreshold: row('τ', 'evidence needed, likelihood controller (nats)', 1, -100, 100, 'calibrated'),
  lexicalThreshold: row('τ', 'share of its words, by rarity, needed where no evidence model reads the query', 0.12, 0, 10, 'calibrated'),
  meaningFloor: row('', 'cosine of Chinese texts from which they count as alike', 0.46, -1, 1, 'calibrated'),
  meaningWeight: row('', 'share of words found that a cosine above that by 1 is worth', 2, 0, 100, 'calibrated'),
}

function row(symbol: string, meaning: string, value: number, min: number, max: number, source: string, integer?: true): ParameterRow {
  return { symbol, meaning, default: value, min, max, source, ...(integer && { integer }) }
}

/** The defaults. */
export const defaultParameters: Readonly<Parameters> = Object.freeze(
  Object.fromEntries(Object.entries(parameterTable).map(([name, { default: value }]) => [name, value])) as unknown as Parameters,
)
