import { Trans, useLingui } from '@lingui/react/macro'
import { Lock } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { nftName } from '@/api/nftName'
import type { Appeal, Order } from '@/api/types'
import { useTradeTexts } from '@/components/useTradeTexts'
import { useFormats } from '@/i18n/format'
import { shorten } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Card, Line, Notice } from '@/ui/Card'
import { CopyRow } from '@/ui/CopyButton'
import { Countdown } from '@/ui/Countdown'
import { Gap } from '@/ui/Gap'
import { AddEvidenceSheet } from './AddEvidenceSheet'
import { evidenceRoom } from './EvidenceFields'
import { EvidenceList } from './EvidenceList'
import { EvidenceRequests } from './EvidenceRequests'
import { statusText } from './labels'
import { useReasonNames } from './useReasonNames'
import { WithdrawSheet } from './WithdrawSheet'

/** An appeal with its decision, and what follows from it. */
export function AppealStatus({
  order,
  appeal,
  filed,
}: {
  order: Order
  appeal: Appeal
  /** Whether the user has just filed an appeal here. Its status is then read from its beginning. */
  filed: boolean
}) {
  const { t } = useLingui()
  const nameOf = useReasonNames()
  const { time } = useFormats()
  const [withdrawing, setWithdrawing] = useState(false)
  const open = appeal.endedAt === null
  const [adding, setAdding] = useState(false)
  const withdraw = order.actions.some((one) => one.action === 'withdrawAppeal')
  const room = evidenceRoom(appeal, order.role)
  const add =
    order.actions.some((one) => one.action === 'addEvidence') && (room.pictures > 0 || room.videos > 0)
  const asked = appeal.evidenceRequests.some((one) => one.answeredAt === null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (filed) heading.current?.focus()
  }, [filed])
  return (
    <>
      <h2
        ref={heading}
        tabIndex={-1}
        className="scroll-mt-32 font-bold text-[1.65rem] leading-tight tracking-tight outline-none"
      >
        {t(statusText(appeal, order.role))}
      </h2>
      {open ? (
        <Notice tone="danger" icon={<Lock size={18} aria-hidden="true" />}>
          {order.money === 'SELLER' ? (
            <Trans>The appeal locks this order until it ends. Don’t deposit, and don’t pay.</Trans>
          ) : (
            <Trans>
              The appeal locks this order. Don’t pay. What is in escrow stays there until the appeal ends.
            </Trans>
          )}
        </Notice>
      ) : null}
      <Consequence order={order} appeal={appeal} />
      <EvidenceRequests appeal={appeal} add={add ? () => setAdding(true) : null} />
      <Card>
        <dl>
          <Line label={t`Filed by`}>
            {appeal.filedBy === null ? (
              <Trans>MEC2C</Trans>
            ) : appeal.filedBy === order.role ? (
              <Trans>You</Trans>
            ) : (
              order.counterparty.nickname
            )}
          </Line>
          <Line label={t`Reason`}>{nameOf(appeal.reason)}</Line>
          <Line label={t`Filed`}>{time(appeal.filedAt)}</Line>
          {appeal.endedAt === null ? null : (
            <Line label={t({ message: 'Ended', context: 'time' })}>{time(appeal.endedAt)}</Line>
          )}
          <CopyRow label={t`Appeal ID`} value={appeal.id} shown={shorten(appeal.id)} />
        </dl>
        {appeal.specificReason === null ? null : (
          <p className="mt-2 whitespace-pre-wrap border-line border-t pt-3 leading-relaxed [overflow-wrap:anywhere]">
            {appeal.specificReason}
          </p>
        )}
      </Card>
      {appeal.reviewNote === null ? null : (
        <Card>
          <h3 className="mb-1 font-semibold">
            <Trans>The officer’s reasons</Trans>
          </h3>
          <p className="whitespace-pre-wrap leading-relaxed [overflow-wrap:anywhere]">{appeal.reviewNote}</p>
          {appeal.malicious ? (
            <p className="mt-2 text-sell">
              <Trans>The officer found this appeal malicious.</Trans>
            </p>
          ) : null}
        </Card>
      )}
      <EvidenceList order={order} appeal={appeal} />
      {add ? (
        <Button tone={asked ? 'plain' : 'brand'} size="large" wide onClick={() => setAdding(true)}>
          <Trans>Add evidence</Trans>
        </Button>
      ) : null}
      {withdraw ? (
        <Button tone="plain" size="large" wide onClick={() => setWithdrawing(true)}>
          <Trans>Withdraw the appeal</Trans>
        </Button>
      ) : null}
      {adding ? (
        <AddEvidenceSheet order={order} appeal={appeal} open={add} onClose={() => setAdding(false)} />
      ) : null}
      <WithdrawSheet
        order={order}
        appeal={appeal}
        open={withdrawing && withdraw}
        onClose={() => setWithdrawing(false)}
      />
    </>
  )
}

