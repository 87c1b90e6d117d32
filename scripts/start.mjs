// From a bare clone to the demo in the browser.
import { build } from './build.mjs'
import { checkModels, ensureNode, ensurePackages, fail } from './ensure.mjs'
import { demoMounts } from './layout.mjs'
import { serve } from './serve.mjs'

ensureNode()
ensurePackages()
console.log(await checkModels().catch(error => fail(error.message)))
await build()
const { PORT, HOST } = process.env
const { url } = await serve({
  mounts: demoMounts,
  ...(HOST ? { host: HOST } : {}),
  ...(PORT ? { port: Number(PORT) } : { port: 4173, tries: 20 }),
}).catch(error => fail(error.code === 'EADDRINUSE' ? `Port ${error.port} is taken: set PORT to another one.` : error.message))
console.log(`\nThe demo is at ${url}/, the examples at ${url}/examples/  (Ctrl+C ends it)`)
