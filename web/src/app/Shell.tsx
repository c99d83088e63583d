import { useLingui } from '@lingui/react/macro'
import { type ComponentProps, useEffect } from 'react'
import type { AppLocation } from '@/navigation/location'
import { LocationProvider } from '@/navigation/navigation'
import { useSignedIn } from '@/session/session'
import { loadable } from '@/ui/loadable'
import { Toaster } from '@/ui/Toaster'
import { BottomNav } from './BottomNav'
import { Header } from './Header'
import type Banner from './NewOrderBanner'
import { OfflineBar } from './OfflineBar'
import { Pages } from './Pages'
import { ProgressBar } from './ProgressBar'
import { findRoute, type RouteDefinition } from './routes'
import type Signed from './SignedIn'
import { useShownTheme } from './theme'
import { useScrollRestoration } from './useScrollRestoration'
import { useSessionEnd } from './useSessionEnd'
import { useUserChange } from './useUserChange'

const ORIGIN = location.origin

/** Not needed for the first screen, nor by visitors. What could not be fetched is fetched again. */
const SignedIn = loadable<ComponentProps<typeof Signed>>(
  () => import('./SignedIn'),
  () => null,
)
const NewOrderBanner = loadable<ComponentProps<typeof Banner>>(
  () => import('./NewOrderBanner'),
  () => null,
)

/** Sets what search engines read: a description, and one canonical URL per screen for all its queries. */
function Indexed({ path }: { path: string }) {
  const { t } = useLingui()
  const about = t`Trade USDT, MEC and NFTs directly with other people. Coins stay in on-chain escrow until the trade is complete.`
  useEffect(() => {
    document.querySelector('meta[name="description"]')?.setAttribute('content', about)
  }, [about])
  return <link rel="canonical" href={`${ORIGIN}${path}`} />
}

/** The frame around every screen. */
export function Shell() {
  return (
    <LocationProvider>
      {(location, pending) => <Frame location={location} pending={pending} />}
    </LocationProvider>
  )
}

function mainClass(row: RouteDefinition | null): string {
  if (row?.fill === true) return 'flex min-h-0 flex-1 flex-col'
  const below = row?.nav === true ? 26 : 8
  const width = row?.wide === true ? 'lg:max-w-[68rem]' : ''
  return `px-4 xs:px-5 ${width} ${BELOW[below]}`
}

/** The space below a page, with and without the bottom navigation. */
const BELOW = {
  8: 'pb-[calc(var(--spacing)*8+env(safe-area-inset-bottom))]',
  26: 'pb-[calc(var(--spacing)*26+env(safe-area-inset-bottom))]',
} as const

function Frame({ location, pending }: { location: AppLocation; pending: boolean }) {
  const row = findRoute(location.pathname)
  const { t } = useLingui()
  const signedIn = useSignedIn()
  useShownTheme()
  useSessionEnd()
  useUserChange()
  useScrollRestoration(location)
  const title = row === null ? 'MEC2C' : t(row.title)
  return (
    <>
      <title>{`${title} · MEC2C`}</title>
      {row?.indexed === true ? <Indexed path={row.path} /> : null}
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-xl bg-ink px-4 py-3 text-canvas focus:translate-y-0"
      >
        {t`Skip to content`}
      </a>
      <ProgressBar pathname={location.pathname} pending={pending} />
      <div className={row?.fill === true ? 'flex h-dvh flex-col' : 'contents'}>
        <Header row={row} title={title} />
        <OfflineBar />
        {signedIn ? <NewOrderBanner location={location} /> : null}
        <main id="content" tabIndex={-1} className={`column outline-none ${mainClass(row)}`}>
          <Pages path={row?.path ?? null} locationKey={location.key} />
        </main>
      </div>
      {signedIn ? (
        <SignedIn
          pathname={location.pathname}
          home={row?.path === '/'}
          noFloat={row?.noFloat === true}
        />
      ) : null}
      {row?.nav === true ? <BottomNav path={row.path} /> : null}
      <Toaster />
    </>
  )
}
