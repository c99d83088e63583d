import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

/** The folders from which each folder may import, so that each screen can be changed on its own. */
const SRC = resolve(import.meta.dirname)
const MAY: Record<string, readonly string[]> = {
  lib: ['lib'],
  ui: ['ui', 'lib'],
  i18n: ['i18n', 'lib'],
  session: ['session', 'lib'],
  realtime: ['realtime', 'lib'],
  api: ['api', 'i18n', 'lib', 'session'],
  command: ['command', 'api', 'lib', 'ui'],
  navigation: ['navigation', 'app/routes'],
  components: ['components', 'api', 'command', 'i18n', 'lib', 'navigation', 'session', 'ui'],
  console: [
    'console',
    'api',
    'command',
    'components/LazyNft',
    'components/files/Picture',
    'components/methodNames',
    'components/methods',
    'i18n',
    'lib',
    'navigation',
    'ui',
  ],
  app: [
    'app',
    'api',
    'command',
    'components',
    'i18n',
    'lib',
    'navigation',
    'realtime',
    'session',
    'styles',
    'ui',
    'features',
  ],
}
const FEATURE = ['api', 'command', 'i18n', 'lib', 'components', 'navigation', 'session', 'ui']
/** `ui` only renders and fetches no data. */
const PACKAGES_UI_MAY_NOT_USE = ['@tanstack/react-query', 'openapi-fetch']

interface Import {
  from: string
  to: string
}

function imports(): Import[] {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path))
  return files.flatMap((from) => {
    const text = readFileSync(join(SRC, from), 'utf8')
    return Array.from(text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g), (match) => {
      const target = match[1] ?? ''
      if (target.startsWith('@/')) return { from, to: target.slice(2) }
      if (target.startsWith('.')) return { from, to: relative(SRC, resolve(SRC, dirname(from), target)) }
      return { from, to: target }
    })
  })
}

const folder = (path: string) => path.split('/')[0] ?? ''
const all = imports()
const own = all.filter(({ to }) => readdirSync(SRC).includes(folder(to)))

test('the check finds imports', () => {
  expect(own.length).toBeGreaterThan(50)
})

test('folders import only from allowed folders', () => {
  const broken = own.filter(({ from, to }) => {
    const part = folder(from)
    if (!from.includes('/')) return false
    if (part === 'features') {
      const name = from.split('/')[1]
      return to.startsWith('features/') ? to.split('/')[1] !== name : !FEATURE.includes(folder(to))
    }
    const may = MAY[part] ?? []
    return !may.some((allowed) => to === allowed || to.startsWith(`${allowed}/`))
  })
  expect(broken).toEqual([])
})

test('ui imports neither queries nor the API client', () => {
  const broken = all.filter(
    ({ from, to }) => folder(from) === 'ui' && PACKAGES_UI_MAY_NOT_USE.some((name) => to.startsWith(name)),
  )
  expect(broken).toEqual([])
})

test('the console uses nothing that belongs to the session of a user', () => {
  const reached = new Set<string>()
  const visit = (path: string) => {
    if (reached.has(path)) return
    reached.add(path)
    for (const { from, to } of own) {
      if (from.replace(/\.tsx?$/, '') === path) visit(to.replace(/\.tsx?$/, ''))
    }
  }
  for (const { from } of own) if (folder(from) === 'console') visit(from.replace(/\.tsx?$/, ''))
  expect(reached).toContain('command/useCommandWith')
  expect(Array.from(reached).filter((path) => path.startsWith('session/') || path === 'api/client')).toEqual(
    [],
  )
})

test('the app does not import the mock backend', () => {
  expect(all.filter(({ to }) => to.includes('mock/'))).toEqual([])
})
