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
import {
  type AppLocation,
  currentLocation,
  isOwnPath,
  navigate,
  onLocationChange,
  preload,
  returnTo,
  stepBack,
} from './location'

export type { AppPath }

export type Query = Record<string, string | undefined>

const LocationContext = createContext<AppLocation>(currentLocation())

/** Returns the href of a path, without empty parameters. */
export function hrefTo(path: AppPath, query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([key, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[key, value]],
  )
  const text = new URLSearchParams(pairs).toString()
  return text === '' ? path : `${path}?${text}`
}

/**
 * Passes the current location to its children and re-renders them when it changes. The previous
 * page stays on screen until the code of the next one has loaded. Another address of the same page shows at once: inputs that
 * keep their values in the address would otherwise jump back first, and of two quick changes the first would be lost.
 */
export function LocationProvider({
  children,
}: {
  children: (location: AppLocation, pending: boolean) => ReactNode
}) {
  const [location, setLocation] = useState(currentLocation)
  const [pending, startTransition] = useTransition()
  const { pathname } = location
  useEffect(
    () =>
      onLocationChange((next) => {
        if (next.pathname === pathname) setLocation(next)
        else startTransition(() => setLocation(next))
      }),
    [pathname],
  )
  return <LocationContext value={location}>{children(location, pending)}</LocationContext>
}

export function AppLink({
  to,
  query,
  children,
  className,
  label,
  current,
  replace = false,
}: {
  to: AppPath
  query?: Query
  children: ReactNode
  className?: string
  label?: string
  current?: boolean
  /** Replaces the current history entry: a choice on the page, which the back button should not go through. */
  replace?: boolean
}) {
  const href = hrefTo(to, query)
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    // Let the browser handle new tabs and downloads.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(href, replace)
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
  /** Replaces the current history entry. */
  replace: (path: AppPath, query?: Query) => void
  /** Follows a stored address. Addresses of other origins lead to `/`. */
  follow: (href: string) => void
  /** Returns to the page before this one, or to `/`: never to another site. */
  back: () => void
}

const GO: Go = {
  to: (path, query) => navigate(hrefTo(path, query)),
  replace: (path, query) => navigate(hrefTo(path, query), true),
  follow: (href) => returnTo(isOwnPath(href) ? href : '/'),
  back: stepBack,
}

export function useGo(): Go {
  return GO
}

/** Returns the current address, to return to it later. */
export function useCurrentHref(): string {
  const { pathname, search } = use(LocationContext)
  return `${pathname}${search}`
}

/** Returns a query parameter of the current address, or the empty string. */
export function useQueryParam(name: string): string {
  return new URLSearchParams(use(LocationContext).search).get(name) ?? ''
}

/**
 * Returns a query parameter of a page that stays mounted behind others: while it is hidden, the one of its last address, because
 * the current address is not its own.
 */
export function useOwnQueryParam(path: AppPath, name: string): string {
  const { pathname } = use(LocationContext)
  const current = useQueryParam(name)
  const [known, setKnown] = useState(current)
  if (pathname !== path) return known
  if (current !== known) setKnown(current)
  return current
}
