import { createReadStream } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import type { Plugin } from 'vite'
import { isolation, locate } from './serve.mjs'
import { assetMounts } from './layout.mjs'

async function send(path: string, response: ServerResponse) {
  const found = await locate(assetMounts, path)
  if (!found) return void response.writeHead(404).end()
  response.writeHead(200, { 'Content-Type': found.type, 'Content-Length': found.size, 'Cache-Control': 'no-cache' })
  pipeline(createReadStream(found.file), response, () => {})
}

/** Serves `/models/` and `/runtime/` byte for byte, past Vite's transforms, and makes every page cross-origin isolated. */
export function localAssets(): Plugin {
  return {
    name: 'local-assets',
    enforce: 'pre',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        for (const [name, value] of Object.entries(isolation)) response.setHeader(name, value)
        const path = (request.url ?? '/').replace(/[?#].*$/s, '')
        if (Object.keys(assetMounts).some(prefix => path.startsWith(prefix))) send(path, response).catch(next)
        else next()
      })
    },
  }
}
