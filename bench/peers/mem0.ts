/** mem0's open-source package without an LLM: messages are stored as they are, searched by cosine and BM25 together. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BenchContext } from '../result.ts'
import type { StartedPeer } from '../kinds/peers.ts'
import { attributed } from '../kinds/retrieval.ts'
import { peerPackagesWithDatabase } from './packages.ts'

interface Mem0 {
  add(
    messages: { role: string; content: string }[],
    options: { userId: string; infer: false; metadata: { turn: string } },
  ): Promise<{ results: object[] }>
  search(query: string, options: { filters: { user_id: string }; topK: number }): Promise<{ results: { metadata: { turn: string } }[] }>
}

const userId = 'bench'

export async function startMem0({ models }: Pick<BenchContext, 'models'>, limit: number): Promise<StartedPeer> {
  const packages = peerPackagesWithDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'credence-mem0-'))
  // Both are read when the package is loaded.
  process.env['MEM0_TELEMETRY'] = 'false'
  process.env['MEM0_DIR'] = folder
  const { href } = pathToFileURL(join(packages, 'node_modules/mem0ai/dist/oss/index.mjs'))
  const { Memory } = (await import(href)) as { Memory: new (config: object) => Mem0 }

  // It asks in the same way for memories and for questions, so there is no instruction before either.
  const embedDocuments = async (texts: string[]) => (await models.embed(texts, 'passage')).map(vector => [...vector])
  const embeddings = { embedDocuments, embedQuery: async (text: string) => (await embedDocuments([text]))[0]! }
  const invoke = () => Promise.reject(new Error('There is no LLM.'))
  return {
    async open() {
      const memory = new Memory({
        embedder: { provider: 'langchain', config: { model: embeddings } },
        llm: { provider: 'langchain', config: { model: { invoke } } },
        vectorStore: { provider: 'memory', config: { collectionName: 'bench', dimension: models.dimensions, dbPath: ':memory:' } },
        historyStore: { provider: 'memory', config: {} },
      })
      return {
        async put({ text, role = 'user', speaker }, turn) {
          await memory.add([{ role, content: attributed(text, speaker) }], { userId, infer: false, metadata: { turn } })
        },
        async ask(query) {
          const { results } = await memory.search(query, { filters: { user_id: userId }, topK: limit })
          return { ranking: results.map(({ metadata }) => metadata.turn), given: null }
        },
        close: async () => undefined,
      }
    },
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  }
}
