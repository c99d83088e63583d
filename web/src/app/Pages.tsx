import { Activity, Component, lazy, type ReactNode, Suspense, useState } from 'react'
import { useSession } from '@/session/session'
import { CrashScreen } from './CrashScreen'
import { NotFound } from './NotFound'
import { NotOpenYet } from './NotOpenYet'
import { PagePending } from './PagePending'
import { KEPT, ROUTES, type RouteRow, rowFor } from './routes'

function screen(row: RouteRow): ReactNode {
  const Screen = row.page === undefined ? NotOpenYet : lazy(row.page.load)
  return <Screen />
}

const SCREENS = new Map<string, ReactNode>(ROUTES.map((row) => [row.path, screen(row)]))

/** Fetches the code and the words of a page. */
export function preloadPage(pathname: string): void {
  // A failure shows when the page is really wanted.
  rowFor(pathname)
    ?.page?.load()
    .catch(() => null)
}

/** The screen of the present place, and beside it the kept ones, hidden. */
export function Pages({ path, placeKey }: { path: string | null; placeKey: string }) {
  const kept = KEPT.some((row) => row.path === path)
  return (
    <>
      <KeptPages path={path} />
      {kept ? null : (
        <CrashBoundary key={placeKey}>
          <Suspense fallback={<PagePending />}>{SCREENS.get(path ?? '') ?? <NotFound />}</Suspense>
        </CrashBoundary>
      )}
    </>
  )
}

/** Hall, my ads and orders keep their scroll, filters and half-typed input while one is elsewhere. */
function KeptPages({ path }: { path: string | null }) {
  // A new person starts with fresh pages.
  const userId = useSession((state) => state.userId)
  return KEPT.map((row) => (
    <KeptPage key={`${row.path} ${userId}`} shown={row.path === path && userId !== null}>
      {SCREENS.get(row.path)}
    </KeptPage>
  ))
}

function KeptPage({ shown, children }: { shown: boolean; children: ReactNode }) {
  // Not mounted before the first visit: three pages' requests would compete with the one that is wanted.
  const [visited, setVisited] = useState(shown)
  if (shown && !visited) setVisited(true)
  if (!visited) return null
  return (
    <Activity mode={shown ? 'visible' : 'hidden'}>
      <CrashBoundary>
        <Suspense fallback={<PagePending />}>{children}</Suspense>
      </CrashBoundary>
    </Activity>
  )
}

/** A page that fails takes neither the shell nor the way out with it. */
class CrashBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <CrashScreen /> : this.props.children
  }
}
