import { isSignedIn } from '@/session/session'
import { findRoute } from './routes'

/**
 * Redirects to the login unless the route is public or there is a session. The login then returns to the requested
 * address, if it is known.
 */
export function guardRoute(href: string): string {
  const pathname = href.split(/[?#]/)[0] ?? '/'
  const row = findRoute(pathname)
  if (row?.guard === 'public' || isSignedIn()) return href
  return row === null || href === '/' ? '/login' : `/login?${new URLSearchParams({ next: href }).toString()}`
}
