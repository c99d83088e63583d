import { isSignedIn } from '@/session/session'
import { rowFor } from './routes'

/** The guard: without a token and a user id every place but the public ones is the log-in, which knows the way back. */
export function admit(href: string): string {
  const pathname = href.split(/[?#]/)[0] ?? '/'
  const row = rowFor(pathname)
  if (row === null || row.guard === 'public' || isSignedIn()) return href
  return href === '/' ? '/login' : `/login?${new URLSearchParams({ next: href }).toString()}`
}
