import { useLingui } from '@lingui/react/macro'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { Activity, type ComponentType, lazy, Suspense, useState } from 'react'
import { useSession } from '@/session/session'
import { Toaster } from '@/ui/Toaster'
import { BottomNav } from './BottomNav'
import { FloatingOrder } from './FloatingOrder'
import { Header } from './Header'
import { NewOrderBanner } from './NewOrderBanner'
import { NotOpenYet } from './NotOpenYet'
import { OfflineBar } from './OfflineBar'
import { PagePending } from './PagePending'
import { ProgressBar } from './ProgressBar'
import { KEPT, rowFor } from './routes'
import { useShownTheme } from './theme'
import { useLiveSession } from './useLiveSession'
import { useSessionEnd } from './useSessionEnd'

/** What stands around every screen. */
export function Shell() {
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const row = rowFor(pathname)
  const { i18n, t } = useLingui()
  useShownTheme(row?.dark === true)
  useSessionEnd()
  useLiveSession()
  const title = row === null ? 'MEC2C' : i18n._(row.title)
  return (
    <>
      <title>{`${title} · MEC2C`}</title>
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-xl bg-ink px-4 py-3 text-canvas focus:translate-y-0"
      >
        {t`Skip to content`}
      </a>
      <ProgressBar />
      <Header row={row} title={title} />
      <OfflineBar />
      <NewOrderBanner />
      <main
        id="content"
        className={`column px-4 xs:px-5 ${row?.nav === true ? 'pb-[calc(6.5rem+env(safe-area-inset-bottom))]' : 'pb-[calc(2rem+env(safe-area-inset-bottom))]'}`}
      >
        <KeptPages pathname={row?.path ?? pathname} />
        {row?.keep === true ? null : (
          <Suspense fallback={<PagePending />}>
            <Outlet />
          </Suspense>
        )}
      </main>
      {row?.noFloat === true ? null : <FloatingOrder home={row?.path === '/'} />}
      {row?.nav === true ? <BottomNav path={row.path} /> : null}
      <Toaster />
    </>
  )
}

const KEPT_PAGES = KEPT.map((row) => ({
  path: row.path,
  Component: row.page === undefined ? NotOpenYet : lazy(row.page.load),
}))

/** Hall, my ads and orders keep their scroll, filters and half-typed input while one is elsewhere. */
function KeptPages({ pathname }: { pathname: string }) {
  // A new person starts with fresh pages.
  const userId = useSession((state) => state.userId)
  return KEPT_PAGES.map(({ path, Component }) => (
    <KeptPage key={`${path} ${userId}`} Component={Component} shown={path === pathname && userId !== null} />
  ))
}

function KeptPage({ Component, shown }: { Component: ComponentType; shown: boolean }) {
  // Not mounted before the first visit: three pages' requests would compete with the one that is wanted.
  const [visited, setVisited] = useState(shown)
  if (shown && !visited) setVisited(true)
  if (!visited) return null
  return (
    <Activity mode={shown ? 'visible' : 'hidden'}>
      <Suspense fallback={<PagePending />}>
        <Component />
      </Suspense>
    </Activity>
  )
}
