import type { RecalledItem, Role, ScoreParts } from '../../../src/memory.ts'

const parts: ScoreParts = {
  fused: 0,
  cosine: 0,
  overlap: 0,
  held: true,
  need: 0,
  evidence: null,
  salience: null,
  confidence: 0,
  nearby: 0,
  newest: 0,
  standing: 0,
  again: 0,
}

/** A memory considered for a query, its score made of nothing unless said. */
export function item(
  kind: 'belief' | 'turn',
  id: string,
  score: number,
  {
    turns = [id],
    text = 'x',
    role = 'user',
    at = 0,
    ...given
  }: Partial<ScoreParts> & { turns?: string[]; text?: string; role?: Role; at?: number } = {},
): RecalledItem {
  return { kind, id, role, text, score, parts: { ...parts, ...given }, turns, at, confidence: kind === 'belief' ? 0.8 : null, past: false }
}
