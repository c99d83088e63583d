import type { IncomingMessage, ServerResponse } from 'node:http'
import { build, type Plugin } from 'vite'

/** The variable that names the page to build. */
const ENTRY = 'MEC2C_ENTRY'
const CONSOLE = 'console.html'

/** Returns the page that this build is for. */
export function entryPage(): string {
  return process.env[ENTRY] ?? 'index.html'
}

export function isConsoleBuild(): boolean {
  return entryPage() === CONSOLE
}

/**
 * Builds the console after the user's app, into the same folder. As separate builds, they share no files, so that the
 * console never makes the user's app larger.
 */
export function consoleBuild(mode: string): Plugin {
  return {
    name: 'console-build',
    apply: 'build',
    closeBundle: {
      sequential: true,
      async handler() {
        process.env[ENTRY] = CONSOLE
        try {
          await build({ mode })
        } finally {
          delete process.env[ENTRY]
        }
      },
    },
  }
}

/** Serves `console.html` for every path of the console, in development and in previews, as the product does. */
export function consolePages(): Plugin {
  type Server = {
    middlewares: {
      use: (handler: (req: IncomingMessage, res: ServerResponse, next: () => void) => void) => void
    }
  }
  const install = (server: Server) => {
    server.middlewares.use((req, _, next) => {
      if (/^\/console(?:\/|\?|$)/.test(req.url ?? '')) req.url = '/console.html'
      next()
    })
  }
  return { name: 'console-pages', configureServer: install, configurePreviewServer: install }
}
