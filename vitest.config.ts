import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import type { BrowserConfigOptions } from 'vitest/node'
import { launchOptions } from './scripts/chromium.mjs'
import { findChromium, findFirefox } from './scripts/ensure.mjs'
import { firefox } from './scripts/firefox.ts'
import { localAssets } from './scripts/local-assets.ts'
import { takeRequests } from './test/browser/recorder.ts'
import { optimizeDeps, resolve } from './vite.config.ts'

const minute = 60_000

/** What the tests of the integrations use, prepared beforehand for the same reason as the worker's imports. */
const frameworks = [
  'ai',
  'ai/test',
  ...['documents', 'language_models/chat_models', 'messages', 'outputs', 'prompts', 'retrievers', 'runnables', 'utils/testing'].map(
    part => `@langchain/core/${part}`,
  ),
  'react',
  'react-dom',
  'react-dom/client',
]

function inBrowser(name: string, { include, browser }: { include: string[]; browser: Partial<BrowserConfigOptions> }) {
  return {
    resolve,
    plugins: [localAssets()],
    optimizeDeps: { include: [...(optimizeDeps.include ?? []), 'fast-check', ...frameworks] },
    test: {
      name,
      include,
      setupFiles: ['test/browser/no-network.ts'],
      fileParallelism: false,
      testTimeout: 5 * minute,
      hookTimeout: 5 * minute,
      expect: { poll: { timeout: minute / 2 } },
      browser: {
        enabled: true,
        commands: { takeRequests },
        headless: true,
        screenshotFailures: false,
        ...browser,
      },
    },
  }
}

export default defineConfig({
  test: {
    // On a busy machine a browser takes long to start; it is asked for here alone.
    browser: { connectTimeout: 3 * minute },
    projects: [
      {
        resolve,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/fuzz/**/*.test.ts'],
          environment: 'node',
          testTimeout: minute / 2,
        },
      },
      {
        resolve,
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ['test/types/**/*.test-d.ts'],
            tsconfig: './tsconfig.json',
            ignoreSourceErrors: true,
          },
        },
      },
      {
        resolve,
        test: {
          name: 'node',
          include: ['test/node/**/*.test.ts'],
          environment: 'node',
          // The models are big: one process holds them at a time.
          fileParallelism: false,
          testTimeout: 5 * minute,
          hookTimeout: 5 * minute,
        },
      },
      inBrowser('browser', {
        include: ['test/browser/**/*.test.ts'],
        browser: {
          provider: playwright({ launchOptions: launchOptions(findChromium() ?? 'chromium') }),
          instances: [{ browser: 'chromium' }],
        },
      }),
      inBrowser('firefox', {
        // What depends on how an engine does storage, workers, locks and WebAssembly; the rest would do the same once more.
        include: ['boundary/{guard,memory,network}', 'models/files', 'store/*', 'tabs/*'].map(files => `test/browser/${files}.test.ts`),
        browser: { provider: firefox(findFirefox() ?? 'firefox'), instances: [{ browser: 'firefox' }] },
      }),
      ...['demo', 'package'].map(name => ({
        resolve,
        test: {
          // Both look from outside, through Playwright, at what `npm run build` wrote.
          name,
          include: [`test/${name}/**/*.test.ts`],
          environment: 'node' as const,
          fileParallelism: false,
          testTimeout: 5 * minute,
          hookTimeout: 5 * minute,
          // What a page shows may have to wait for a model that is loading in its worker.
          expect: { poll: { timeout: minute / 2 } },
        },
      })),
    ],
  },
})
