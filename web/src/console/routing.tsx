import { type MouseEvent, type ReactNode, useSyncExternalStore } from 'react'
import { currentLocation, navigate, onLocationChange } from '@/navigation/location'

/** Returns the current path and query. */
export function usePlace(): { pathname: string; query: URLSearchParams } {
  const { pathname, search } = useSyncExternalStore(onLocationChange, currentLocation)
  return { pathname, query: new URLSearchParams(search) }
}

/** Returns a path with these parameters, without the empty ones. */
export function hrefTo(path: string, query: Record<string, string> = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== '')
  const text = new URLSearchParams(pairs).toString()
  return text === '' ? path : `${path}?${text}`
}

/** A link within the console. */
export function ConsoleLink({
  to,
  className = 'font-medium text-brand hover:underline',
  current = false,
  title,
  children,
}: {
  to: string
  className?: string
  current?: boolean
  /** A tooltip. */
  title?: string
  children: ReactNode
}) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    // Let the browser handle new tabs.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a
      href={to}
      title={title}
      className={className}
      aria-current={current ? 'page' : undefined}
      onClick={follow}
    >
      {children}
    </a>
  )
}
