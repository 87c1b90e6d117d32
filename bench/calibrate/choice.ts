/**
 * Conditional logit with “none of them” as one of the alternatives: of the candidates of a query, P(i) ∝ exp(s_i), and P(none) ∝ exp(0). The
 * score s = w·features is then comparable across queries, and its zero is where evidence begins.
 */

export interface Choice {
  /** One row a candidate. */
  features: readonly (readonly number[])[]
  /** Which candidates are right; none of them where no memory is needed. */
  right: readonly boolean[]
  weight: number
}

/** Maximum likelihood by Adam, with a small ridge; deterministic. */
export function fitChoice(choices: readonly Choice[], steps = 400, rate = 0.1, ridge = 1e-3): number[] {
  const width = choices.find(c => c.features.length > 0)!.features[0]!.length
  const weights = Array<number>(width).fill(0)
  const [first, second] = [Array<number>(width).fill(0), Array<number>(width).fill(0)]
  for (let step = 1; step <= steps; step++) {
    const gradient = weights.map(w => ridge * w)
    for (const choice of choices) addGradient(gradient, weights, choice)
    for (let i = 0; i < width; i++) {
      first[i] = 0.9 * first[i]! + 0.1 * gradient[i]!
      second[i] = 0.999 * second[i]! + 0.001 * gradient[i]! ** 2
      weights[i]! -= (rate * (first[i]! / (1 - 0.9 ** step))) / (Math.sqrt(second[i]! / (1 - 0.999 ** step)) + 1e-8)
    }
  }
  return weights
}

/** Gradient of −log P(right): what the model expects, minus what it expects among the right ones. */
function addGradient(gradient: number[], weights: readonly number[], { features, right, weight }: Choice): void {
  const scores = features.map(row => dot(weights, row))
  const top = Math.max(0, ...scores)
  const exps = scores.map(s => Math.exp(s - top))
  const all = exps.reduce((a, b) => a + b, 0) + Math.exp(-top)
  const rightMass = exps.reduce((sum, e, i) => sum + (right[i] ? e : 0), 0)
  features.forEach((row, i) => {
    const pull = exps[i]! / all - (right[i] ? exps[i]! / rightMass : 0)
    for (let k = 0; k < row.length; k++) gradient[k]! += weight * pull * row[k]!
  })
}

export function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
