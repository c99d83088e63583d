import { Component, type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'

interface Module<P> {
  default: ComponentType<P>
}

/** The code of a part could not be fetched: this device is offline, or a newer version was deployed. */
class LoadError extends Error {}

/** How long after a failure the code is fetched again, in case the server was the cause. */
const RETRY_MS = 5_000

/**
 * Returns a component whose code is fetched when it is first shown. If that fails, `failed` is shown in its place, and the code is
 * fetched again when the connection returns.
 */
export function loadable<P extends object>(
  load: () => Promise<Module<P>>,
  failed: (props: P, retry: () => void) => ReactNode,
  pending: ReactNode = null,
): ComponentType<P> {
  const attempt = () =>
    lazy(() =>
      load().catch((cause: unknown) => {
        throw new LoadError('', { cause })
      }),
    )
  // React remembers for ever that a lazy component has failed, so each attempt is another component.
  let newest = attempt()
  return function Loadable(props: P) {
    const [{ Part, round }, set] = useState({ Part: newest, round: 0 })
    const retry = () => {
      if (Part === newest) newest = attempt()
      set({ Part: newest, round: round + 1 })
    }
    return (
      <LoadBoundary key={round} failed={<Failed retry={retry}>{failed(props, retry)}</Failed>}>
        <Suspense fallback={pending}>
          <Part {...props} />
        </Suspense>
      </LoadBoundary>
    )
  }
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

interface BoundaryProps {
  failed: ReactNode
  children: ReactNode
}

class LoadBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const error: unknown = this.state.error
    if (error === null) return this.props.children
    // A crash of the part itself is for the boundary of the page.
    if (!(error instanceof LoadError)) throw error
    return this.props.failed
  }
}
