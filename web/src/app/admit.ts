import { isSignedIn } from '@/session/session'
import { rowFor } from './routes'

/**
 * The guard: without a token and a user id every place but the public ones is the log-in, which knows the way back.
 * An unknown address has none.
 */
export function admit(href: string): string {
  const pathname = href.split(/[?#]/)[0] ?? '/'
  const row = rowFor(pathname)
  if (row?.guard === 'public' || isSignedIn()) return href
  return row === null || href === '/' ? '/login' : `/login?${new URLSearchParams({ next: href }).toString()}`
}
