/** all-MiniLM-L6-v2 on onnxruntime-node, as an embedder like the project's own. */

import { readFileSync } from 'node:fs'
import { assemble } from '../../src/models/models.ts'
import { nodeBackend } from '../../src/models/node.ts'
import { createTokenizer } from '../../src/models/tokenizer.ts'
import { cached, type CachedModels } from '../cache.ts'
import { miniLmFiles } from './packages.ts'

export async function openMiniLm(): Promise<CachedModels & { end(): Promise<void> }> {
  const files = await miniLmFiles()
  const spec = {
    id: 'all-MiniLM-L6-v2',
    revision: 'langchain4j 0.36.2',
    dtype: 'int8',
    languages: ['en'],
    maxTokens: 512,
    dimensions: 384,
    pooling: 'mean' as const,
  }
  const tokenizer = async () => createTokenizer(JSON.parse(readFileSync(files.tokenizer, 'utf8')) as object, {})
  const parts = async () => ({ graph: files.graph, data: [], own: false })
  const models = await assemble({ embedder: { spec, tokenizer, parts } }, nodeBackend(), {})
  return { ...cached(models), end: () => models.dispose() }
}
