import { Trans, useLingui } from '@lingui/react/macro'
import { Check, CheckCheck, CircleAlert, Clock, ShieldAlert, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MessageWarning, TalkEntry, UploadedFile } from '@/api/types'
import { Gallery } from '@/components/files/Gallery'
import { noticeText } from '@/components/notices/noticeText'
import { useFormats } from '@/i18n/format'
import { Button } from '@/ui/Button'
import { isRefused, type Outgoing } from './outbox'

/** A transition of the order. */
export function SystemLine({ entry, reader }: { entry: TalkEntry; reader: 'BUYER' | 'SELLER' | null }) {
  const { t } = useLingui()
  const { minute } = useFormats()
  return (
    <p className="mx-auto max-w-[85%] px-3 py-1 text-center text-muted text-sm">
      {t(noticeText(entry, reader))} <time dateTime={entry.at}>{minute(entry.at)}</time>
    </p>
  )
}

/** The files of a message. A single one is larger. */
function Files({
  files,
  warnOfReuse = false,
  renew,
}: {
  files: readonly UploadedFile[]
  /** Whether to mark pictures that were used in another order. */
  warnOfReuse?: boolean
  renew?: (() => void) | undefined
}) {
  const { t } = useLingui()
  if (files.length === 0) return null
  return (
    <div className="py-1">
      <Gallery
        files={files}
        title={t`Attachment`}
        size={files.length === 1 ? 'size-44' : 'size-19'}
        warning={(file) => (warnOfReuse && file.usedBefore ? t`Used before` : '')}
        {...(renew === undefined ? {} : { renew })}
      />
    </div>
  )
}

const filesOf = (entry: TalkEntry) => entry.files.flatMap(({ file }) => (file === null ? [] : [file]))

/** An official message, which looks like nothing that a party can write. */
export function OfficialMessage({ entry, renew }: { entry: TalkEntry; renew: () => void }) {
  const { minute } = useFormats()
  return (
    <div className="rounded-2xl border-2 border-info bg-info-soft px-4 py-3">
      <p className="flex items-center gap-2 font-semibold text-info text-sm">
        <ShieldCheck size={18} aria-hidden="true" />
        <Trans>MEC2C customer service · {entry.officer}</Trans>
      </p>
      {entry.text === '' ? null : (
        <p className="mt-1 whitespace-pre-wrap [overflow-wrap:anywhere]">{entry.text}</p>
      )}
      <Files files={filesOf(entry)} renew={renew} />
      <time dateTime={entry.at} className="mt-1 block text-right text-muted text-xs">
        {minute(entry.at)}
      </time>
    </div>
  )
}

export type Progress = 'sent' | 'delivered' | 'read'

function ProgressMark({ progress }: { progress: Progress }) {
  const { t } = useLingui()
  const label = progress === 'read' ? t`Read` : progress === 'delivered' ? t`Delivered` : t`Sent`
  const Icon = progress === 'sent' ? Check : CheckCheck
  return (
    <Icon
      size={16}
      role="img"
      aria-label={label}
      className={progress === 'read' ? 'text-brand' : 'text-muted'}
    />
  )
}

function Bubble({
  own,
  author,
  text,
  files,
  foot,
}: {
  own: boolean
  /** Who wrote the message, for screen readers. Others see it from the side. */
  author: ReactNode
  text: string
  files: ReactNode
  foot: ReactNode
}) {
  const look = own ? 'ml-auto rounded-br-md bg-brand-soft' : 'mr-auto rounded-bl-md bg-surface'
  return (
    <div className={`relative w-fit min-w-20 max-w-[82%] rounded-2xl px-3.5 py-2 ${look}`}>
      <span className="sr-only">{author}</span>
      {files}
      {text === '' ? null : <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>}
      <p className="mt-0.5 flex items-center justify-end gap-1 text-muted text-xs">{foot}</p>
    </div>
  )
}

