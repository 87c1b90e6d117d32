/** Apps that use the package as others get it: packed, and unpacked into their `node_modules`. */

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { at } from '../../scripts/layout.mjs'

/** Where a page finds models and runtime files at `/assets/`. */
export const assets = {
  '/assets/models/': at('models'),
  '/assets/runtime/': at('dist/assets/runtime'),
}

export interface App {
  folder: string
  remove(): void
}

/** A copy of a fixture, with what its lockfile names, the packed package, and `packages` of ours in its `node_modules`. */
export function makeApp(fixture: string, packages: readonly string[] = []): App {
  const folder = mkdtempSync(join(tmpdir(), `credence-${fixture}-`))
  cpSync(at(`test/fixtures/apps/${fixture}`), folder, { recursive: true })
  cpSync(at('test/fixtures/apps/use.js'), join(folder, 'use.js'))
  if (existsSync(join(folder, 'package-lock.json'))) {
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  installPacked(folder)
  for (const name of packages) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    if (!existsSync(link)) symlinkSync(at(`node_modules/${name}`), link, 'junction')
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** What `npm install credence` would put there. */
function installPacked(folder: string): void {
  const target = join(folder, 'node_modules/credence')
  mkdirSync(target, { recursive: true })
  const archive = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: at(''), encoding: 'utf8' }).trim()
  execFileSync('tar', ['-xzf', join(folder, archive), '--strip-components=1', '-C', target])
  rmSync(join(folder, archive))
}

/** Runs a program of ours in the app's folder, such as `vite/bin/vite.js`. */
export function run(folder: string, program: string, ...args: string[]): void {
  execFileSync(process.execPath, [at(`node_modules/${program}`), ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}
