/** What the package consists of. `npm run build` comes first. */

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { at, entries } from '../../scripts/layout.mjs'

const packed = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: at(''), encoding: 'utf8' }))[0]
const files: string[] = packed.files.map((file: { path: string }) => file.path)
// What entries have in common, so that all know the same CredenceError, lies in shared/.
const scripts = files.filter(file => /^dist\/(shared\/)?[^/]+\.js$/.test(file))
/** Packages that an entry takes from the app that uses it. */
const peers: Record<string, RegExp> = { 'dist/react.js': /^react$/, 'dist/langchain.js': /^@langchain\/core\// }

test('the package holds the scripts, their types, the runtime and the licences, but no model', () => {
  const runtime = ['', '.asyncify'].flatMap(kind =>
    ['mjs', 'wasm'].map(type => `dist/assets/runtime/ort-wasm-simd-threaded${kind}.${type}`),
  )
  const entryScripts = [...Object.keys(entries), 'worker', 'credence'].map(name => `dist/${name}.js`)
  const needed = [
    ...entryScripts,
    ...runtime,
    'dist/index.d.ts',
    'dist/integrations/importers.d.ts',
    'dist/THIRD-PARTY-LICENSES.txt',
    'LICENSE',
  ]
  expect(files).toEqual(expect.arrayContaining(needed))
  expect(files.filter(file => /models\/|\.onnx|tokenizer|\.ts$/.test(file) && !file.endsWith('.d.ts'))).toEqual([])
})

test('every file that package.json names exists', () => {
  const { exports: exported, unpkg, jsdelivr } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
  const named = [
    unpkg,
    jsdelivr,
    ...Object.values(exported).flatMap(entry => (typeof entry === 'string' ? entry : Object.values(entry as object))),
  ]
  expect(named.filter(path => !existsSync(at(path)))).toEqual([])
})

test.each(scripts)('%s stands alone', path => {
  const code = readFileSync(at(path), 'utf8')
  const imported = [
    ...code.matchAll(/^\s*(?:import|export)\b[^;"'`]*?\bfrom\s*["'`]([^"'`]+)["'`]/gm),
    ...code.matchAll(/\bimport\(["'`]([^"'`]+)["'`]\)/g),
  ]
  const outside = imported.map(match => match[1]!).filter(name => !/^\.\.?\//.test(name) && !peers[path]?.test(name))
  expect(outside).toEqual([])
  expect(code.match(/\brequire\(["'`][^"'`]+["'`]\)/g) ?? []).toEqual([])
})

test.each(scripts)('%s names no address on the network but the model hub', path => {
  // Comments and licence headers are no addresses; a // inside a string is not the beginning of a comment.
  const code = readFileSync(at(path), 'utf8').replace(/\/\*[\s\S]*?\*\/|(^|[^:"'`\\])\/\/[^\n"'`]*$/gm, '$1')
  const allowed = [
    'https://huggingface.co', // models by hub id, with allowDownload only
    'https://credence.invalid', // a key of the Cache API
    'https://web.dev', // in a warning of onnxruntime-web
    'https://rolldown.rs', // in an error of the bundler's stand-in for require
  ]
  const found = [...code.matchAll(/\b(?:https?|wss?):\/\/[\w.-]+/g)].map(match => match[0])
  expect([...new Set(found)].filter(address => !allowed.includes(address))).toEqual([])
  // Addresses without a scheme, and the usual homes of runtime files.
  expect(code).not.toMatch(/jsdelivr|unpkg\.com|cdnjs|googleapis|["'`]\/\/[\w-]+\.[a-z]{2,}\//)
})

test('only the worker holds the hub address', () => {
  expect(scripts.filter(path => readFileSync(at(path), 'utf8').includes('huggingface.co'))).toEqual(['dist/worker.js'])
})

test.each(['dist/index.d.ts', 'dist/integrations/importers.d.ts'])('the types of %s need no other package', entry => {
  const seen = new Set<string>()
  const outside: string[] = []
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\(|^import )["']([^"']+)["']/gm)) {
      if (specifier.startsWith('.')) visit(join(dirname(file), specifier.replace(/\.js$/, '.d.ts')))
      else outside.push(`${file}: ${specifier}`)
    }
  }
  visit(at(entry))
  expect(outside).toEqual([])
})

test('the unpacked scripts are licensed by name', () => {
  const licences = readFileSync(at('dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
  for (const name of ['idb', 'minisearch', 'chrono-node', 'onnxruntime-web', '@huggingface/tokenizers']) {
    expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'))
  }
})
