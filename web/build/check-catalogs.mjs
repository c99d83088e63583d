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

/** Texts that catalogs of the same app translate differently. The app merges catalogs, so the last one to be loaded wins. */
function ambiguous(catalogs) {
  const said = new Map()
  for (const [path, text] of catalogs) {
    const [, locale] = path.match(/([^/]+)\.po$/)
    const app = path.startsWith('console') ? 'console' : 'app'
    for (const entry of text.split(/\n\s*\n/)) {
      const [, id, translation] = entry.match(/((?:^msgctxt .*\n)?^msgid [\s\S]*?)\nmsgstr ([\s\S]*)/m) ?? []
      if (id === undefined || id === 'msgid ""') continue
      const key = [app, locale, id].join('\n')
      said.set(key, new Set([...(said.get(key) ?? []), translation.trim()]))
    }
  }
  return Array.from(said).flatMap(([key, translations]) =>
    translations.size > 1 ? [key.split('\n').slice(1).join(' ')] : [],
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
  const unclear = ambiguous(before)
  if (unclear.length > 0) {
    process.stderr.write(
      `Give these texts a context, or the same translation:\n${unclear.map((one) => `  ${one}\n`).join('')}`,
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
