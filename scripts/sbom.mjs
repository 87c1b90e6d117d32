// What the package is made of: a bill of materials (CycloneDX) in dist/sbom.json, and every licence there is among the packages we build with.
// Fails for a licence that is not permissive, for a version that is not pinned, and for a package that wants to run a script when it is installed.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { at } from './layout.mjs'
import { fail } from './ensure.mjs'

/** Allow use in any product, with no more than a notice. MPL-2.0 asks for changes to its own files only, and nothing under it is in the package. */
const permissive =
  /^(?:0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-2-Clause|BSD-3-Clause|CC0-1\.0|CC-BY-3\.0|CC-BY-4\.0|ISC|MIT|MIT-0|MPL-2\.0|PSF-2\.0|Unlicense)$/
/** They can be had without: `.npmrc` turns all scripts off, and everything works. */
const scriptsNotNeeded = /^(?:esbuild|fsevents|onnxruntime-node|protobufjs)$/

/** @typedef {{ version?: string, license?: string, hasInstallScript?: boolean, optional?: boolean, link?: boolean }} Entry */
/** @type {Record<string, Entry>} */
const packages = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages
const { devDependencies = {}, dependencies = {} } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
/** @type {Map<string, string[]>} */
const byLicence = new Map()
/** @type {string[]} */
const problems = []

for (const [path, { version, license = 'none', hasInstallScript }] of Object.entries(packages)) {
  if (path === '' || !path.includes('node_modules/')) continue
  const name = path.replace(/^.*node_modules\//, '')
  byLicence.set(license, [...(byLicence.get(license) ?? []), `${name} ${version}`])
  const alternatives = license.replace(/[()]/g, '').split(/ OR /)
  const free = alternatives.some(one => one.split(/ AND /).every(part => permissive.test(part)))
  if (!free) problems.push(`${name} ${version} is under ${license}`)
  if (hasInstallScript && !scriptsNotNeeded.test(name)) problems.push(`${name} ${version} wants to run a script when it is installed`)
}
for (const [name, version] of Object.entries({ ...devDependencies, ...dependencies })) {
  if (!/^\d+\.\d+\.\d+/.test(version)) problems.push(`${name} is not pinned: ${version}`)
}

console.log(`${[...byLicence.values()].flat().length} packages in package-lock.json, none of them needed by those who use ours:`)
for (const [licence, names] of [...byLicence].sort(([, a], [, b]) => b.length - a.length)) {
  console.log(`  ${licence}: ${names.length}${names.length <= 6 ? ` (${names.join(', ')})` : ''}`)
}

const { stdout, status } = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
  cwd: at(''),
  encoding: 'utf8',
  maxBuffer: 1 << 26,
})
if (status !== 0) fail('npm sbom failed')
mkdirSync(at('dist'), { recursive: true })
writeFileSync(at('dist/sbom.json'), stdout)
console.log(`dist/sbom.json: ${JSON.parse(stdout).components.length} components`)
if (problems.length > 0) fail(problems.join('\n'))
