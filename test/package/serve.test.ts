/** The server behind `npm start`. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serve } from '../../scripts/serve.mjs'

let folder: string
let server: Awaited<ReturnType<typeof serve>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'credence-serve-'))
  for (const name of ['site/deep', 'models', 'site-secret']) mkdirSync(join(folder, name), { recursive: true })
  for (const name of [
    'secret.txt',
    'site-secret/x.txt',
    'site/index.html',
    'site/deep/index.html',
    'site/a b.js',
    'models/m.onnx',
    'models/m.wasm',
  ]) {
    writeFileSync(join(folder, name), name)
  }
  server = await serve({ mounts: { '/': join(folder, 'site'), '/models/': join(folder, 'models') } })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Without fetch, which would tidy up the path first. */
function ask(path: string, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    request({ hostname, port, path, method }, response => {
      let body = ''
      response.setEncoding('utf8').on('data', text => (body += text))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
      .on('error', reject)
      .end()
  })
}

test.each([
  ['/', 'site/index.html', 'text/html; charset=utf-8'],
  ['/?x=/../#y', 'site/index.html', 'text/html; charset=utf-8'],
  ['/deep/', 'site/deep/index.html', 'text/html; charset=utf-8'],
  ['/a%20b.js', 'site/a b.js', 'text/javascript; charset=utf-8'],
  ['/models/m.onnx', 'models/m.onnx', 'application/octet-stream'],
  ['/models/m.wasm', 'models/m.wasm', 'application/wasm'],
])('%s is %s', async (path, file, type) => {
  const { status, headers, body } = await ask(path)
  expect({ status, body, type: headers['content-type'], length: headers['content-length'] }).toEqual({
    status: 200,
    body: file,
    type,
    length: String(file.length),
  })
})

test.each([
  '/nothing',
  '/deep',
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/deep/../../secret.txt',
  '/models/../../secret.txt',
  '/../site-secret/x.txt',
  '//etc/passwd',
  '/index.html%00.js',
])('%s is not found', async path => {
  expect((await ask(path)).status).toBe(404)
})

test('a path that cannot be decoded is a bad request, and a write is not allowed', async () => {
  expect((await ask('/%E0%A4%A')).status).toBe(400)
  expect((await ask('/', 'POST')).status).toBe(405)
})

test('HEAD sends the length without the body', async () => {
  const { status, headers, body } = await ask('/', 'HEAD')
  expect({ status, body, length: headers['content-length'] }).toEqual({ status: 200, body: '', length: '15' })
})

test.each(['/', '/nothing'])('%s is cross-origin isolated', async path => {
  expect((await ask(path)).headers).toMatchObject({
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'same-origin',
  })
})

test('the next free port is taken, when that is allowed', async () => {
  const port = Number(new URL(server.url).port)
  const next = await serve({ mounts: {}, port, tries: 20 })
  expect(Number(new URL(next.url).port)).toBeGreaterThan(port)
  await next.close()
  await expect(serve({ mounts: {}, port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
