/** The elements by their names. A second copy of this script leaves the first one's alone. */

import { BeliefItem } from './belief-item.ts'
import { BeliefsPanel } from './beliefs-panel.ts'
import { InspectorButton } from './button.ts'
import { DataPanel } from './data-panel.ts'
import { Inspector } from './inspector.ts'
import { TimePanel } from './time-panel.ts'

const elements = {
  'credence-inspector-belief': BeliefItem,
  'credence-inspector-beliefs': BeliefsPanel,
  'credence-inspector-time': TimePanel,
  'credence-inspector-data': DataPanel,
  'credence-inspector': Inspector,
  'credence-inspector-button': InspectorButton,
}

for (const [name, element] of Object.entries(elements)) if (!customElements.get(name)) customElements.define(name, element)
