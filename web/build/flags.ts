import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const MANIFEST = 'country-flag-icons/package.json'

/**
 * Serves the flags of `country-flag-icons` as separate files, so that a screen fetches only the flags that it shows.
 * The folder's name contains the version of the set, because the server lets browsers cache the files for a year.
 */
export function flags(): Plugin {
  const manifest = createRequire(import.meta.url).resolve(MANIFEST)
  const source = join(dirname(manifest), '3x2')
  const version = /"version": "([\w.-]+)"/.exec(readFileSync(manifest, 'utf8'))?.[1]
  if (version === undefined) throw new Error(`${MANIFEST} names no version`)
  const folder = `assets/flags-${version}`
  return {
    name: 'flags',
    config: () => ({ define: { 'import.meta.env.FLAGS': JSON.stringify(`/${folder}`) } }),
    generateBundle() {
      for (const name of readdirSync(source)) {
        if (!/^[A-Z]{2}\.svg$/.test(name)) continue
        this.emitFile({
          type: 'asset',
          fileName: `${folder}/${name}`,
          source: readFileSync(join(source, name)),
        })
      }
    },
    configureServer(server) {
      server.middlewares.use(`/${folder}`, (request, response, next) => {
        const name = /^\/([A-Z]{2}\.svg)$/.exec(request.url ?? '')?.[1]
        if (name === undefined) return next()
        response.setHeader('content-type', 'image/svg+xml').end(readFileSync(join(source, name)))
      })
    },
  }
}
