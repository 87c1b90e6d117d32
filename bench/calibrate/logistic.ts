/** Logistic regression by gradient descent, for a handful of features and a few thousand samples. */

export interface Sample {
  features: readonly number[]
  target: 0 | 1
  weight: number
}

/** Weights in the order of the features; `ridge` pulls all but the first (the bias) towards 0. */
export function fit(samples: readonly Sample[], ridge = 1e-3, steps = 4000): number[] {
  const width = samples[0]!.features.length
  const total = samples.reduce((sum, s) => sum + s.weight, 0)
  // Features of different scales: each step is taken in units of the feature's own spread.
  const scale = Array.from({ length: width }, (_, i) => {
    const square = samples.reduce((sum, s) => sum + s.weight * s.features[i]! ** 2, 0) / total
    return square > 0 ? 1 / square : 0
  })
  const weights = Array<number>(width).fill(0)
  for (let step = 0; step < steps; step++) {
    const gradient = weights.map((w, i) => (i === 0 ? 0 : ridge * w))
    for (const { features, target, weight } of samples) {
      const error = (weight * (probability(weights, features) - target)) / total
      for (let i = 0; i < width; i++) gradient[i]! += error * features[i]!
    }
    for (let i = 0; i < width; i++) weights[i]! -= scale[i]! * gradient[i]!
  }
  return weights
}

export function probability(weights: readonly number[], features: readonly number[]): number {
  return 1 / (1 + Math.exp(-weights.reduce((sum, w, i) => sum + w * features[i]!, 0)))
}
