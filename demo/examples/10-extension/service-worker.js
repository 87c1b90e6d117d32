import { relayMemory } from 'credence/extension'

// Registered while the script first runs, as the browser wants it.
self.memory = relayMemory('offscreen.html')
