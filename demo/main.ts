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

/** At most one at a time, and at most four a second while an import runs. */
let refreshing = false
let stale = false
async function refresh(): Promise<void> {
  stale = true
  if (refreshing) return
  refreshing = true
  while (stale) {
    stale = false
    await Promise.all([beliefs.refresh(), showStatus(memory)]).catch(error => sayError('The view could not be refreshed', error))
    await new Promise(resolve => setTimeout(resolve, 250))
  }
  refreshing = false
}

const { turns } = await memory.status()
const conversation = chat(memory, turns, {
  recalled(recall) {
    hush()
    showRecall(recall)
  },
  observed: showRoute,
})
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
