/** `peers`: what a page would use instead, on the same turns and queries, with the same scoring, in one run. */

import { readFileSync } from 'node:fs'
import MiniSearch from 'minisearch'
import { at } from '../../scripts/layout.mjs'
import { startEntityDb } from '../peers/entity-db.ts'
import { startMem0 } from '../peers/mem0.ts'
import { openMiniLm } from '../peers/minilm.ts'
import { nameAndVersion } from '../peers/packages.ts'
import type { BenchContext, Metrics, Result } from '../result.ts'
import type { Chat } from '../sets.ts'
import { plainCosine } from './alone.ts'
import { attributed, credence, measure, type Remembering } from './retrieval.ts'

const { devDependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { devDependencies: Record<string, string> }

/** Where a peer asks how many it may return: as many as credence has candidates. */
const most = 50

/** A peer that is ready for a chat. */
export interface StartedPeer {
  open(): Promise<Remembering>
  stop(): Promise<void>
}

export interface Peer {
  name: string
  /** Gets what it needs; throws when that cannot be had. */
  start(context: BenchContext): Promise<StartedPeer>
}

/** What is here already. */
export const atHand: readonly Peer[] = [
  { name: 'credence', start: async context => inProcess(() => credence(context)) },
  { name: `minisearch ${devDependencies['minisearch']}`, start: async () => inProcess(miniSearch) },
  { name: 'cosine, bge-small-en-v1.5', start: async ({ models }) => inProcess(() => plainCosine(models)) },
]

/** What is installed or downloaded by the first run. */
export const fetched: readonly Peer[] = [
  {
    name: 'cosine, all-MiniLM-L6-v2',
    async start() {
      const models = await openMiniLm()
      return {
        open: () => plainCosine(models),
        async stop() {
          models.flush()
          await models.end()
        },
      }
    },
  },
  { name: nameAndVersion('@babycommando/entity-db'), start: () => startEntityDb(most) },
  { name: `${nameAndVersion('mem0ai')}, no LLM`, start: context => startMem0(context, most) },
]

export async function peers(chats: Chat[], context: BenchContext, systems: readonly Peer[] = [...atHand, ...fetched]): Promise<Result> {
  let own: Result | undefined
  const byCategory: Record<string, Metrics> = {}
  for (const [i, { name, start }] of systems.entries()) {
    const progress: BenchContext['progress'] = (done, total) => context.progress(i * total + done, systems.length * total)
    let peer: StartedPeer
    try {
      peer = await start(context)
    } catch (error) {
      process.stderr.write(`peers: ${name} is left out: ${(error as Error).message}\n`)
      continue
    }
    try {
      const result = await measure(chats, { ...context, progress }, () => peer.open())
      own ??= result
      byCategory[name] = { n: result.n, ...result.metrics }
    } finally {
      await peer.stop()
    }
  }
  return { ...own!, byCategory }
}

const inProcess = (open: () => Promise<Remembering>): StartedPeer => ({ open, stop: async () => undefined })

/** Words, as the library has them when nothing is set. */
async function miniSearch(): Promise<Remembering> {
  const index = new MiniSearch<{ id: string; text: string }>({ fields: ['text'] })
  return {
    put: async ({ text, speaker }, id) => index.add({ id, text: attributed(text, speaker) }),
    ask: async query => ({ ranking: index.search(query).map(hit => hit.id as string), given: null }),
    close: async () => undefined,
  }
}
