// Stories in a real browser against the real server. The browser is found by tests/browser.ts; nothing is downloaded.
import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.e2e.ts',
  globalSetup: './tests/e2e/prepare.ts',
  timeout: 240_000,
  expect: { timeout: 15_000 },
  workers: 2,
  // A shared machine may stand still for longer than a story waits. A story that needs a second try is listed at the end of the run.
  retries: 1,
  outputDir: 'test-results',
  use: {
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    // Recording every step doubles what a story costs: the second try of one that fails is recorded, and all of them in the deep run.
    trace: process.env.EVERY_LOOK ? 'retain-on-failure' : 'on-first-retry',
  },
})
