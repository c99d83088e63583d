import { defineConfig } from '@playwright/test'

/**
 * The whole product in the browser: real Postgres, chain, mail and pass, each worker with a world of its own, because
 * a test may move its clock and hold its chain.
 */
export default defineConfig({
  testDir: 'stories',
  fullyParallel: true,
  workers: 2,
  timeout: 240_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    actionTimeout: 20_000,
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
})
