import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { type PointerEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { unfinishedOrders } from '@/api/queries'
import { useLanguageStore } from '@/i18n/catalogs'
import { local } from '@/lib/storage'
import { useGo } from '@/navigation/navigation'
import { clampPosition, fitsBeside, type Position, readPosition } from './floatingPosition'

const KEY = 'order_button_position'
const TAP_MS = 200
const HOME_DELAY_MS = 600

/** A floating button that leads to unfinished orders. */
export function FloatingOrder({ home }: { home: boolean }) {
  const orders = useQuery(unfinishedOrders)
  const [ready, setReady] = useState(!home)
  useEffect(() => {
    if (ready) return
    const timer = setTimeout(() => setReady(true), HOME_DELAY_MS)
    return () => clearTimeout(timer)
  }, [ready])
  const wide = useWide()
  const language = useLanguageStore((state) => state.language.code)
  const count = orders.data?.total ?? 0
  if (count === 0 || !ready) return null
  // Another layout or language resets the button to its initial position.
  const news = orders.data?.records.some((order) => order.unread || order.unreadMessages > 0) === true
  return <FloatingButton key={`${language} ${wide}`} count={count} news={news} />
}

const WIDE = matchMedia('(min-width: 751px)')

function useWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const forget = () => {
        // The stored position belongs to the previous layout.
        local.remove(KEY)
        changed()
      }
      WIDE.addEventListener('change', forget)
      return () => WIDE.removeEventListener('change', forget)
    },
    () => WIDE.matches,
  )
}

function viewport() {
  // Excludes the scrollbar gutter, which `clientWidth` includes.
  return { width: document.body.getBoundingClientRect().width, height: innerHeight }
}

/** The button, next to the column where there is room, or half hidden at the edge so that it covers no text. */
function FloatingButton({ count, news }: { count: number; news: boolean }) {
  const { t } = useLingui()
  const go = useGo()
  const [docked, setDocked] = useState(() => local.get(KEY) === null && !fitsBeside(viewport()))
  const [position, setPosition] = useState<Position>(() => readPosition(local.get(KEY), viewport()))
  const drag = useRef<{ dx: number; dy: number; since: number; moved: boolean } | null>(null)

  useEffect(() => {
    // Docked buttons stay docked.
    const keepInside = () =>
      setPosition((now) => (docked ? readPosition(null, viewport()) : clampPosition(now, viewport())))
    addEventListener('resize', keepInside)
    return () => removeEventListener('resize', keepInside)
  }, [docked])

  const down = (event: PointerEvent<HTMLButtonElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = {
      dx: event.clientX - position.x,
      dy: event.clientY - position.y,
      since: event.timeStamp,
      moved: false,
    }
  }
  const move = (event: PointerEvent<HTMLButtonElement>) => {
    if (drag.current === null) return
    const next = clampPosition(
      { x: event.clientX - drag.current.dx, y: event.clientY - drag.current.dy },
      viewport(),
    )
    if (Math.hypot(next.x - position.x, next.y - position.y) > 2) {
      drag.current.moved = true
      setDocked(false)
    }
    setPosition(next)
  }
  const up = (event: PointerEvent<HTMLButtonElement>) => {
    const held = drag.current
    drag.current = null
    if (held === null) return
    if (event.timeStamp - held.since < TAP_MS) go.to('/order')
    else if (held.moved) local.set(KEY, JSON.stringify(position))
  }
  return (
    <button
      type="button"
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={() => {
        drag.current = null
      }}
      onClick={(event) => {
        // Keyboards and screen readers cannot drag.
        if (event.detail === 0) go.to('/order')
      }}
      aria-label={news ? t`Unfinished orders: ${count}, with news` : t`Unfinished orders: ${count}`}
      style={{ left: position.x, top: position.y }}
      className={`fixed z-30 grid size-14 touch-none items-center rounded-full bg-brand-fill text-on-brand shadow-black/30 shadow-lg ${docked ? 'translate-x-11 justify-items-start pl-1' : 'justify-items-center'}`}
    >
      <ListChecks size={docked ? 16 : 24} aria-hidden="true" />
      <span
        className={`absolute grid min-w-5 ${docked ? '-top-2 left-0' : '-top-0.5 -right-0.5'} place-items-center rounded-full bg-sell-fill px-1 font-bold text-on-sell text-xs leading-5`}
      >
        {count > 9 ? '9+' : count}
      </span>
      {news ? (
        <span
          className={`absolute size-3.5 rounded-full bg-sell-fill ring-2 ring-canvas ${docked ? 'bottom-0 left-1' : 'right-0 bottom-0'}`}
        />
      ) : null}
    </button>
  )
}
