/** Opens the memory and joins it to the views. */

import { beliefList } from './beliefs.ts'
import { chat } from './chat.ts'
import { importer } from './import.ts'
import { load } from './load.ts'
import { hush, sayError } from './notice.ts'
import { portable } from './portable.ts'
import { showRecall } from './recall.ts'
import { showRoute } from './route.ts'
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

memory.subscribe(event => {
  beliefs.mark(event.changes)
  void refresh()
})
chat(memory, {
  recalled(recall) {
    hush()
    showRecall(recall)
  },
  observed: showRoute,
})
importer(memory)
portable(memory)
await refresh()