/** What happens, or happened, to what is in escrow and to the order. */
function Consequence({ order, appeal }: { order: Order; appeal: Appeal }) {
  if (appeal.status === 'PENDING')
    return (
      <p className="leading-relaxed">
        <Trans>
          An officer reads both sides, the evidence and the chat. You’ll be notified of the decision.
        </Trans>
      </p>
    )
  if (appeal.status === 'WITHDRAWN' || appeal.status === 'REJECTED')
    return (
      <p className="leading-relaxed">
        <Continuation order={order} />
      </p>
    )
  if (appeal.executesAt === null)
    return (
      <p className="leading-relaxed">
        <Executed order={order} appeal={appeal} />
      </p>
    )
  return (
    <p className="leading-relaxed">
      <Decided order={order} appeal={appeal} executesAt={appeal.executesAt} />
      <Gap />
      <Trans>Until then, an officer can reopen the appeal if there is new evidence.</Trans>
    </p>
  )
}

/**
 * What a verdict will do. In an automatic order, each party may have something in escrow. In a manual order for coins, the escrow
 * may hold less than was ordered and is then released without a fee, so only an NFT is named.
 */
function Decided({ order, appeal, executesAt }: { order: Order; appeal: Appeal; executesAt: string }) {
  const { receives, total } = useTradeTexts(order)
  const automatic = order.kind === 'AUTOMATIC'
  const nft = order.nft === null ? null : nftName(order.nft)
  const countdown = <Countdown deadline={executesAt} />
  if (appeal.outcome === 'RELEASE')
    return automatic ? (
      <Trans>
        In {countdown}, {receives} will be released to the buyer, and {total} to the seller.
      </Trans>
    ) : nft === null ? (
      <Trans>What is in escrow will be released to the buyer, minus any fee, in {countdown}.</Trans>
    ) : (
      <Trans>
        {nft} will be released to the buyer in {countdown}.
      </Trans>
    )
  if (automatic)
    return (
      <Trans>
        The order will be cancelled in {countdown}, and each party gets back what it has in escrow.
      </Trans>
    )
  if (order.money === 'SELLER')
    return <Trans>The order will be cancelled in {countdown}. Nothing is in escrow.</Trans>
  return nft === null ? (
    <Trans>
      The order will be cancelled in {countdown}, and what is in escrow goes back to where it came from.
    </Trans>
  ) : (
    <Trans>
      The order will be cancelled in {countdown}, and {nft} goes back to where it came from.
    </Trans>
  )
}

/** What a verdict has done. */
function Executed({ order, appeal }: { order: Order; appeal: Appeal }) {
  const { receives, total } = useTradeTexts(order)
  const automatic = order.kind === 'AUTOMATIC'
  const nft = order.nft === null ? null : nftName(order.nft)
  if (appeal.outcome === 'RELEASE')
    return automatic ? (
      <Trans>
        {receives} is released to the buyer, and {total} to the seller.
      </Trans>
    ) : nft === null ? (
      <Trans>What was in escrow is released to the buyer, minus any fee.</Trans>
    ) : (
      <Trans>{nft} is released to the buyer.</Trans>
    )
  if (automatic)
    return <Trans>The order was cancelled, and each party gets back what it had in escrow.</Trans>
  if (order.money === 'SELLER') return <Trans>The order was cancelled. Nothing was in escrow.</Trans>
  return nft === null ? (
    <Trans>The order was cancelled, and what was in escrow goes back to where it came from.</Trans>
  ) : (
    <Trans>The order was cancelled, and {nft} goes back to where it came from.</Trans>
  )
}

/** What became of the order once the appeal was withdrawn or rejected. */
function Continuation({ order: { kind, state, overlay, deadline } }: { order: Order }) {
  if (overlay === 'FROZEN')
    return (
      <Trans>Once the deposit is restored, the order resumes automatically with its remaining time.</Trans>
    )
  if (deadline !== null) return <Trans>The order continues with the time that was left.</Trans>
  // An automatic order has no time left to continue with once both sides have deposited.
  if (kind === 'AUTOMATIC' && state === 'COMPLETED')
    return <Trans>Both deposits of this order were in escrow, so they were released.</Trans>
  if (kind === 'AUTOMATIC' && (state === 'RELEASING' || state === 'RELEASE_REVOKED'))
    return <Trans>Both deposits of this order were in escrow, so they’re being released.</Trans>
  return <Trans>The order continued with the time that was left.</Trans>
}