/** A message by one of the parties. `progress` is known for the user's own messages. */
export function Message({
  entry,
  own,
  progress,
  renew,
}: {
  entry: TalkEntry
  own: boolean
  progress: Progress
  /** Reads the links to the files again. */
  renew: () => void
}) {
  const { minute } = useFormats()
  return (
    <>
      <Bubble
        own={own}
        author={
          own ? (
            <Trans>You:</Trans>
          ) : entry.author === 'BUYER' ? (
            <Trans>The buyer:</Trans>
          ) : (
            <Trans>The seller:</Trans>
          )
        }
        text={entry.text}
        // Sellers often send the same picture to every buyer. Buyers show their payments with pictures.
        files={<Files files={filesOf(entry)} warnOfReuse={entry.author === 'BUYER'} renew={renew} />}
        foot={
          <>
            {entry.automatic ? <Trans>Automatic reply</Trans> : null}
            <time dateTime={entry.at}>{minute(entry.at)}</time>
            {own ? <ProgressMark progress={progress} /> : null}
          </>
        }
      />
      {own || entry.warnings.length === 0 ? null : <Warnings warnings={entry.warnings} />}
    </>
  )
}

/** Warns the recipient of a message. */
function Warnings({ warnings }: { warnings: readonly MessageWarning[] }) {
  return (
    <div className="mt-1 mr-auto flex max-w-[82%] gap-2 rounded-2xl bg-warn-soft px-3.5 py-2 text-sm text-warn">
      <ShieldAlert size={18} className="mt-0.5 shrink-0" aria-hidden="true" />
      <div>
        {warnings.includes('OFF_PLATFORM') ? (
          <p>
            <Trans>
              This message contains a contact, a link or a number. Stay on MEC2C, and pay only to the account
              shown in the order.
            </Trans>
          </p>
        ) : null}
        {warnings.includes('EARLY_RELEASE') ? (
          <p>
            <Trans>
              Never release anything before the money is in your account. A screenshot isn’t proof of payment.
            </Trans>
          </p>
        ) : null}
      </div>
    </div>
  )
}

/** A message that the server has not confirmed. */
export function PendingMessage({
  message,
  again,
  discard,
}: {
  message: Outgoing
  again: () => void
  discard: () => void
}) {
  const { t } = useLingui()
  const { minute } = useFormats()
  const { text, files = [], warnings, refusal, filesRefused, full } = message
  const refused = isRefused(message)
  return (
    <div>
      <Bubble
        own
        author={<Trans>You:</Trans>}
        text={text}
        files={<Files files={files} />}
        foot={
          <>
            <time dateTime={message.at}>{minute(message.at)}</time>
            {!refused ? (
              <Clock size={14} role="img" aria-label={t({ message: 'Sending', context: 'message' })} />
            ) : (
              <CircleAlert size={15} role="img" aria-label={t`Not sent`} className="text-sell" />
            )}
          </>
        }
      />
      {!refused ? null : (
        <div role="alert" className="mt-1 ml-auto max-w-[82%] rounded-2xl bg-sell-soft px-3.5 py-2 text-sm">
          {full === true ? (
            <p>
              <Trans>Not sent. You have sent as many files in this chat as possible.</Trans>
            </p>
          ) : filesRefused === true ? (
            <p>
              <Trans>Not sent. The files are no longer available. Add them again.</Trans>
            </p>
          ) : warnings === undefined ? (
            <p>{refusal}</p>
          ) : (
            <p>
              <SenderWarning warnings={warnings} />
            </p>
          )}
          <div className="-mr-2 flex flex-wrap justify-end">
            <Button tone="quiet" size="small" onClick={discard} className="text-muted">
              <Trans>Discard</Trans>
            </Button>
            {filesRefused === true && text === '' ? null : (
              <Button tone="quiet" size="small" onClick={again}>
                {filesRefused === true ? (
                  <Trans>Send without files</Trans>
                ) : warnings === undefined ? (
                  <Trans>Try again</Trans>
                ) : (
                  <Trans>Send anyway</Trans>
                )}
              </Button>
            )}
          </div>
        </div>
      )}
    </div>
  )
}

/** Warns the sender of a message before it is sent. */
function SenderWarning({ warnings }: { warnings: readonly MessageWarning[] }) {
  return warnings.includes('EARLY_RELEASE') ? (
    <Trans>
      Not sent. It looks like a request to release early, as fraudsters write it. The recipient will see a
      warning under it.
    </Trans>
  ) : (
    <Trans>
      Not sent. It looks like a contact, a link or an account number. Trades outside MEC2C aren’t protected.
      The recipient will see a warning under it.
    </Trans>
  )
}
