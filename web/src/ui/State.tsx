import { useLingui } from '@lingui/react/macro'
import { CloudOff, type LucideIcon, SearchX, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button'

/** A whole area with one message: what is so, why, and what one can do about it. */
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

/** Something failed. Offline is told apart, because then waiting helps and reporting does not. */
export function ErrorState({ text, retry, offline }: { text: string; retry: () => void; offline: boolean }) {
  const { t } = useLingui()
  return (
    <StateView
      live="alert"
      icon={offline ? WifiOff : CloudOff}
      title={offline ? t`You are offline` : t`This could not be loaded`}
      text={
        offline
          ? t`What you see may be old. Your coins are safe in escrow; this page goes on when the network is back.`
          : text
      }
      action={
        <Button tone="plain" onClick={retry}>
          {t`Try again`}
        </Button>
      }
    />
  )
}
