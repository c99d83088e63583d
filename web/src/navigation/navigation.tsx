import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AppPath } from '@/app/routes'

export type { AppPath }

export type Query = Record<string, string | undefined>

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
  return (
    <Link
      to={to}
      search={query ?? {}}
      className={className}
      aria-label={label}
      aria-current={current === true ? 'page' : undefined}
      activeProps={{}}
    >
      {children}
    </Link>
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

export function useGo(): Go {
  const navigate = useNavigate()
  const router = useRouter()
  return {
    to: (path, query = {}) => void navigate({ to: path, search: query }),
    replace: (path, query = {}) => void navigate({ to: path, search: query, replace: true }),
    follow: (href) => {
      const own = /^\/(?![/\\])/.test(href)
      void router.navigate({ href: own ? href : '/', replace: true })
    },
    back: () => router.history.back(),
  }
}

/** A query parameter of the present address, or the empty string. */
export function useQueryParam(name: string): string {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const value = search[name]
  return typeof value === 'string' ? value : ''
}
