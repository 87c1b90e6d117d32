import { openMemory } from 'credence'
import { serveMemory } from 'credence/extension'

serveMemory(openMemory({ assets: '/assets/', models: { lm: false } }))
