import { afterEach, expect, test } from 'vitest'
import { clearSession, signIn } from '@/session/session'
import { guardRoute } from './routeGuard'
import { ROUTES } from './routes'

afterEach(clearSession)

test('without a session, guarded routes lead to the login page and public routes stay', () => {
  for (const row of ROUTES) {
    const shown = guardRoute(`${row.path}?id=1`)
    if (row.guard === 'public') expect(shown).toBe(`${row.path}?id=1`)
    else expect(shown).toBe(`/login?next=${encodeURIComponent(`${row.path}?id=1`)}`)
  }
  expect(guardRoute('/')).toBe('/login')
})

test('with a session, every route stays, except login and registration', () => {
  signIn('t', 'u')
  for (const { path } of ROUTES)
    expect(guardRoute(path)).toBe(path === '/login' || path === '/register' ? '/' : path)
})

test('with a session, login and registration lead to the next page of this site', () => {
  signIn('t', 'u')
  expect(guardRoute('/login?next=%2ForderDetail%3Fid%3D1')).toBe('/orderDetail?id=1')
  expect(guardRoute('/register?next=%2Flogin%3Fnext%3D%252Forder')).toBe('/order')
  for (const foreign of ['//evil.test', '/\\evil.test', 'https://evil.test', 'order'])
    expect(guardRoute(`/login?${new URLSearchParams({ next: foreign })}`)).toBe('/')
})

test('an unknown route leads visitors to the login page and stays for signed-in users', () => {
  expect(guardRoute('/nowhere?id=1')).toBe('/login')
  expect(guardRoute('/login/extra')).toBe('/login')
  signIn('t', 'u')
  expect(guardRoute('/nowhere?id=1')).toBe('/nowhere?id=1')
})

test('the public routes match the specification, with one alias', () => {
  expect(ROUTES.filter((row) => row.guard === 'public').map((row) => row.path)).toEqual([
    '/login',
    '/register',
    '/forgot',
    '/forgotPassword',
    '/resetPassword',
    '/helpDetail',
    '/systemMaintenance',
  ])
})
