import { expect, test } from 'vitest'
import page from '../../../docs/calls-without-screens.md?raw'
import document from '../../../docs/generated/openapi.json?raw'

const SOURCES: Record<string, string> = import.meta.glob(
  ['../**/*.{ts,tsx}', '!../**/*.test.*', '!../**/*.d.ts'],
  {
    eager: true,
    import: 'default',
    query: '?raw',
  },
)
/** Calls whose addresses responses contain, or that the websocket opens. */
const LINKED = [
  '/c2c/deal/order/record/{id}',
  '/console/files/{id}',
  '/fiat/{address}',
  '/file/{id}',
  '/nft/{id}/picture/{size}',
]

test('every call has a screen, or the page that says who makes it', () => {
  const code = Object.values(SOURCES).join('\n')
  const paths = Object.keys((JSON.parse(document) as { paths: Record<string, unknown> }).paths)
  const unused = paths.filter(
    (path) => ![`'${path}'`, `'/api${path}'`, `\`${path}$`].some((text) => code.includes(text)),
  )
  const told = Array.from(page.matchAll(/^\| `\w+ (\S+)` \|/gm), (match) => match[1])
  expect(new Set(unused)).toEqual(new Set([...told, ...LINKED]))
})
