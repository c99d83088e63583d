import { useIsMutating } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

const SHOWN_MS = 500

/** A thin line during navigation and while a command is running. */
export function ProgressBar({ pathname, pending }: { pathname: string; pending: boolean }) {
  const [shown, setShown] = useState(pathname)
  const mutating = useIsMutating() > 0
  useEffect(() => {
    if (shown === pathname) return
    const timer = setTimeout(() => setShown(pathname), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown, pathname])
  if (shown === pathname && !pending && !mutating) return null
  return (
    <div aria-hidden="true" className="fixed inset-x-0 top-0 z-50 h-0.5">
      <div className="h-full origin-left animate-progress bg-brand-fill" />
    </div>
  )
}
