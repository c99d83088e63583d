import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import type { Order } from '@/api/types'
import { AppLink } from '@/navigation/navigation'
import { Button } from '@/ui/Button'
import { Card, Notice } from '@/ui/Card'
import { CopyButton } from '@/ui/CopyButton'
import { toast } from '@/ui/toast'
import { EVIDENCE_LIMITS, EvidenceFields, type EvidenceUploads, evidenceRoom, isBusy } from './EvidenceFields'
import { useAddEvidence } from './useAddEvidence'

/** What a user entered for an appeal that can no longer be filed, for example because the other party filed one first. */
export function UnfiledAppeal({
  order,
  text,
  evidence,
  onDiscard,
}: {
  order: Order
  text: string
  evidence: EvidenceUploads
  onDiscard: () => void
}) {
  const { t } = useLingui()
  const { appeal } = order
  const open = appeal !== null && order.actions.some((one) => one.action === 'addEvidence') ? appeal : null
  // From another device, or with a response that was lost.
  const own = open?.filedBy === order.role
  const { pictures, videos } = evidence
  const heading = useRef<HTMLHeadingElement>(null)
  // This replaces the form that the user was filling in.
  useEffect(() => heading.current?.focus(), [])
  const add = useAddEvidence(order, evidence, () => {
    pictures.clear()
    videos.clear()
    toast(t`Evidence added.`)
  })
  const files = pictures.items.length + videos.items.length > 0
  return (
    <Card className="flex flex-col gap-4">
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-32 font-semibold text-lg outline-none">
        {own ? <Trans>These changes weren’t submitted</Trans> : <Trans>Your appeal wasn’t submitted</Trans>}
      </h2>
      <Notice tone="warn">
        {open === null ? (
          <Trans>You can’t submit it now. What you’ve entered is kept while you stay on this page.</Trans>
        ) : own ? (
          <Trans>
            You’ve already filed an appeal about this order. If something is missing from it, you can add
            files as evidence, and write the rest in the chat, which the officer reads.
          </Trans>
        ) : (
          <Trans>
            Another appeal about this order was filed first. You can add files to it as evidence, and write
            the rest in the chat, which the officer reads.
          </Trans>
        )}
      </Notice>
      {text === '' ? null : (
        <div className="flex items-start justify-between gap-2">
          <p className="min-w-0 whitespace-pre-wrap leading-relaxed [overflow-wrap:anywhere]">{text}</p>
          <CopyButton text={text} what={t`description`} />
        </div>
      )}
      {files ? (
        <EvidenceFields
          evidence={evidence}
          room={open === null ? EVIDENCE_LIMITS : evidenceRoom(open, order.role)}
          tried={!isBusy(evidence)}
        />
      ) : null}
      {files && open !== null ? (
        <Button size="large" wide busy={add.busy} onClick={() => add.submit(open)}>
          <Trans>Add these files as evidence</Trans>
        </Button>
      ) : null}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <AppLink
          to="/chat"
          query={{ id: order.id }}
          className="inline-flex min-h-11 items-center font-semibold text-brand"
        >
          <Trans>Open the chat</Trans>
        </AppLink>
        <Button tone="plain" size="small" disabled={add.busy} onClick={onDiscard}>
          <Trans>Discard</Trans>
        </Button>
      </div>
    </Card>
  )
}
