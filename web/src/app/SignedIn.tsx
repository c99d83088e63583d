import { FloatingOrder } from './FloatingOrder'
import { useLiveSession } from './useLiveSession'
import { useWaitingMessages } from './useWaitingMessages'

/** What the shell does for a user and not for visitors: the socket, messages to be sent, and the floating button. */
export default function SignedIn({
  pathname,
  home,
  noFloat,
}: {
  pathname: string
  home: boolean
  noFloat: boolean
}) {
  useLiveSession(pathname)
  useWaitingMessages()
  return noFloat ? null : <FloatingOrder home={home} />
}
