/** How much each number of belief evolution matters: the drift of one half of the personas, and of the other, with the number halved and doubled. */

import { defaultParameters, parameterTable, type Parameters } from '../../src/parameters.ts'
import type { Models } from '../../src/engine/ports.ts'
import { drift } from '../kinds/drift.ts'
import { developmentSets, readSet, UsageError, benchRoot, type Persona } from '../sets.ts'

/** From retrieval over surprisal, gate and operators to the life cycle; of recall there is `head`. */
const varied = [
  'retrieved',
  'semanticWeight',
  'lexicalWeight',
  'topicWeight',
  'similarityFloor',
  'similarityCeiling',
  'lexicalHalf',
  'temperature',
  'surprisalMix',
  'gateLow',
  'gateHigh',
  'supportThreshold',
  'conflictThreshold',
  'mergeThreshold',
  'maintainRate',
  'promoteAt',
  'correctInitial',
  'correctRate',
  'decayRate',
] as const satisfies readonly (keyof Parameters)[]

const shown = ['finalAccuracy', 'trajectoryAccuracy', 'staleInContext', 'noiseStored'] as const

export async function calibrateSensitivity(models: Models, limit?: number) {
  const file = developmentSets(benchRoot(), 'drift').find(set => (readSet(set.file) as { personas: Persona[] }).personas.length > 1)?.file
  if (file === undefined) throw new UsageError('No drift set of several personas is there: the calibration needs the development data.')
  const { personas } = readSet(file) as { personas: Persona[] }
  const halves = [0, 1].map(odd => personas.filter((_, i) => i % 2 === odd))

  console.log(
    `${shown.join(' / ')}, on the personas that numbers are chosen on (n ${halves[0]!.length}) and on the others (n ${halves[1]!.length})`,
  )
  const samples: { name: string; value: number; halves: number[][] }[] = []
  const measure = async (name: string, parameters: Partial<Parameters>, value: number) => {
    const rows: number[][] = []
    for (const half of halves) {
      const { metrics } = await drift({ personas: half }, { models, engine: { parameters }, limit, progress: () => undefined })
      rows.push(shown.map(key => metrics[key] as number))
    }
    samples.push({ name, value, halves: rows })
    console.log(
      `${name.padEnd(30)} ${value.toPrecision(3).padEnd(9)} ${rows.map(row => row.map(n => n.toFixed(3)).join(' / ')).join('   ')}`,
    )
  }

  await measure('defaults', {}, 0)
  for (const key of varied) {
    const { symbol, min, max, default: usual, integer } = parameterTable[key]
    for (const factor of [0.5, 2]) {
      const wanted = Math.min(max, Math.max(min, usual * factor))
      const value = integer ? Math.round(wanted) : wanted
      if (value !== usual && valid({ [key]: value })) await measure(`${key} ${symbol}`.trim(), { [key]: value }, value)
    }
  }
  return samples
}

/** Whether numbers that must stand in an order still do. */
function valid(changed: Partial<Parameters>): boolean {
  const p = { ...defaultParameters, ...changed }
  return p.gateLow < p.gateHigh && p.similarityFloor < p.similarityCeiling
}
