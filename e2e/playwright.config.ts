import { defineConfig } from '@playwright/test'

/**
 * The whole product in the browser: real Postgres, chain, mail and pass, each worker with a world of its own, because
 * a test may move its clock and hold its chain.
 */
export default defineConfig({
  testDir: 'stories',
  fullyParallel: true,
  workers: 2,
  // How long a busy machine may take, not how long it takes.
  timeout: 900_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    actionTimeout: 60_000,
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
