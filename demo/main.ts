/** Opens the memory and joins it to the chat, the inspectors and the tour. */

import 'credence/inspector'
import { chat } from './chat.ts'
import { showFigures } from './figures.ts'
import { importer } from './import.ts'
import { load } from './load.ts'
import { keepOffline } from './offline.ts'
import { themeButton } from './theme.ts'
import { onTour, tour } from './tour.ts'

themeButton()
keepOffline()
showFigures()
const memory = await load(onTour ? 'tour' : 'default')
if (onTour) await memory.forgetAll()

for (const inspector of document.querySelectorAll('credence-inspector')) inspector.memory = memory

const conversation = chat(memory)
// What was forgotten may stand in the conversation as well.
memory.subscribe(({ type }) => type === 'forgotten' && conversation.clear())
importer(memory)
if (onTour) tour(memory, conversation)
else conversation.greet((await memory.status()).turns)
