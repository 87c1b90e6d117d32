// Where things lie, said once.
import { fileURLToPath } from 'node:url'

/** @param {string} path */
export const at = path => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The files of onnxruntime-web that sessions load at run time. */
export const runtimeFiles = ['', '.asyncify'].flatMap(kind => ['mjs', 'wasm'].map(type => `ort-wasm-simd-threaded${kind}.${type}`))

/** Files and folders, by request path, that an `assets` base URL of `/` needs when served from the working tree. */
export const assetMounts = { '/models/': at('models'), '/runtime/': at('node_modules/onnxruntime-web/dist') }

/** What the built demo is served with: the package for the examples that need no bundler, and those. */
export const demoMounts = {
  '/': at('dist-demo'),
  '/credence/': at('dist'),
  '/examples/01-script-tag/': at('demo/examples/01-script-tag'),
  '/examples/02-esm/': at('demo/examples/02-esm'),
  ...assetMounts,
}

/** The entries of the package by their names, as in `credence/react`; `index` is `credence` itself. */
export const entries = {
  index: 'src/index.ts',
  import: 'src/integrations/importers.ts',
  inspector: 'src/inspector/index.ts',
  react: 'src/integrations/react.ts',
  'ai-sdk': 'src/integrations/ai-sdk.ts',
  langchain: 'src/integrations/langchain.ts',
  webllm: 'src/integrations/webllm.ts',
  transformers: 'src/integrations/transformers.ts',
  'prompt-api': 'src/integrations/prompt-api.ts',
  llm: 'src/integrations/llm.ts',
  extension: 'src/integrations/extension.ts',
}
