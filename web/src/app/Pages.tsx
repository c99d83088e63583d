import { Activity, Component, type ReactNode, useState } from 'react'
import { LoadFailed } from '@/command/LoadFailed'
import { useSession } from '@/session/session'
import { type Loadable, loadable } from '@/ui/loadable'
import { CrashScreen } from './CrashScreen'
import { NotAvailable } from './NotAvailable'
import { NotFound } from './NotFound'
import { PagePending } from './PagePending'
import { findRoute, KEEP_ALIVE_ROUTES, ROUTES, type RouteDefinition } from './routes'

const pages = new Map<string, Loadable<object>>(
  ROUTES.flatMap(({ path, page }) =>
    page === undefined
      ? []
      : [[path, loadable(page.load, (_, retry) => <LoadFailed retry={retry} />, <PagePending />)]],
  ),
)

function screen({ path }: RouteDefinition): ReactNode {
  const Screen = pages.get(path)
  return Screen === undefined ? <NotAvailable /> : <Screen />
}

const SCREENS = new Map<string, ReactNode>(ROUTES.map((row) => [row.path, screen(row)]))

/** Fetches the code and texts of a page. */
export function preloadPage(pathname: string): void {
  pages.get(findRoute(pathname)?.path ?? '')?.preload()
}

/** The current screen, and the hidden screens that stay mounted. */
export function Pages({ path, locationKey }: { path: string | null; locationKey: string }) {
  const kept = KEEP_ALIVE_ROUTES.some((row) => row.path === path)
  return (
    <>
      <KeptPages path={path} />
      {kept ? null : (
        <CrashBoundary key={locationKey}>{SCREENS.get(path ?? '') ?? <NotFound />}</CrashBoundary>
      )}
    </>
  )
}

/** The hall, the user's ads and the orders, which keep their state while other screens are shown. */
function KeptPages({ path }: { path: string | null }) {
  // Another user starts with new pages.
  const userId = useSession((state) => state.userId)
  return KEEP_ALIVE_ROUTES.map((row) => (
    <KeptPage key={`${row.path} ${userId}`} shown={row.path === path && userId !== null}>
      {SCREENS.get(row.path)}
    </KeptPage>
  ))
}

function KeptPage({ shown, children }: { shown: boolean; children: ReactNode }) {
  // Mount a page at its first visit, so that its requests do not delay those of the visible page.
  const [visited, setVisited] = useState(shown)
  if (shown && !visited) setVisited(true)
  if (!visited) return null
  return (
    <Activity mode={shown ? 'visible' : 'hidden'}>
      <CrashBoundary>{children}</CrashBoundary>
    </Activity>
  )
}

/** Contains the crash of a page, so that the shell and its navigation stay usable. */
class CrashBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <CrashScreen /> : this.props.children
  }
}
