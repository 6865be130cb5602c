// Three kinds of tests in one run: pure and server tests (node), component tests (jsdom).
import fs from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/sequencer.ts'

const CONVEX = path.resolve(import.meta.dirname, 'web/lib/server/convex.ts')
const CONVEX_HOOKS = path.resolve(import.meta.dirname, 'tests/fakes/convex-hooks.ts')

/** Whatever imports the connection gets the one that tests speak for, which alone has the real one. */
const convexHooks = {
  name: 'convex-hooks',
  enforce: 'pre' as const,
  async resolveId(this: Resolver, source: string, importer: string | undefined) {
    // A path from the root is one that was resolved before, and may be asked for without saying by whom.
    const isResolved = source.startsWith('/')
    if (!source.endsWith('/convex.ts') || isResolved || importer === CONVEX_HOOKS) return null
    const resolved = await this.resolve(source, importer, { skipSelf: true })
    return resolved?.id === CONVEX ? CONVEX_HOOKS : null
  },
}
type Resolver = {
  resolve(source: string, importer?: string, options?: { skipSelf: boolean }): Promise<{ id: string } | null>
}

/** Component tests that put other modules in place of ours, load one again, or are about what lives as long as the page. */
const ALONE = fs
  .globSync(['web/**/*.test.tsx', 'widget/**/*.test.tsx'])
  .filter(
    (file) =>
      /(?:lib\/i18n|ui\/toaster)\.test\.tsx$/.test(file) ||
      /\bvi\.(mock|resetModules)\(/.test(fs.readFileSync(file, 'utf8')),
  )

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
        plugins: [convexHooks],
        test: {
          name: 'jsdom',
          environment: 'jsdom',
          include: ['web/**/*.test.tsx', 'widget/**/*.test.tsx'],
          exclude: ALONE,
          setupFiles: ['tests/setup-dom.ts'],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        plugins: [convexHooks],
        test: {
          name: 'jsdom-alone',
          environment: 'jsdom',
          include: ALONE,
          setupFiles: ['tests/setup-dom.ts'],
          testTimeout: 30_000,
        },
      },
    ],
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    expect: { poll: { timeout: 20_000 } },
  },
})
