/** Silver labels: what the answer that was accepted says of a memory (Memory Retrieval for Changing Preferences). */

/** Sal_a from which a memory counts as evidence, in nats: it makes the answer e times likelier. */
const evident = 1

/** Whether a memory was evidence: the host says that it was used, or Sal_a does. */
export function wasEvidence({ used, salienceAnswer }: { used: boolean; salienceAnswer: number }): boolean {
  return used || salienceAnswer > evident
}

/** The same for all labels of one feedback. */
export const feedbackOf = ({ query, at }: { query: string; at: number }): string => `${at} ${query}`
