/** The memory of a tab does not grow with the calls. `npm run torture -- soak` does the same for longer, with all models. */

import { expect, test } from 'vitest'
import { soak } from '../../scripts/soak.mjs'

test('the memory of a tab is as large after 120 calls as after 60 (asks 71)', async () => {
  const [early, late] = await soak({ marks: [60, 120], models: { nli: false, evidence: false, lm: false } })
  // Megabytes. A tensor that is never let go would be about one a call.
  expect(late!.heap - early!.heap).toBeLessThan(10)
  expect((late!.resident ?? 0) - (early!.resident ?? 0)).toBeLessThan(40)
})
