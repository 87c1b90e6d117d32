// Builds the package into dist/ and the demo into dist-demo/.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureNode, ensurePackages, fail } from './ensure.mjs'
import { at, runtimeFiles } from './layout.mjs'

/**
 * The package's types. TypeScript keeps `.ts` in the specifiers of declarations; not every consumer's compiler takes that.
 * @param {string} folder
 */
export function writeDeclarations(folder) {
  const command = [at('node_modules/typescript/bin/tsc'), '-p', at('tsconfig.build.json'), '--outDir', folder]
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' })
  if (status !== 0) fail('The declarations could not be written: see the lines above.')
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const file = join(folder, name)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(\bfrom |\bimport\()(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2'))
  }
}

/** The package carries the code of its dependencies, so it carries their licences too. */
function writeLicences() {
  const lock = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages
  const bundled = new Set()
  const maps = readdirSync(at('dist'), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.js.map'))
  for (const map of maps) {
    for (const source of JSON.parse(readFileSync(at(`dist/${map}`), 'utf8')).sources) {
      const found = /.*(node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(source)?.[1]
      if (found) bundled.add(found)
    }
  }
  const texts = [...bundled].sort().map(path => {
    const file = readdirSync(at(path)).find(name => /^licen[cs]e/i.test(name))
    const text = file ? readFileSync(at(`${path}/${file}`), 'utf8').trim() : `${lock[path].license} licence, see the package's own page.`
    return `${path.replace(/^.*node_modules\//, '')} ${lock[path].version} (${lock[path].license})\n\n${text}\n`
  })
  writeFileSync(at('dist/THIRD-PARTY-LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`))
}

/** `dist/assets` is all that an `assets` base URL needs. The models are too big for the package, so only a link to them lies there. */
function writeAssets() {
  mkdirSync(at('dist/assets/runtime'), { recursive: true })
  for (const name of runtimeFiles) copyFileSync(at(`node_modules/onnxruntime-web/dist/${name}`), at(`dist/assets/runtime/${name}`))
  symlinkSync('../../models', at('dist/assets/models'), 'junction')
}

export async function build() {
  const { build: bundle } = await import('vite')
  rmSync(at('dist'), { recursive: true, force: true })
  const modes = ['library', 'worker', 'classic', ...(existsSync(at('demo/index.html')) ? ['demo'] : [])]
  for (const mode of modes) await bundle({ configFile: at('vite.config.ts'), mode, logLevel: 'warn' })
  writeDeclarations(at('dist'))
  writeLicences()
  writeAssets()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  ensureNode()
  ensurePackages()
  await build()
}
