// Three kinds of tests in one run: pure and server tests (node), component tests (jsdom).
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/sequencer.ts'

/** What is about the embedded engine, or about the world outside, and is not run again on PostgreSQL. */
const NOT_ON_POSTGRES = [
  'server/db/embedded.test.ts',
  'server/retrieval/parsers/**',
  'tests/integration/email-verification.test.ts',
  'tests/integration/headers.test.ts',
  'tests/integration/hostile-files.test.ts',
  'tests/integration/model-failures.test.ts',
  'tests/integration/realtime-tokens.test.ts',
  'tests/integration/social-sign-in.test.ts',
  'tests/integration/upload-tricks.test.ts',
  'tests/integration/whatsapp-setup.test.ts',
  'tests/integration/situations/models.test.ts',
]

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          // Files share their process, one after another: the server's modules are loaded, and warm, for all of them.
          isolate: false,
          include: [
            'shared/**/*.test.ts',
            'server/**/*.test.ts',
            'web/**/*.test.ts',
            'widget/**/*.test.ts',
            'tests/**/*.test.ts',
          ],
          exclude: ['tests/e2e/**', 'node_modules/**', ...(process.env.TEST_DATABASE_URL ? NOT_ON_POSTGRES : [])],
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'jsdom',
          environment: 'jsdom',
          include: ['web/**/*.test.tsx', 'widget/**/*.test.tsx'],
          setupFiles: ['tests/setup-dom.ts'],
          testTimeout: 30_000,
        },
      },
    ],
    maxWorkers: 2,
    // Most files open an embedded database of their own for a few seconds: translating it well takes longer than that saves.
    execArgv: ['--liftoff-only'],
    sequence: { sequencer: LongestFirst },
    expect: { poll: { timeout: 20_000 } },
  },
})
