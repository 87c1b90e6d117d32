/** `npm run calibrate -- conflict|head|salience|sensitivity [--limit N] [--json OUT]`, see docs/tuning.md: fits what src/ states as calibrated, on one half of the development data, and tells how it does on the other. */

import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { at } from '../scripts/layout.mjs'
import type { Models } from '../src/engine/ports.ts'
import { openNodeModels } from '../src/models/node.ts'
import { cached } from './cache.ts'
import { calibrateConflict } from './calibrate/conflict.ts'
import { calibrateHead } from './calibrate/head.ts'
import { calibrateSalience } from './calibrate/salience.ts'
import { calibrateSensitivity } from './calibrate/sensitivity.ts'
import { UsageError } from './sets.ts'

const parts = {
  conflict: calibrateConflict,
  head: calibrateHead,
  // The language model reads many at once here, which is three times as fast, and is not remembered.
  salience: async (models: Models, limit?: number) =>
    calibrateSalience(models, await openNodeModels({ modelsDir: at('models'), roles: ['lm'] }), limit),
  sensitivity: calibrateSensitivity,
}

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' }, limit: { type: 'string' } } })
  const part = parts[positionals[0] as keyof typeof parts]
  if (part === undefined || positionals.length !== 1) throw new UsageError(`Say what to calibrate: ${Object.keys(parts).join(' or ')}.`)
  const models = cached(await openNodeModels({ modelsDir: at('models'), roles: ['embedder', 'nli', 'evidence'] }))
  try {
    const samples = await part(models, values.limit === undefined ? undefined : Number(values.limit))
    if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(samples))
  } finally {
    models.flush()
    await models.dispose()
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
