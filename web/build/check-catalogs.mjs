// Checks that every text of the source is in every catalog, and that every catalog is translated.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const lingui = (...args) =>
  execFileSync('node_modules/.bin/lingui', args, { stdio: ['ignore', 'pipe', 'pipe'] })

const under = (ending) =>
  readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(ending))

function catalogues() {
  const files = under('.po')
  return new Map(
    files.map((path) => [
      path,
      readFileSync(join('src', path), 'utf8').replace(/^"POT-Creation-Date.*$/m, ''),
    ]),
  )
}

try {
  const before = catalogues()
  lingui('extract', '--clean', '--overwrite')
  const stale = Array.from(catalogues()).filter(([path, text]) => before.get(path) !== text)
  if (stale.length > 0) {
    process.stderr.write(
      `Catalogues were stale and have been rewritten:\n${stale.map(([path]) => `  src/${path}\n`).join('')}`,
    )
    process.exitCode = 1
  }
  lingui('compile', '--strict')
} catch (error) {
  process.stderr.write(`${error.stdout ?? ''}${error.stderr ?? error}\n`)
  process.exitCode = 1
} finally {
  // Remove the compiled catalogs, which only this check needs, so that they do not disturb other checks.
  for (const path of under('.js').filter((path) => path.includes('locales'))) rmSync(join('src', path))
}
