import { defineConfig } from '@playwright/test'

const PORT = Number(process.env['PAGES_PORT'] ?? '4179')

/** Tests every screen of the real build, on the mock backend, in the browser of the machine. */
export default defineConfig({
  testDir: 'pages',
  fullyParallel: true,
  workers: 3,
  // A limit for busy machines, not an expected duration.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: 'line',
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    viewport: { width: 390, height: 844 },
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
      ],
    },
  },
  webServer: {
    command: `node node_modules/vite/bin/vite.js preview --mode mock --port ${PORT} --strictPort`,
    url: `http://127.0.0.1:${PORT}/`,
    reuseExistingServer: false,
  },
})
