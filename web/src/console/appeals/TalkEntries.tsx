import { Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert, Clock, ShieldAlert, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormats } from '@/i18n/format'
import { Button } from '@/ui/Button'
import { noticeText, PARTIES } from './labels'
import { Thumbnails } from './Thumbnails'
import type { CaseEntry } from './types'
import type { Pending } from './useOfficialMessages'

function Moment({ at }: { at: string }) {
  const { minute, time } = useFormats()
  return (
    <time dateTime={at} title={time(at)} className="whitespace-nowrap text-muted text-xs">
      {minute(at)}
    </time>
  )
}

/** The beginning of a day. */
export function DayLine({ at }: { at: string }) {
  const { day } = useFormats()
  return (
    <p className="flex items-center gap-3 pt-1 text-muted text-xs">
      <span className="h-px flex-1 bg-line" />
      {day(at)}
      <span className="h-px flex-1 bg-line" />
    </p>
  )
}

/** A transition of the order, and who caused it. */
export function Transition({ entry }: { entry: CaseEntry }) {
  const { i18n } = useLingui()
  return (
    <p className="flex items-baseline gap-3 py-0.5">
      <span aria-hidden="true" className="mt-1.5 size-1.5 shrink-0 self-start rounded-full bg-muted" />
      <span className="min-w-0 flex-1 text-muted">
        {i18n._(noticeText(entry.notice, entry.author))}
        {entry.author === null ? null : ` · ${i18n._(PARTIES[entry.author])}`}
      </span>
      <Moment at={entry.at} />
    </p>
  )
}

/** A message by a party: the buyer’s on the left, the seller’s on the right. */
export function PartyMessage({
  entry,
  name,
  show,
  renew,
}: {
  entry: CaseEntry
  /** The author, at the beginning of a run of messages. */
  name: string | null
  show: (file: string) => void
  /** Reads the links to the files again. */
  renew: () => void
}) {
  const { i18n, t } = useLingui()
  const buyer = entry.author === 'BUYER'
  const party = i18n._(PARTIES[entry.author ?? 'BUYER'])
  return (
    <div
      className={`flex max-w-[86%] flex-col gap-1 ${buyer ? 'items-start self-start' : 'items-end self-end'}`}
    >
      {name === null ? null : (
        <p className="pt-1 text-muted text-xs">
          <span className="font-semibold text-ink">{party}</span> · {name}
        </p>
      )}
      <div
        className={`rounded-2xl px-3.5 py-2 ${buyer ? 'rounded-bl-md bg-sunken' : 'rounded-br-md bg-brand-soft'}`}
      >
        {entry.text === '' ? null : (
          <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{entry.text}</p>
        )}
        {entry.files.length === 0 ? null : (
          <Thumbnails files={entry.files} title={t`Picture in the chat`} show={show} renew={renew} />
        )}
        <p className="text-right">
          <Moment at={entry.at} />
        </p>
      </div>
      {entry.warnings.length === 0 ? null : (
        <p className="flex items-center gap-1.5 text-warn text-xs">
          <ShieldAlert size={14} className="shrink-0" aria-hidden="true" />
          {entry.warnings.includes('EARLY_RELEASE') ? (
            <Trans>The recipient was warned: asks for an early release</Trans>
          ) : (
            <Trans>The recipient was warned: leads off MEC2C</Trans>
          )}
        </p>
      )}
    </div>
  )
}

function Official({ head, children }: { head: ReactNode; children: ReactNode }) {
  return (
    <div className="rounded-2xl border-2 border-info bg-info-soft px-4 py-2.5">
      <p className="flex items-center gap-2 font-semibold text-info text-xs">
        <ShieldCheck size={16} aria-hidden="true" />
        {head}
      </p>
      {children}
    </div>
  )
}

/** An official message, as the parties see it. */
export function OfficialMessage({ entry }: { entry: CaseEntry }) {
  return (
    <Official head={<Trans>MEC2C customer service · {entry.officer}</Trans>}>
      <p className="mt-1 whitespace-pre-wrap [overflow-wrap:anywhere]">{entry.text}</p>
      <p className="text-right">
        <Moment at={entry.at} />
      </p>
    </Official>
  )
}

/** An official message that the server has not confirmed. */
export function PendingOfficial({
  message,
  again,
  discard,
}: {
  message: Pending
  again: () => void
  discard: () => void
}) {
  const { t } = useLingui()
  const { problem } = message
  return (
    <div className={problem === null ? 'opacity-70' : ''}>
      <Official
        head={
          <>
            <Trans>Official message</Trans>
            {problem === null ? (
              <Clock size={14} role="img" aria-label={t`Sending`} className="ml-auto" />
            ) : (
              <CircleAlert size={15} role="img" aria-label={t`Not sent`} className="ml-auto text-sell" />
            )}
          </>
        }
      >
        <p className="mt-1 whitespace-pre-wrap [overflow-wrap:anywhere]">{message.text}</p>
      </Official>
      {problem === null ? null : (
        <div role="alert" className="mt-1 flex items-center gap-2 rounded-2xl bg-sell-soft px-3.5 py-1">
          <p className="min-w-0 flex-1">{problem}</p>
          <Button tone="quiet" size="small" onClick={discard}>
            <Trans>Discard</Trans>
          </Button>
          <Button tone="quiet" size="small" onClick={again}>
            <Trans>Try again</Trans>
          </Button>
        </div>
      )}
    </div>
  )
}
