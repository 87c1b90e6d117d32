/**
 * Keeps the demo's own files, so that a second visit needs no network. Models and the WebAssembly runtime are kept by the library itself, which checks
 * them; only the runtime's small scripts and the manifest, which have fixed names, are kept here too.
 */

declare const self: ServiceWorkerGlobalScope

// The build writes both in.
const version = '__VERSION__'
const files = '__FILES__'.split('|')
const others = ['runtime/ort-wasm-simd-threaded.mjs', 'runtime/ort-wasm-simd-threaded.asyncify.mjs', 'models/manifest.json']

const cacheName = `credence-demo-${version}`
const kept = new Set([...files, ...others])
/** Without these headers, on a host that cannot send them, models would have one thread only. */
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

self.addEventListener('install', event => {
  const keepAll = async () => {
    const cache = await caches.open(cacheName)
    // Past the HTTP cache, which may hold files of an older build.
    await cache.addAll([...kept].map(name => new Request(new URL(name, self.registration.scope), { cache: 'reload' })))
  }
  event.waitUntil(keepAll())
})

self.addEventListener('activate', event => {
  const tidy = async () => {
    const old = (await caches.keys()).filter(name => name.startsWith('credence-demo-') && name !== cacheName)
    await Promise.all(old.map(name => caches.delete(name)))
    // The page that installed this worker is served by it from now on.
    await self.clients.claim()
  }
  event.waitUntil(tidy())
})

self.addEventListener('fetch', event => {
  const { request } = event
  const { scope } = self.registration
  const url = request.url.replace(/[?#].*$/s, '')
  if (request.method !== 'GET' || !url.startsWith(scope)) return
  const path = url.slice(scope.length)
  const name = path === '' || path.endsWith('/') ? `${path}index.html` : path
  if (kept.has(name)) event.respondWith(fromCache(request, name))
})

async function fromCache(request: Request, name: string): Promise<Response> {
  const cache = await caches.open(cacheName)
  const response = (await cache.match(new URL(name, self.registration.scope).href)) ?? (await fetch(request))
  const headers = new Headers(response.headers)
  for (const [header, value] of Object.entries(isolation)) headers.set(header, value)
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}

export {}
