// A static server for the demo and the tests, with the headers that make a page cross-origin isolated.
import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, relative, isAbsolute } from 'node:path'
import { pipeline } from 'node:stream'

/** @type {Record<string, string>} */
const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.jsonl': 'application/jsonl; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
}

export const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/**
 * The file that a request path stands for, or null. Each mount is a folder under a path prefix that ends in `/`; the longest prefix wins.
 * @param {Record<string, string>} mounts
 * @param {string} path decoded, begins with `/`
 */
export async function locate(mounts, path) {
  const prefix = Object.keys(mounts)
    .filter(candidate => path.startsWith(candidate))
    .sort((a, b) => b.length - a.length)[0]
  if (prefix === undefined || path.includes('\0')) return null
  const folder = /** @type {string} */ (mounts[prefix])
  const file = join(folder, path.slice(prefix.length), path.endsWith('/') ? 'index.html' : '')
  const inside = relative(folder, file)
  if (inside.startsWith('..') || isAbsolute(inside)) return null
  try {
    const found = await stat(file)
    return found.isFile()
      ? { file: await realpath(file), size: found.size, type: types[extname(file)] ?? 'application/octet-stream' }
      : null
  } catch {
    return null
  }
}

/**
 * @param {{ mounts: Record<string, string>, host?: string, port?: number, tries?: number, headers?: Record<string, string> }} options
 *   `port` 0 takes any free one (default); with `tries` > 1 the following ports are tried when it is taken; `headers` replace `isolation`
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function serve({ mounts, host = '127.0.0.1', port = 0, tries = 1, headers = isolation }) {
  const server = createServer(async (request, response) => {
    /** @param {number} status @param {Record<string, string | number>} [extra] */
    const head = (status, extra = {}) => response.writeHead(status, { ...headers, 'Cache-Control': 'no-cache', ...extra })
    if (request.method !== 'GET' && request.method !== 'HEAD') return head(405, { Allow: 'GET, HEAD' }).end()
    let path
    try {
      path = decodeURIComponent((request.url ?? '/').replace(/[?#].*$/s, ''))
    } catch {
      return head(400).end()
    }
    const found = await locate(mounts, path)
    if (!found) return head(404, { 'Content-Type': 'text/plain' }).end('not found')
    head(200, { 'Content-Type': found.type, 'Content-Length': found.size })
    if (request.method === 'HEAD') return response.end()
    // A reader that goes away in the middle is no failure of the server.
    pipeline(createReadStream(found.file), response, () => {})
  })
  for (let attempt = 0; ; attempt++) {
    try {
      await new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port === 0 ? 0 : port + attempt, host, () => resolve(server.off('error', reject)))
      })
      break
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EADDRINUSE' || attempt + 1 >= tries) throw error
    }
  }
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve(undefined))
        server.closeAllConnections()
      }),
  }
}
