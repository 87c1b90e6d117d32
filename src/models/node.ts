/** Opens the models in Node, on onnxruntime-node. For the bench and the tests. */

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as ort from 'onnxruntime-node'
import type { Models } from '../engine/ports.ts'
import { CredenceError } from '../errors.ts'
import type { ModelRole } from '../memory.ts'
import type { Backend } from './device.ts'
import type { Bytes } from './files.ts'
import { readManifest, roles, type ManifestModel } from './manifest.ts'
import { assemble, tokenizerPool, type Source } from './models.ts'
import { createQueue } from './queue.ts'
import { createSession, type Ort } from './session.ts'

// Most tokens of a run.
const runTokens = 512

export async function openNodeModels(options: {
  /** Folder of manifest.json. */
  modelsDir: string
  /** Default: all. */
  roles?: readonly ModelRole[]
  /** Default: as many as there are cores. */
  threads?: number
}): Promise<Models> {
  const { modelsDir, threads } = options
  const manifest = readManifest(JSON.parse(await readFile(join(modelsDir, 'manifest.json'), 'utf8')))
  const tokenizers = tokenizerPool()
  const sources: Partial<Record<ModelRole, Source | Error>> = {}
  for (const role of options.roles ?? roles) {
    const entry = manifest[role]
    sources[role] = entry
      ? source(entry, modelsDir, tokenizers)
      : new CredenceError('ModelMissing', `${modelsDir}/manifest.json has no ${role}`)
  }
  return assemble(sources, nodeBackend(threads), {})
}

export function nodeBackend(threads = 0): Backend {
  const queue = createQueue()
  return {
    devices: ['cpu'],
    firstWins: true,
    refused: [],
    choices: new Map(),
    create: (parts, device) =>
      createSession(
        ort as unknown as Ort,
        parts,
        {
          executionProviders: [device],
          intraOpNumThreads: threads,
          // Threads that spin while they wait take the cores that others need.
          extra: { session: { intra_op: { allow_spinning: '0' } } },
          logSeverityLevel: 3,
        },
        runTokens,
        queue,
      ),
  }
}

function source(entry: ManifestModel, modelsDir: string, tokenizers: ReturnType<typeof tokenizerPool>): Source {
  const { files, ...spec } = entry
  const json = async (role: 'tokenizer' | 'tokenizerConfig') => {
    const file = files.find(file => file.role === role)
    return file ? (JSON.parse(new TextDecoder().decode(await checked(file, modelsDir))) as object) : {}
  }
  return {
    spec,
    tokenizer: () =>
      tokenizers(files.flatMap(file => (file.role.startsWith('tokenizer') ? file.sha256 : [])).join(), () =>
        Promise.all([json('tokenizer'), json('tokenizerConfig')]),
      ),
    async parts() {
      // The runtime reads the files itself; weights outside the graph are found beside it.
      for (const file of files) if (file.role === 'graph' || file.role === 'data') await checked(file, modelsDir)
      return { graph: join(modelsDir, files.find(file => file.role === 'graph')!.path), data: [], own: true }
    },
  }
}

async function checked(file: ManifestModel['files'][number], modelsDir: string): Promise<Bytes> {
  const bytes = await readFile(join(modelsDir, file.path)).catch(cause => {
    throw new CredenceError('ModelMissing', `${file.path} is not in ${modelsDir}; build or fetch the model files`, { cause })
  })
  if (bytes.length !== file.bytes || createHash('sha256').update(bytes).digest('hex') !== file.sha256) {
    throw new CredenceError('ModelCorrupt', `${file.path} is not the file that the manifest lists; build the manifest again`, {
      data: { file: file.path },
    })
  }
  return bytes as Bytes
}
