import { useLingui } from '@lingui/react/macro'
import { type ComponentProps, type ReactNode, useEffect } from 'react'
import type { AppLocation } from '@/navigation/location'
import { LocationProvider } from '@/navigation/navigation'
import { useSignedIn } from '@/session/session'
import { loadable } from '@/ui/loadable'
import { Toaster } from '@/ui/Toaster'
import { DESKTOP, useMedia } from '@/ui/useMedia'
import { Header } from './Header'
import { MainNav } from './MainNav'
import type Banner from './NewOrderBanner'
import { OfflineBar } from './OfflineBar'
import { Pages } from './Pages'
import { ProgressBar } from './ProgressBar'
import { type AppRoute, findRoute, type RouteDefinition } from './routes'
import type Settings from './SettingsNav'
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

const SettingsNav = loadable<ComponentProps<typeof Settings>>(
  () => import('./SettingsNav'),
  () => <span />,
  <span />,
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
  return `px-4 xs:px-5 lg:pb-8 ${widthClass(row)} ${BELOW[below]}`
}

/** The width of a page on a desktop. */
function widthClass(row: RouteDefinition | null): string {
  if (row?.desk === true) return 'lg:max-w-[80rem]'
  return row?.wide === true || row?.settings !== undefined ? 'lg:max-w-[68rem]' : ''
}

/** The space below a page, with and without the bottom navigation. */
const BELOW = {
  8: 'pb-[calc(var(--spacing)*8+env(safe-area-inset-bottom))]',
  26: 'pb-[calc(var(--spacing)*26+env(safe-area-inset-bottom))]',
} as const

/** The page, always at the same place of the tree, and the list of the personal center beside its screens. */
function Framed({ row, children }: { row: AppRoute | null; children: ReactNode }) {
  const beside = useMedia(DESKTOP) && row?.settings !== undefined
  return (
    <div className={beside ? 'grid grid-cols-[15rem_minmax(0,44rem)] gap-10' : 'contents'}>
      {beside ? <SettingsNav path={row.path} /> : null}
      <div className={beside ? 'min-w-0 *:mx-0' : 'contents'}>{children}</div>
    </div>
  )
}

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
          <Framed row={row}>
            <Pages path={row?.path ?? null} locationKey={location.key} />
          </Framed>
        </main>
      </div>
      {signedIn ? (
        <SignedIn pathname={location.pathname} home={row?.path === '/'} noFloat={row?.noFloat === true} />
      ) : null}
      {row?.nav === true || (signedIn && row?.noMenu !== true) ? (
        <MainNav path={row?.path ?? null} phone={row?.nav === true} />
      ) : null}
      <Toaster />
    </>
  )
}
