/** A repository in the layout of the hub, with a tokenizer of eight words. */

export const revision = '0123456789abcdef0123456789abcdef01234567'

export const json = (value: unknown) => () => JSON.stringify(value)

export const words = ['[UNK]', '<s>', '</s>', 'tea', 'coffee', 'is', 'warm', 'cold']
const tokenizer = {
  version: '1.0',
  added_tokens: ['<s>', '</s>'].map((content, k) => ({ id: k + 1, content, special: true })),
  normalizer: null,
  pre_tokenizer: { type: 'WhitespaceSplit' },
  post_processor: null,
  decoder: { type: 'WordPiece', prefix: '##', cleanup: false },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(words.map((word, k) => [word, k])),
  },
}

export function repository(name: string, config: object, graph: Uint8Array<ArrayBuffer>, file = 'onnx/model_quantized.onnx') {
  const at = `${name}/resolve/${revision}/`
  return {
    [`${at}config.json`]: json(config),
    [`${at}tokenizer.json`]: json(tokenizer),
    [`${at}tokenizer_config.json`]: json({ model_max_length: 1e30 }),
    [`${at}${file}`]: () => graph,
  }
}
