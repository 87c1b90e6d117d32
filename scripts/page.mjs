import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { resolve } from '../vite.config.ts'
import { at } from './layout.mjs'

/**
 * Builds a page of ours with its worker into a folder of its own.
 * @param {string} path of the page's folder in the working tree
 * @returns {Promise<{ folder: string, remove(): void }>}
 */
export async function buildPage(path) {
  const folder = mkdtempSync(join(tmpdir(), 'credence-page-'))
  await build({
    configFile: false,
    logLevel: 'error',
    root: at(path),
    resolve,
    worker: { format: 'es' },
    build: {
      target: 'es2022',
      outDir: folder,
      emptyOutDir: true,
      assetsInlineLimit: file => (file.endsWith('/worker/entry.ts') ? false : undefined),
      reportCompressedSize: false,
    },
  })
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}
