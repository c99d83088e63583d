import { isSignedIn } from '@/session/session'
import { findRoute } from './routes'

/**
 * Redirects to the login, which knows the way back, unless the route is public or there is a session. Unknown addresses
 * get no way back.
 */
export function guardRoute(href: string): string {
  const pathname = href.split(/[?#]/)[0] ?? '/'
  const row = findRoute(pathname)
  if (row?.guard === 'public' || isSignedIn()) return href
  return row === null || href === '/' ? '/login' : `/login?${new URLSearchParams({ next: href }).toString()}`
}
