// Runs before node_modules exists, so it uses nothing but Node.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * A failure whose message is all the reader needs: printed without a stack.
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  console.error(`\n${message}`)
  process.exit(1)
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
function run(command, args, env = {}) {
  console.log(`> ${command} ${args.join(' ')}`)
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status === 0
}

export function ensureNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const good = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22
  if (!good) fail(`Node ${process.versions.node} will not do: install Node 20.19 or newer, 22.12 or newer.`)
}

/** Whether what is installed is what package-lock.json says; optional packages (other platforms) may be absent. */
function packagesMatch() {
  const installed = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(installed)) return false
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const present = JSON.parse(readFileSync(installed, 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    const found = present[path]
    if (!found || !existsSync(join(root, path))) return Boolean(entry.optional || entry.devOptional)
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

export function ensurePackages() {
  if (packagesMatch()) return
  if (!run('npm', ['ci', '--include=dev'])) fail('npm ci failed: see the lines above.')
}

/** @param {string} file */
function works(file) {
  try {
    accessSync(file, constants.X_OK)
  } catch {
    return false
  }
  // Ubuntu's /usr/bin/chromium-browser may be a stub that only says where to get the browser.
  const result = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 20_000 })
  return result.status === 0 && /\d+\.\d+/.test(result.stdout)
}

function* chromiumCandidates() {
  for (const folder of (process.env.PATH ?? '').split(delimiter).filter(Boolean)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']) yield join(folder, name)
  }
  yield* ['/usr/bin/chromium', '/usr/lib/chromium/chromium', '/opt/google/chrome/chrome', '/snap/bin/chromium']
  for (const base of ['/Applications', join(homedir(), 'Applications')]) {
    for (const name of ['Google Chrome', 'Chromium']) yield join(base, `${name}.app/Contents/MacOS/${name}`)
  }
  const caches = [join(homedir(), '.cache/ms-playwright'), join(homedir(), 'Library/Caches/ms-playwright')]
  for (const cache of process.env.PLAYWRIGHT_BROWSERS_PATH ? [process.env.PLAYWRIGHT_BROWSERS_PATH] : caches) {
    if (!existsSync(cache)) continue
    for (const browser of readdirSync(cache)
      .filter(name => name.startsWith('chromium-'))
      .sort()
      .reverse()) {
      for (const folder of readdirSync(join(cache, browser)).filter(name => name.startsWith('chrome-'))) {
        yield join(cache, browser, folder, 'chrome')
        yield join(cache, browser, folder, 'Chromium.app/Contents/MacOS/Chromium')
        yield join(cache, browser, folder, 'Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing')
      }
    }
  }
}

/** Path of a Chromium that starts, or undefined. */
export function findChromium() {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen) return works(chosen) ? chosen : fail(`CHROMIUM_PATH is ${chosen}, which does not start: correct or unset it.`)
  for (const file of chromiumCandidates()) if (works(file)) return file
  return undefined
}

/** Whether apt could install the package. @param {string} name */
function aptInstall(name) {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', ...(process.stdin.isTTY ? [] : ['-n'])]
  /** @param {string[]} args */
  const apt = args => {
    const [command = 'apt-get', ...rest] = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args]
    return run(command, rest)
  }
  return apt(['update', '-qq']) && apt(['install', '-qq', '-y', '--no-install-recommends', name])
}

/** Path of a Chromium that starts; installs one with apt where there is none. */
export function ensureChromium() {
  const found = findChromium()
  if (found) return found
  const help = 'Install Chromium or Google Chrome, or set CHROMIUM_PATH to one.'
  if (!existsSync('/usr/bin/apt-get')) fail(`No Chromium found. ${help}`)
  if (!aptInstall('chromium')) fail(`No Chromium found, and apt-get could not install it. ${help}`)
  return findChromium() ?? fail(`apt-get installed a Chromium that does not start. ${help}`)
}

/** Path of a Firefox that starts, or undefined. */
export function findFirefox() {
  const chosen = process.env.FIREFOX_PATH
  if (chosen) return works(chosen) ? chosen : fail(`FIREFOX_PATH is ${chosen}, which does not start: correct or unset it.`)
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const candidates = folders.flatMap(folder => ['firefox-esr', 'firefox'].map(name => join(folder, name)))
  return [...candidates, '/Applications/Firefox.app/Contents/MacOS/firefox'].find(works)
}

/** Path of a Firefox that starts, or undefined; tries to install one with apt where there is none. */
export function ensureFirefox() {
  return findFirefox() ?? (existsSync('/usr/bin/apt-get') && aptInstall('firefox-esr') ? findFirefox() : undefined)
}

/** @param {string} file @returns {Promise<string>} */
export function sha256(file) {
  return new Promise((resolve, reject) => {
    const hash = createHash('sha256')
    createReadStream(file)
      .on('data', chunk => hash.update(chunk))
      .on('error', reject)
      .on('end', () => resolve(hash.digest('hex')))
  })
}

/** Compares every model file with models/manifest.json. */
export async function checkModels() {
  const manifest = JSON.parse(readFileSync(join(root, 'models/manifest.json'), 'utf8'))
  const files = Object.values(manifest.models).flatMap(model => model.files)
  const results = await Promise.all(
    files.map(async ({ path, bytes, sha256: wanted }) => {
      const file = join(root, 'models', path)
      return existsSync(file) && statSync(file).size === bytes && (await sha256(file)) === wanted ? [] : [`models/${path}`]
    }),
  )
  const wrong = results.flat()
  if (wrong.length > 0) throw new Error(`Missing or damaged: ${wrong.join(', ')}. Get them back with: git checkout -- ${wrong.join(' ')}`)
  return `${files.length} model files are what models/manifest.json says`
}
