import { useIsMutating } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

const SHOWN_MS = 500

/** A thin line on each navigation, and while a page or a command is under way. */
export function ProgressBar({ place, pending }: { place: string; pending: boolean }) {
  const [shown, setShown] = useState(place)
  const mutating = useIsMutating() > 0
  useEffect(() => {
    if (shown === place) return
    const timer = setTimeout(() => setShown(place), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown, place])
  if (shown === place && !pending && !mutating) return null
  return (
    <div aria-hidden="true" className="fixed inset-x-0 top-0 z-50 h-0.5">
      <div className="h-full origin-left animate-progress bg-brand-fill" />
    </div>
  )
}
