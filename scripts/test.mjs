// Everything that must hold, in one command: `npm test`, or `npm test -- lint unit` for some of it.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkModels, ensureChromium, ensureFirefox, ensureNode, ensurePackages, fail, root } from './ensure.mjs'

const minute = 60_000
const deadline = Date.now() + 38 * minute

/**
 * Runs a program to its end, or to its limit: then it is ended with all that it started.
 * @param {string[]} command
 * @param {number} limit milliseconds
 * @returns {Promise<boolean>} whether it ended well
 */
function run(command, limit) {
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', detached: true })
  const end = () => process.kill(-(child.pid ?? 0), 'SIGKILL')
  const interrupted = () => {
    end()
    process.exit(130)
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  const timer = setTimeout(() => {
    console.error(`ended after ${Math.round(limit / minute)} minutes`)
    end()
  }, limit)
  return new Promise(resolve => {
    child.on('error', error => {
      console.error(error.message)
      resolve(false)
    })
    child.on('exit', code => resolve(code === 0))
  }).finally(() => {
    clearTimeout(timer)
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
  })
}

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** @param {boolean} good @returns {Counts} */
const one = good => ({ passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: 0 })

/** @param {...string} command */
const check =
  (...command) =>
  async () =>
    one(await run(command, Math.min(5 * minute, deadline - Date.now())))

const results = mkdtempSync(join(tmpdir(), 'credence-test-'))

/** A project of vitest.config.ts. @param {string} project @param {number} minutes */
const tests = (project, minutes) => async () => {
  const file = join(results, `${project}.json`)
  const command = ['npx', 'vitest', 'run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const good = await run(command, Math.min(minutes * minute, deadline - Date.now()))
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(file, 'utf8'))
    // A file that does not load, or an error outside every test, fails a run in which no test failed.
    return { passed: numPassedTests, failed: good ? 0 : Math.max(1, numFailedTests), skipped: numPendingTests + numTodoTests }
  } catch {
    return one(false)
  }
}

/** @type {Record<string, () => Promise<Counts>>} */
const steps = {
  models: async () => {
    try {
      console.log(await checkModels())
      return one(true)
    } catch (error) {
      console.error(error instanceof Error ? error.message : error)
      return one(false)
    }
  },
  format: check('npx', 'prettier', '--check', '--log-level=warn', '.'),
  lint: check('npx', 'oxlint', '--deny-warnings'),
  typecheck: check('npx', 'tsc', '--noEmit'),
  types: tests('types', 5),
  unit: tests('unit', 10),
  node: tests('node', 20),
  build: check('node', 'scripts/build.mjs'),
  size: check('node', 'scripts/size.mjs'),
  publint: check('npx', 'publint', '--strict'),
  // The worker's script is loaded by its address, never imported.
  attw: check('npx', 'attw', '--pack', '.', '--profile', 'esm-only', '--exclude-entrypoints', 'worker.js'),
  browser: tests('browser', 18),
  firefox: async () => {
    if (ensureFirefox()) return tests('firefox', 8)()
    console.log('Nothing was tested in Firefox: there is none here, and apt-get could not install it. Set FIREFOX_PATH to one.')
    return { passed: 0, failed: 0, skipped: 1 }
  },
  demo: tests('demo', 10),
  package: tests('package', 20),
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter(name => !Object.hasOwn(steps, name))
if (unknown.length > 0) fail(`There is no step ${unknown.join(', ')}; there are ${Object.keys(steps).join(', ')}.`)

ensureNode()
ensurePackages()
ensureChromium()

/** @type {[string, Counts, number][]} */
const table = []
for (const [name, step] of Object.entries(steps)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  console.log(`\n== ${name}`)
  const started = Date.now()
  table.push([name, await step(), (Date.now() - started) / 1000])
}
rmSync(results, { recursive: true })

console.log()
for (const [name, counts, seconds] of table) {
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  console.log(`${name.padEnd(10)} ${seconds.toFixed(0).padStart(4)} s  ${counts.passed} passed, ${counts.failed} failed${skipped}`)
}
const sum = (/** @type {keyof Counts} */ key) => table.reduce((total, [, counts]) => total + counts[key], 0)
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') > 0 ? 1 : 0
