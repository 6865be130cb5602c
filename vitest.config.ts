// Three kinds of tests in one run: pure and server tests (node), component tests (jsdom).
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/sequencer.ts'

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
          exclude: ['tests/e2e/**', 'node_modules/**'],
          globalSetup: ['tests/global-setup.ts'],
          setupFiles: ['tests/run/note-order.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
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
    sequence: { sequencer: LongestFirst },
    expect: { poll: { timeout: 20_000 } },
  },
})
