// Stories in a real browser against the real server. The browser is found by tests/browser.ts; nothing is downloaded.
import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.e2e.ts',
  timeout: 240_000,
  expect: { timeout: 15_000 },
  workers: 2,
  retries: 0,
  outputDir: 'test-results',
  use: {
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
})
