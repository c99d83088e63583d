import { useLingui } from '@lingui/react/macro'
import { CloudOff, type LucideIcon, SearchX, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button'

/** A full-area message: what happened, why, and what the user can do. */
export function StateView({
  icon: Icon,
  title,
  text,
  action,
  live,
}: {
  icon: LucideIcon
  title: ReactNode
  text?: ReactNode
  action?: ReactNode
  live?: 'alert' | 'status'
}) {
  return (
    <div role={live} className="mx-auto flex max-w-sm flex-col items-center gap-3 px-6 py-14 text-center">
      <div className="mb-2 grid size-16 place-items-center rounded-3xl bg-sunken text-muted">
        <Icon size={28} strokeWidth={1.75} aria-hidden="true" />
      </div>
      <p className="font-semibold text-lg">{title}</p>
      {text === undefined ? null : <p className="text-muted">{text}</p>}
      {action === undefined ? null : <div className="mt-3">{action}</div>}
    </div>
  )
}

export function EmptyState({
  icon = SearchX,
  title,
  text,
  action,
}: {
  icon?: LucideIcon
  title: ReactNode
  text?: ReactNode
  action?: ReactNode
}) {
  return <StateView icon={icon} title={title} text={text} action={action} />
}

/** The reason why loading failed: this device is offline, the server is unreachable, or the server refused. */
export type Failure = 'offline' | 'unreachable' | 'refused'

/** The error state of a page. Temporary failures have their own texts, because only then waiting helps. */
export function ErrorState({ why, text, retry }: { why: Failure; text: string; retry: () => void }) {
  const { t } = useLingui()
  const said: Record<Failure, { icon: LucideIcon; title: string; text: string }> = {
    offline: {
      icon: WifiOff,
      title: t`You’re offline`,
      text: t`Coins in escrow are safe. This page loads once you’re back online.`,
    },
    unreachable: {
      icon: CloudOff,
      title: t`Can’t reach MEC2C`,
      text: t`Coins in escrow are safe. We’ll keep trying, and this page will load automatically.`,
    },
    refused: { icon: CloudOff, title: t`Couldn’t load this`, text },
  }
  const { icon, title, text: words } = said[why]
  return (
    <StateView
      live="alert"
      icon={icon}
      title={title}
      text={words}
      action={
        <Button tone="plain" onClick={retry}>
          {t`Try again`}
        </Button>
      }
    />
  )
}
