import { useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { PlaceProvider } from '@/navigation/navigation'
import type { Place } from '@/navigation/place'
import { Toaster } from '@/ui/Toaster'
import { BottomNav } from './BottomNav'
import { FloatingOrder } from './FloatingOrder'
import { Header } from './Header'
import { NewOrderBanner } from './NewOrderBanner'
import { OfflineBar } from './OfflineBar'
import { Pages } from './Pages'
import { ProgressBar } from './ProgressBar'
import { rowFor } from './routes'
import { useShownTheme } from './theme'
import { useLiveSession } from './useLiveSession'
import { useScroll } from './useScroll'
import { useSessionEnd } from './useSessionEnd'

/** Does not change while the page lives. */
const ORIGIN = location.origin

/** What search engines are told: one address for the screen whatever its query is, and what it is about. */
function Indexed({ path }: { path: string }) {
  const { t } = useLingui()
  const about = t`Trade USDT, MEC and NFTs directly with other people. Coins stay in on-chain escrow until the trade is complete.`
  useEffect(() => {
    document.querySelector('meta[name="description"]')?.setAttribute('content', about)
  }, [about])
  return <link rel="canonical" href={`${ORIGIN}${path}`} />
}

/** What stands around every screen. */
export function Shell() {
  return <PlaceProvider>{(place, pending) => <Frame place={place} pending={pending} />}</PlaceProvider>
}

function Frame({ place, pending }: { place: Place; pending: boolean }) {
  const row = rowFor(place.pathname)
  const { i18n, t } = useLingui()
  useShownTheme(row?.dark === true)
  useSessionEnd()
  useLiveSession()
  useScroll(place)
  const title = row === null ? 'MEC2C' : i18n._(row.title)
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
      <ProgressBar place={place.pathname} pending={pending} />
      <Header row={row} title={title} />
      <OfflineBar />
      <NewOrderBanner place={place} />
      <main
        id="content"
        tabIndex={-1}
        className={`column px-4 outline-none xs:px-5 ${row?.nav === true ? 'pb-[calc(var(--spacing)*26+env(safe-area-inset-bottom))]' : 'pb-[calc(var(--spacing)*8+env(safe-area-inset-bottom))]'}`}
      >
        <Pages path={row?.path ?? null} placeKey={place.key} />
      </main>
      {row?.noFloat === true ? null : <FloatingOrder home={row?.path === '/'} />}
      {row?.nav === true ? <BottomNav path={row.path} /> : null}
      <Toaster />
    </>
  )
}
