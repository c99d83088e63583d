import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import type { Query } from '@/navigation/navigation'
import { isSignedIn } from '@/session/session'
import { CrashScreen } from './CrashScreen'
import { NotFound } from './NotFound'
import { NotOpenYet } from './NotOpenYet'
import { ROUTES, type RouteRow } from './routes'
import { Shell } from './Shell'

/** Kept pages live in the shell; their route only names the place. */
function Kept() {
  return null
}

function component(row: RouteRow) {
  if (row.page === undefined) return NotOpenYet
  return row.keep === true ? Kept : lazyRouteComponent(row.page.load)
}

function guard(row: RouteRow) {
  return ({ location }: { location: { href: string } }) => {
    if (row.guard === 'session' && !isSignedIn()) {
      const next = location.href === '/' ? {} : { next: location.href }
      throw redirect({ to: '/login', search: next, replace: true })
    }
  }
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: CrashScreen,
  validateSearch: (search: Record<string, unknown>): Query => {
    const texts = Object.entries(search).filter(
      ([, value]) => typeof value === 'string' || typeof value === 'number',
    )
    return Object.fromEntries(texts.map(([key, value]) => [key, String(value)]))
  },
})

const children = ROUTES.map((row) =>
  createRoute({
    getParentRoute: () => root,
    path: row.path,
    component: component(row),
    beforeLoad: guard(row),
  }),
)

export const router = createRouter({
  routeTree: root.addChildren(children),
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPendingMs: 250,
  // Ids are opaque strings: a query parameter of digits must not become a number.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString()
    return text === '' ? '' : `?${text}`
  },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
