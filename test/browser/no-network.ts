/** For every test in a browser: nothing may be requested from anywhere but the server of the tests. */

import { commands } from 'vitest/browser'
import { afterAll, beforeAll, expect } from 'vitest'

beforeAll(async () => {
  await commands.takeRequests()
})

afterAll(async () => {
  const requests = await commands.takeRequests()
  // The tests of hub models answer in the place of the hub: their requests never reach the network.
  expect(requests.filter(url => new URL(url).origin !== location.origin)).toEqual([])
})
