/** The files of the pinned onnxruntime-web. A unit test compares them with the installed package. */
export const runtime = {
  version: '1.31.0-dev.20260914-8d85527a0',
  wasm: {
    name: 'ort-wasm-simd-threaded',
    bytes: 14264838,
    sha256: '06ba057753da3847e4c24f02d91ab133455b0817c69a44993a9a53a2146df9e3',
  },
  webgpu: {
    name: 'ort-wasm-simd-threaded.asyncify',
    bytes: 26861777,
    sha256: '49871f5a4409519797e127440868a6d1923339d9185907f301a5b2a1d90af082',
  },
} as const
