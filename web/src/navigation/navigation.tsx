import {
  createContext,
  type MouseEvent,
  type ReactNode,
  use,
  useEffect,
  useState,
  useTransition,
} from 'react'
import type { AppPath } from '@/app/routes'
import { currentPlace, navigate, onPlace, type Place, preload } from './place'

export type { AppPath }

export type Query = Record<string, string | undefined>

const PlaceContext = createContext<Place>(currentPlace())

/** The address of a place of the product; empty parameters are left out. */
export function hrefTo(path: AppPath, query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([key, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[key, value]],
  )
  const text = new URLSearchParams(pairs).toString()
  return text === '' ? path : `${path}?${text}`
}

/** Follows the place; the page before stays on screen until the next one's code is here. */
export function PlaceProvider({ children }: { children: (place: Place, pending: boolean) => ReactNode }) {
  const [place, setPlace] = useState(currentPlace)
  const [pending, startTransition] = useTransition()
  useEffect(() => onPlace((next) => startTransition(() => setPlace(next))), [])
  return <PlaceContext value={place}>{children(place, pending)}</PlaceContext>
}

/** A link to a place of the product. */
export function AppLink({
  to,
  query,
  children,
  className,
  label,
  current,
}: {
  to: AppPath
  query?: Query
  children: ReactNode
  className?: string
  label?: string
  current?: boolean
}) {
  const href = hrefTo(to, query)
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    // A new tab or a download is the browser's business.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(href)
  }
  return (
    <a
      href={href}
      className={className}
      aria-label={label}
      aria-current={current === true ? 'page' : undefined}
      onClick={follow}
      onPointerEnter={() => preload(to)}
      onFocus={() => preload(to)}
    >
      {children}
    </a>
  )
}

export interface Go {
  to: (path: AppPath, query?: Query) => void
  /** Takes the place of where one is: back does not return here. */
  replace: (path: AppPath, query?: Query) => void
  /** Follows an address of this product that was kept as text; anything foreign goes home. */
  follow: (href: string) => void
  back: () => void
}

const GO: Go = {
  to: (path, query) => navigate(hrefTo(path, query)),
  replace: (path, query) => navigate(hrefTo(path, query), true),
  follow: (href) => navigate(/^\/(?![/\\])/.test(href) ? href : '/', true),
  back: () => history.back(),
}

export function useGo(): Go {
  return GO
}

/** The present address, to come back to. */
export function useHere(): string {
  const { pathname, search } = use(PlaceContext)
  return `${pathname}${search}`
}

/** A query parameter of the present address, or the empty string. */
export function useQueryParam(name: string): string {
  return new URLSearchParams(use(PlaceContext).search).get(name) ?? ''
}
