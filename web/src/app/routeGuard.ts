import { isOwnPath } from '@/navigation/location'
import { isSignedIn } from '@/session/session'
import { findRoute } from './routes'

/**
 * Redirects to the login unless the route is public or there is a session. The login then returns to the requested
 * address, if it is known; with a session, login and registration lead there at once.
 */
export function guardRoute(href: string): string {
  const [pathname = '/', query] = href.split(/[?#]/)
  const row = findRoute(pathname)
  if (isSignedIn() && /^\/(login|register)$/.test(pathname)) {
    const next = new URLSearchParams(query).get('next') ?? ''
    return isOwnPath(next) ? guardRoute(next) : '/'
  }
  if (row?.guard === 'public' || isSignedIn()) return href
  return row === null || href === '/' ? '/login' : `/login?${new URLSearchParams({ next: href }).toString()}`
}
