import { useIsMutating } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

const SHOWN_MS = 500

/** A thin line on each navigation and while a command is under way. */
export function ProgressBar() {
  const router = useRouter()
  const [run, setRun] = useState(0)
  const mutating = useIsMutating() > 0
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = router.subscribe('onBeforeNavigate', (event) => {
      if (!event.pathChanged) return
      setRun((n) => n + 1)
      clearTimeout(timer)
      timer = setTimeout(() => setRun(0), SHOWN_MS)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [router])
  if (run === 0 && !mutating) return null
  return (
    <div aria-hidden="true" className="fixed inset-x-0 top-0 z-50 h-0.5">
      <div key={run} className="h-full origin-left animate-progress bg-brand-fill" />
    </div>
  )
}
