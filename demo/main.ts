/** Opens the memory and joins it to the views. */

import { beliefList } from './beliefs.ts'
import { chat } from './chat.ts'
import { importer } from './import.ts'
import { load } from './load.ts'
import { hush, sayError } from './notice.ts'
import { portable } from './portable.ts'
import { clearRecall, showRecall } from './recall.ts'
import { clearRoute, showRoute } from './route.ts'
import { showStatus } from './status.ts'
import { themeButton } from './theme.ts'

themeButton()
const memory = await load()
const beliefs = beliefList(memory)

const conversation = chat(memory, {
  recalled(recall) {
    hush()
    showRecall(recall)
  },
  observed: showRoute,
})

/** At most one at a time, and at most four a second while an import runs. */
let refreshing = false
let stale = false
let again: ReturnType<typeof setTimeout> | undefined
async function refresh(): Promise<void> {
  stale = true
  if (refreshing) return
  refreshing = true
  while (stale) {
    stale = false
    try {
      await beliefs.refresh()
      const { missing, turns } = await showStatus(memory)
      conversation.greet(turns)
      clearTimeout(again)
      if (missing.some(one => one.reason === 'loading')) again = setTimeout(refresh, 1000)
    } catch (error) {
      sayError('The view could not be refreshed', error)
    }
    await new Promise(resolve => setTimeout(resolve, 250))
  }
  refreshing = false
}

memory.subscribe(({ type, changes }) => {
  beliefs.mark(changes)
  void refresh()
  if (type !== 'forgotten') return
  // What was forgotten may stand there as well.
  conversation.clear()
  clearRecall()
  clearRoute()
})
importer(memory)
portable(memory)
await refresh()
