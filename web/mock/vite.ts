import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Plugin } from 'vite'
import { answer } from './backend.ts'

/** Serves the mock backend under /api in development and in previews. It is never part of a build. */
export function mockBackend(): Plugin {
  type Server = {
    middlewares: {
      use: (path: string, handler: (req: IncomingMessage, res: ServerResponse) => void) => void
    }
  }
  const install = (server: Server) => {
    server.middlewares.use('/api', (req, res) => {
      void (async () => {
        const chunks: Uint8Array[] = []
        for await (const chunk of req) if (chunk instanceof Uint8Array) chunks.push(chunk)
        const headers = new Headers()
        for (const [name, value] of Object.entries(req.headers))
          if (typeof value === 'string') headers.set(name, value)
        const method = req.method ?? 'GET'
        const body = method === 'GET' || chunks.length === 0 ? null : Buffer.concat(chunks).toString('utf8')
        const response = await answer(
          new Request(`http://mock/api${req.url ?? ''}`, { method, headers, body }),
        )
        res.statusCode = response.status
        for (const [name, value] of response.headers) res.setHeader(name, value)
        res.end(await response.text())
      })()
    })
  }
  return { name: 'mock-backend', configureServer: install, configurePreviewServer: install }
}
