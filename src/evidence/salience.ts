/** Salience: the log Bayes factor that a memory contributes (Memory Retrieval for Changing Preferences). All in nats. */

/** Sal_q(c; q) = log p(q | c) − log p(q): how much likelier the memory makes the query. */
export function salienceOfQuery(queryGivenMemory: number, query: number): number {
  return queryGivenMemory - query
}

/** Sal_a(c; q, a) = log p(a | q, c) − log p(a | q): how much likelier the memory makes the answer. */
export function salienceOfAnswer(answerGivenQueryAndMemory: number, answerGivenQuery: number): number {
  return answerGivenQueryAndMemory - answerGivenQuery
}

/** log p(a, q | c) / p(a, q) = Sal_a + Sal_q, exactly, by the chain rule. */
export function jointSalience(salienceAnswer: number, salienceQuery: number): number {
  return salienceAnswer + salienceQuery
}
