/** The calibration of `conflict` (src/belief/stance.ts): the NLI cross-encoder's two answers to one probability. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Models } from '../../src/engine/ports.ts'
import { benchRoot, UsageError, type NliRow } from '../sets.ts'
import { fit, probability, type Sample } from './logistic.ts'

/** Held out from the training of the model: contradictions of statements, and pairs that contradict nothing. */
const sources: { name: string; file: string; keep: (row: NliRow) => boolean; target: 0 | 1; n: number }[] = [
  {
    name: 'persona contradictions',
    file: 'derived_persona_paed_template',
    keep: r => r.split !== 'train' && r.y === 'contradiction',
    target: 1,
    n: 400,
  },
  {
    name: 'persona neutral',
    file: 'derived_persona_paed_template',
    keep: r => r.split !== 'train' && r.y === 'neutral',
    target: 0,
    n: 300,
  },
  { name: 'persona entailments', file: 'dnli_positive_convai2', keep: r => r.split === 'test', target: 0, n: 200 },
  { name: 'lines of dialogue', file: 'decode_rct_pairs', keep: r => codes(r.p) % 4 === 0, target: 0, n: 600 },
]

export async function calibrateConflict(models: Models) {
  const groups: { name: string; target: 0 | 1; samples: Sample[] }[] = []
  for (const { name, file, keep, target, n } of sources) {
    const rows = spread(readRows(file).filter(keep), n)
    const forth = await models.entail(rows.map(r => [r.p, r.h]))
    const back = await models.entail(rows.map(r => [r.h, r.p]))
    const samples = rows.map((_, i): Sample => ({
      features: [1, logOdds(forth[i]!.contradiction), logOdds(back[i]!.contradiction)],
      target,
      weight: 1 / rows.length,
    }))
    groups.push({ name, target, samples })
  }
  const half = (odd: number) => groups.map(g => ({ ...g, samples: g.samples.filter((_, i) => i % 2 === odd) }))
  const weights = fit(half(0).flatMap(g => g.samples))
  console.log(`bias, forth, back: ${weights.map(w => w.toFixed(3)).join(', ')}`)
  console.log('share called a contradiction, on the half that was not fitted:')
  for (const threshold of [0.4, 0.5, 0.6, 0.7, 0.8]) {
    const shares = half(1).map(
      g => `${g.name} (n ${g.samples.length}) ${share(g.samples, s => probability(weights, s.features) > threshold)}`,
    )
    console.log(`  above ${threshold}: ${shares.join(', ')}`)
  }
  return groups
}

function readRows(file: string): NliRow[] {
  const path = join(benchRoot(), '..', 'nli', `${file}.jsonl.gz`)
  if (!existsSync(path)) throw new UsageError(`${path} is missing: the calibration needs the development data.`)
  return gunzipSync(readFileSync(path))
    .toString()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as NliRow)
}

const codes = (text: string) => [...text].reduce((sum, c) => sum + c.codePointAt(0)!, 0)
const spread = <T>(rows: T[], n: number) =>
  Array.from({ length: Math.min(n, rows.length) }, (_, i) => rows[Math.floor((i * rows.length) / Math.min(n, rows.length))]!)
const share = <T>(list: T[], test: (item: T) => boolean) => (list.filter(test).length / list.length).toFixed(3)

function logOdds(probability: number): number {
  const p = Math.min(0.999, Math.max(0.001, probability))
  return Math.log(p / (1 - p))
}
