/** Models from a hub, at a pinned revision. */

import { CredenceError, refuseUnknown } from '../errors.ts'
import type { HubModel, ModelRole } from '../memory.ts'
import type { Files } from './files.ts'
import { isEmbedder, nliLabels, type ModelSpec } from './manifest.ts'
import type { Source } from './models.ts'
import { createTokenizer } from './tokenizer.ts'

const hubUrl = 'https://huggingface.co'
const defaultFile = 'onnx/model_quantized.onnx'

/** Throws before anything is requested. */
export function checkHubModel(role: ModelRole, model: HubModel, allowDownload: boolean): void {
  const where = `models.${role}`
  refuseUnknown(model, ['hub', 'revision', 'file', 'pooling', 'queryPrefix'], where)
  const invalid = (field: string, why: string) =>
    new CredenceError('InvalidArgument', `${where}.${field} ${why}`, { data: { role, field } })
  const plainPath = (path: string) => path.split('/').every(part => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part))
  if (!plainPath(model.hub ?? '') || model.hub.split('/').length !== 2) throw invalid('hub', 'must be owner/name')
  if (!/^[0-9a-f]{40}$/.test(model.revision ?? ''))
    throw invalid('revision', 'must be the 40 hex digits of a commit, so that the files cannot change')
  if (model.file !== undefined && !plainPath(model.file)) throw invalid('file', 'must be a path inside the repository')
  if (model.pooling !== undefined && model.pooling !== 'cls' && model.pooling !== 'mean') throw invalid('pooling', 'must be cls or mean')
  if (model.queryPrefix !== undefined && typeof model.queryPrefix !== 'string') throw invalid('queryPrefix', 'must be a text')
  if ((model.pooling !== undefined || model.queryPrefix !== undefined) && !isEmbedder(role))
    throw invalid('pooling', 'and queryPrefix are for embedders')
  if (!allowDownload) {
    throw new CredenceError('DownloadRefused', `${where} names ${model.hub} on a hub; set allowDownload to fetch it, or leave it out`, {
      data: { role, hub: model.hub },
    })
  }
}

interface Config {
  max_position_embeddings?: number
  hidden_size?: number
  id2label?: Record<string, string>
  num_hidden_layers?: number
  num_attention_heads?: number
  num_key_value_heads?: number
  head_dim?: number
  bos_token_id?: number
  eos_token_id?: number | number[]
}

export async function hubSource(role: ModelRole, model: HubModel, files: Files): Promise<Source> {
  const file = model.file ?? defaultFile
  const read = (path: string) =>
    files.read({ url: `${hubUrl}/${model.hub}/resolve/${model.revision}/${path}`, name: `${model.hub}/${path}` })
  const json = async (path: string) => {
    try {
      return JSON.parse(new TextDecoder().decode(await read(path))) as object
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause
      throw new CredenceError('ModelCorrupt', `${model.hub}/${path} is not JSON; use another model`, { cause })
    }
  }
  // One after the other, so that no request outlives one that failed.
  const config = (await json('config.json')) as Config
  const tokenizerConfig = (await json('tokenizer_config.json')) as { model_max_length?: number }
  return {
    spec: specOf(role, model, file, config, tokenizerConfig.model_max_length),
    tokenizer: async () => createTokenizer(await json('tokenizer.json'), tokenizerConfig),
    parts: async () => ({ graph: await read(file), data: [], own: false }),
  }
}

function specOf(role: ModelRole, model: HubModel, file: string, config: Config, longest = Infinity): ModelSpec {
  const need = <T>(value: T | undefined, field: string): T => {
    if (value === undefined)
      throw new CredenceError('ModelFailed', `${model.hub} cannot be the ${role}: its config.json has no ${field}; use another model`)
    return value
  }
  const spec: ModelSpec = {
    id: model.hub,
    revision: model.revision,
    dtype: file.replace(/^onnx\/|\.onnx$/g, ''),
    languages: [],
    maxTokens: Math.min(need(config.max_position_embeddings, 'max_position_embeddings'), longest, 8192),
  }
  if (isEmbedder(role)) {
    spec.dimensions = need(config.hidden_size, 'hidden_size')
    spec.pooling = model.pooling ?? 'cls'
    if (model.queryPrefix !== undefined) spec.queryPrefix = model.queryPrefix
  }
  if (role === 'nli') {
    const labels = Object.entries(need(config.id2label, 'id2label'))
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([, label]) => label.toLowerCase())
    spec.labels = labels
    for (const label of nliLabels) {
      if (!labels.includes(label)) {
        throw new CredenceError(
          'ModelFailed',
          `${model.hub} cannot be the nli: its labels are ${labels.join(', ')}, not ${nliLabels.join(', ')}; use another model`,
        )
      }
    }
  }
  if (role === 'lm') {
    const heads = need(config.num_attention_heads, 'num_attention_heads')
    const ends = need(config.eos_token_id, 'eos_token_id')
    spec.ends = Array.isArray(ends) ? ends : [ends]
    spec.start = config.bos_token_id ?? spec.ends[0]!
    spec.kv = {
      layers: need(config.num_hidden_layers, 'num_hidden_layers'),
      heads: config.num_key_value_heads ?? heads,
      size: config.head_dim ?? need(config.hidden_size, 'hidden_size') / heads,
    }
  }
  return spec
}
