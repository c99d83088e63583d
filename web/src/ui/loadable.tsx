import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

interface Module<P> {
  default: ComponentType<P>
}

/** A component whose code is fetched when it is first shown, or ahead of time by `preload`. */
export interface Loadable<P> {
  (props: P): ReactNode
  /** Fetches the code. A failure shows when the component is shown. */
  preload: () => void
}

/** How long after a failure the code is fetched again, in case the server was the cause. */
const RETRY_MS = 5_000

/**
 * Returns a component whose code is fetched when it is first shown. If that fails (this device is offline, or a newer version was
 * deployed), `failed` is shown in its place, and the code is fetched again when the connection returns.
 *
 * `React.lazy` would show what it loaded only 300 ms after its fallback, even if the code arrives at once.
 */
export function loadable<P extends object>(
  load: () => Promise<Module<P>>,
  failed: (props: P, retry: () => void) => ReactNode,
  pending: ReactNode = null,
): Loadable<P> {
  let part: ComponentType<P> | null = null
  let attempt: Promise<ComponentType<P> | null> | null = null
  const fetchPart = () => {
    attempt ??= load().then(
      (module) => {
        part = module.default
        return part
      },
      () => {
        attempt = null
        return null
      },
    )
    return attempt
  }
  function Loadable(props: P) {
    const [state, setState] = useState<{ Part: ComponentType<P> | null; isFailed: boolean }>(() => ({
      Part: part,
      isFailed: false,
    }))
    const { Part, isFailed } = state
    useEffect(() => {
      if (Part !== null || isFailed) return
      let current = true
      void fetchPart().then((loaded) => {
        if (current) setState({ Part: loaded, isFailed: loaded === null })
      })
      return () => {
        current = false
      }
    }, [Part, isFailed])
    if (Part !== null) return <Part {...props} />
    if (!isFailed) return pending
    const retry = () => setState({ Part: part, isFailed: false })
    return <Failed retry={retry}>{failed(props, retry)}</Failed>
  }
  return Object.assign(Loadable, { preload: () => void fetchPart() })
}

/** Fetches again when the connection returns, and every few seconds while there is one. */
function Failed({ retry, children }: { retry: () => void; children: ReactNode }) {
  useEffect(() => {
    const timer = navigator.onLine ? setTimeout(retry, RETRY_MS) : undefined
    addEventListener('online', retry)
    return () => {
      clearTimeout(timer)
      removeEventListener('online', retry)
    }
  })
  return children
}
