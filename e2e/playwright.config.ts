import { defineConfig } from '@playwright/test'

/** Stories about ads and NFTs. */
const ADVERTS = /\/(?:adverts|endings|nft[^/]*)\.spec\.ts$/
/** Stories about orders for coins. */
const ORDERS = /\/(?:buying-ends|orders)\.spec\.ts$/

/**
 * Runs the whole product in the browser: real Postgres, chain, mail and pass. Each worker has its own environment,
 * because tests move the clock and hold the chain.
 */
export default defineConfig({
  testDir: 'stories',
  fullyParallel: true,
  workers: 2,
  // A limit for slow machines, not an expected duration.
  timeout: 900_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  // Projects share no environment. An environment has 39 people, and one worker may get nearly all stories of a
  // project, so the stories of a project need fewer together.
  projects: [
    { name: 'adverts', testMatch: ADVERTS },
    { name: 'orders', testMatch: ORDERS },
    { name: 'users', testIgnore: [ADVERTS, ORDERS] },
  ],
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
