import { expect, it } from 'vitest'
import { mixNoise } from '../../../bench/kinds/seeds.ts'

it('a seed puts the small talk into another order, and leaves everything else where it was', () => {
  const turns = Array.from({ length: 20 }, (_, t) =>
    t % 4 === 0
      ? { t, text: `I live in town ${t}.`, act: 'change', slot: 'home', value: `town ${t}` }
      : { t, text: `small talk ${t}`, act: 'noise' },
  )
  const persona = { turns, probes: [] }
  const mixed = [1, 2, 3, 4, 5].map(seed => mixNoise(persona, seed).turns)
  expect(new Set(mixed.map(turns => turns.map(turn => turn.text).join())).size).toBe(5)
  expect(mixNoise(persona, 3).turns).toEqual(mixed[2])
  for (const order of mixed) {
    expect(order.filter(turn => turn.act !== 'noise')).toEqual(turns.filter(turn => turn.act !== 'noise'))
    expect(order.map(({ t, act }) => [t, act])).toEqual(turns.map(({ t, act }) => [t, act]))
    expect(order.map(turn => turn.text).sort()).toEqual(turns.map(turn => turn.text).sort())
  }
})
