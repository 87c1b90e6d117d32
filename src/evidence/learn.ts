/** Refits the learned controller's head on silver labels. */

import { logOdds, type Head } from './head.ts'

export interface Sample {
  features: readonly number[]
  /** 1: evidence; 0: not. */
  target: number
}

const steps = 60
const rate = 0.5
/** Pull towards the starting head, in samples: with few labels the head hardly moves. */
const prior = 20

/** Logistic regression by gradient descent, held near `start`; always the same number of steps, so never slower than samples × steps. */
export function refit(start: Head, samples: readonly Sample[]): number[] {
  const head = [...start]
  const scale = samples.length + prior
  for (let step = 0; step < steps; step++) {
    const gradient = head.map((w, i) => prior * (w - start[i]!) * 0.1)
    for (const { features, target } of samples) {
      const error = 1 / (1 + Math.exp(-logOdds(head, features))) - target
      for (let i = 0; i < head.length; i++) gradient[i]! += error * features[i]!
    }
    for (let i = 0; i < head.length; i++) head[i]! -= (rate * gradient[i]!) / scale
  }
  return head
}
