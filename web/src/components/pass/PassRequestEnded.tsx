import { useLingui } from '@lingui/react/macro'
import { CircleSlash, CloudOff, Hourglass, type LucideIcon, ShieldAlert } from 'lucide-react'
import { Button } from '@/ui/Button'
import { StateView } from '@/ui/State'
import type { PassRequestEnd } from './passReturn'

/** The end of a request to the pass: the reason, and a button for a new request. */
export function PassRequestEnded({ end, onAgain }: { end: PassRequestEnd; onAgain: () => void }) {
  const { t } = useLingui()
  const said: Record<PassRequestEnd, { icon: LucideIcon; title: string; text: string }> = {
    declined: {
      icon: CircleSlash,
      title: t`You declined the request`,
      text: t`If that was a mistake, start again.`,
    },
    expired: {
      icon: Hourglass,
      title: t`This request has expired`,
      text: t`The request expired or was already answered. Start again to get a new one.`,
    },
    failed: {
      icon: ShieldAlert,
      title: t`We couldn’t verify the response from the pass`,
      text: t`Start again, and select the number shown on this page.`,
    },
    unavailable: {
      icon: CloudOff,
      title: t`We didn’t receive the response from the pass`,
      text: t`Wait a moment, then start again.`,
    },
    elsewhere: {
      icon: ShieldAlert,
      title: t`This request was started in another browser`,
      text: t`Nothing was approved here. If you started this request in another browser, continue there or start again here. If someone sent you the link, don’t approve the request: they may be trying to access your account.`,
    },
  }
  const { icon, title, text } = said[end]
  return (
    <StateView
      live="alert"
      icon={icon}
      title={title}
      text={text}
      action={<Button onClick={onAgain}>{end === 'elsewhere' ? t`Start here` : t`Try again`}</Button>}
    />
  )
}
