/** Relations of a statement to what was retrieved, for tests that care about some of their fields. */

import type { Retrieved } from '../../../src/belief/evolve.ts'

/** What most relations have. */
export const plain = {
  entailmentBack: 0,
  shared: 0,
  covered: 0,
  sameSubject: 1,
  ofOthers: false,
  ofTheSame: false,
  otherValue: false,
  undone: false,
  compatible: false,
}

export const retrieved = (over: Partial<Retrieved> = {}): Retrieved => ({
  id: 'a',
  score: 0.5,
  similarity: 0.6,
  entailment: 0,
  contradiction: 0,
  contradictionBack: 0,
  replaces: false,
  ...plain,
  same: false,
  onlyHint: false,
  dormant: false,
  ...over,
})
