// Checks the size, in brotli bytes, that a browser fetches for the login and for `/` on its first visit, and that each
// other screen adds.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const KIB = 1024
const LOGIN_MAX = 115 * KIB
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
/** @param {string} folder */
const catalogue = (folder) => `src/${folder}/locales/${LANGUAGE}.po`

/**
 * Weighs the first load of a screen, and returns its files: the entry, the code of the screen, and their texts.
 * @param {string} path
 * @param {string[]} keys
 * @param {number} max
 */
function checkFirstLoad(path, keys, max) {
  const files = new Set(['index.html'])
  for (const key of ['index.html', catalogue('app'), ...keys]) collect(key, files)
  const total = sum(files) + statSync('dist/theme.js').size
  process.stdout.write(
    `first load of ${path}: ${(total / KIB).toFixed(1)} KiB brotli in ${files.size + 1} files (at most ${max / KIB})\n`,
  )
  if (total > max) process.exitCode = 1
  return files
}

const LOGIN = 'src/features/identity/login/LoginPage.tsx'
checkFirstLoad('/login', [LOGIN, catalogue('features/identity/login')], LOGIN_MAX)
// A user's first load goes on with what a visitor does not need: the socket and the floating button.
const first = checkFirstLoad(
  '/',
  ['src/app/HallScreen.tsx', catalogue('features/market'), catalogue('components')],
  FIRST_LOAD_MAX,
)

/**
 * The screens that show several features, and these features.
 * @type {Record<string, string[]>}
 */
const COMPOSED = {
  'src/app/OrderScreen.tsx': ['orders'],
  'src/app/OrdersScreen.tsx': ['orders'],
  'src/app/ChatScreen.tsx': ['orders', 'talk'],
}

for (const key of Object.keys(manifest)) {
  const match = /^src\/features\/([^/]+)\/\w+Page\.tsx$/.exec(key)
  const features = match?.[1] === undefined ? COMPOSED[key] : [match[1]]
  if (features === undefined) continue
  const files = collect(key, new Set())
  for (const feature of features) collect(catalogue(`features/${feature}`), files)
  const added = sum(Array.from(files).filter((file) => !first.has(file)))
  process.stdout.write(`  ${key.replace(/^src\/(?:features\/)?/, '')}: +${(added / KIB).toFixed(1)} KiB\n`)
  if (added > ROUTE_MAX) process.exitCode = 1
}
