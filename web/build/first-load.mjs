// Checks the size, in brotli bytes, that a browser fetches for `/` on its first visit, and that each other screen
// adds.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const KIB = 1024
const FIRST_LOAD_MAX = 130 * KIB
const ROUTE_MAX = 50 * KIB
const LANGUAGE = 'en'

/** @typedef {{ file: string, src?: string, isEntry?: boolean, imports?: string[], css?: string[] }} Chunk */
/** @type {Record<string, Chunk>} */
const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8'))

/** @param {string} file */
const weigh = (file) => statSync(join('dist', `${file}.br`)).size

/**
 * @param {string} key
 * @param {Set<string>} files
 */
function collect(key, files) {
  const chunk = manifest[key]
  if (chunk === undefined || files.has(chunk.file)) return files
  files.add(chunk.file)
  for (const css of chunk.css ?? []) files.add(css)
  for (const next of chunk.imports ?? []) collect(next, files)
  return files
}

/** @param {Iterable<string>} files */
const sum = (files) => Array.from(files).reduce((total, file) => total + weigh(file), 0)
/** @param {string} feature */
const catalogue = (feature) => `src/features/${feature}/locales/${LANGUAGE}.po`

const first = new Set(['index.html'])
for (const key of [
  'index.html',
  `src/app/locales/${LANGUAGE}.po`,
  'src/features/market/HallPage.tsx',
  catalogue('market'),
]) {
  collect(key, first)
}
const total = sum(first) + statSync('dist/theme.js').size
process.stdout.write(
  `first load of /: ${(total / KIB).toFixed(1)} KiB brotli in ${first.size + 1} files (at most ${FIRST_LOAD_MAX / KIB})\n`,
)
if (total > FIRST_LOAD_MAX) process.exitCode = 1

/**
 * The screens that show several features, and these features.
 * @type {Record<string, string[]>}
 */
const COMPOSED = { 'src/app/OrderScreen.tsx': ['orders'], 'src/app/ChatScreen.tsx': ['orders', 'talk'] }

for (const key of Object.keys(manifest)) {
  const match = /^src\/features\/([^/]+)\/\w+Page\.tsx$/.exec(key)
  const features = match?.[1] === undefined ? COMPOSED[key] : [match[1]]
  if (features === undefined) continue
  const files = collect(key, new Set())
  for (const feature of features) collect(catalogue(feature), files)
  const added = sum(Array.from(files).filter((file) => !first.has(file)))
  process.stdout.write(`  ${key.replace(/^src\/(?:features\/)?/, '')}: +${(added / KIB).toFixed(1)} KiB\n`)
  if (added > ROUTE_MAX) process.exitCode = 1
}
