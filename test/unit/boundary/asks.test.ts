import { expect, it } from 'vitest'
import { asksPage } from '../../../scripts/asks.mjs'

it('each thing that users asked for has a test that names it', () => {
  const lines = asksPage().split('\n')
  expect(lines.filter(line => line.includes('**no test**')).map(line => line.split(' ')[1])).toEqual([])
})
