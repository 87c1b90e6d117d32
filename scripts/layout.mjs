// Where things lie, said once.
import { fileURLToPath } from 'node:url'

/** @param {string} path */
export const at = path => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The files of onnxruntime-web that sessions load at run time. */
export const runtimeFiles = ['', '.asyncify'].flatMap(kind => ['mjs', 'wasm'].map(type => `ort-wasm-simd-threaded${kind}.${type}`))

/** Files and folders, by request path, that an `assets` base URL of `/` needs when served from the working tree. */
export const assetMounts = { '/models/': at('models'), '/runtime/': at('node_modules/onnxruntime-web/dist') }
