import { Trans, useLingui } from '@lingui/react/macro'
import { Lock } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { tradedText } from '@/api/nftName'
import type { Appeal, Order } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { shorten } from '@/lib/text'
import { Button } from '@/ui/Button'
import { Card, Line, Notice } from '@/ui/Card'
import { CopyRow } from '@/ui/CopyButton'
import { Countdown } from '@/ui/Countdown'
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
          ) : order.nft !== null ? (
            <Trans>The appeal locks this order. Don’t pay. The NFT stays in escrow until it ends.</Trans>
          ) : (
            <Trans>The appeal locks this order. Don’t pay. The coins stay in escrow until it ends.</Trans>
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

/** What happens, or happened, to the coins and the order. */
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
        {order.nft === null ? (
          <Executed order={order} appeal={appeal} />
        ) : (
          <NftExecuted order={order} appeal={appeal} />
        )}
      </p>
    )
  return (
    <p className="leading-relaxed">
      {order.nft === null ? (
        <Decided order={order} appeal={appeal} executesAt={appeal.executesAt} />
      ) : (
        <NftDecided order={order} appeal={appeal} executesAt={appeal.executesAt} />
      )}{' '}
      <Trans>Until then, an officer can reopen the appeal if there is new evidence.</Trans>
    </p>
  )
}

/** What a verdict will do. In an automatic order, each party may have coins in escrow. */
function Decided({ order, appeal, executesAt }: { order: Order; appeal: Appeal; executesAt: string }) {
  const { base, quote } = order
  const automatic = order.kind === 'AUTOMATIC'
  if (appeal.outcome === 'RELEASE')
    return automatic ? (
      <Trans>
        Both coins of this order will be released in <Countdown deadline={executesAt} />: {base} to the buyer,
        minus the fee, and {quote} to the seller.
      </Trans>
    ) : (
      <Trans>
        The coins in escrow will be released to the buyer, minus the fee, in{' '}
        <Countdown deadline={executesAt} />.
      </Trans>
    )
  if (automatic)
    return (
      <Trans>
        The order will be cancelled in <Countdown deadline={executesAt} />, and each party gets back the coins
        that it has in escrow.
      </Trans>
    )
  return order.money === 'SELLER' ? (
    <Trans>
      The order will be cancelled in <Countdown deadline={executesAt} />. No coins are in escrow.
    </Trans>
  ) : (
    <Trans>
      The order will be cancelled in <Countdown deadline={executesAt} />, and the coins go back to where they
      came from.
    </Trans>
  )
}

/** What a verdict has done. */
function Executed({ order, appeal }: { order: Order; appeal: Appeal }) {
  const { base, quote } = order
  const automatic = order.kind === 'AUTOMATIC'
  if (appeal.outcome === 'RELEASE')
    return automatic ? (
      <Trans>
        Both coins of this order are released: {base} to the buyer, minus the fee, and {quote} to the seller.
      </Trans>
    ) : (
      <Trans>The coins in escrow are released to the buyer, minus the fee.</Trans>
    )
  if (automatic)
    return <Trans>The order was cancelled, and each party gets back the coins that it had in escrow.</Trans>
  return order.money === 'SELLER' ? (
    <Trans>The order was cancelled. No coins were in escrow.</Trans>
  ) : (
    <Trans>The order was cancelled and the coins go back to where they came from.</Trans>
  )
}

/** What a verdict about an NFT will do. The NFT is in the ad's escrow, and its fee is prepaid. */
function NftDecided({ order, appeal, executesAt }: { order: Order; appeal: Appeal; executesAt: string }) {
  const { amount } = useFormats()
  const nft = tradedText(amount, order, order.quantity)
  const { quote } = order
  const automatic = order.kind === 'AUTOMATIC'
  if (appeal.outcome === 'RELEASE')
    return automatic ? (
      <Trans>
        {nft} will be released to the buyer, and {quote} to the seller, in <Countdown deadline={executesAt} />
        .
      </Trans>
    ) : (
      <Trans>
        {nft} will be released to the buyer in <Countdown deadline={executesAt} />.
      </Trans>
    )
  return automatic ? (
    <Trans>
      The order will be cancelled in <Countdown deadline={executesAt} />. {nft} goes back to the ad, and the
      buyer gets back the {quote} in escrow.
    </Trans>
  ) : (
    <Trans>
      The order will be cancelled in <Countdown deadline={executesAt} />, and {nft} goes back to the ad.
    </Trans>
  )
}

/** What a verdict about an NFT has done. */
function NftExecuted({ order, appeal }: { order: Order; appeal: Appeal }) {
  const { amount } = useFormats()
  const nft = tradedText(amount, order, order.quantity)
  const { quote } = order
  const automatic = order.kind === 'AUTOMATIC'
  if (appeal.outcome === 'RELEASE')
    return automatic ? (
      <Trans>
        {nft} is released to the buyer, and {quote} to the seller.
      </Trans>
    ) : (
      <Trans>{nft} is released to the buyer.</Trans>
    )
  return automatic ? (
    <Trans>
      The order was cancelled. {nft} is back in the ad, and the buyer gets back the {quote} that was in
      escrow.
    </Trans>
  ) : (
    <Trans>The order was cancelled, and {nft} is back in the ad.</Trans>
  )
}

/** What became of the order once the appeal was withdrawn or rejected. */
function Continuation({ order: { kind, state, overlay, deadline, nft } }: { order: Order }) {
  if (overlay === 'FROZEN')
    return (
      <Trans>Once the deposit is restored, the order resumes automatically with its remaining time.</Trans>
    )
  if (deadline !== null) return <Trans>The order continues with the time that was left.</Trans>
  // An automatic order has no time left to continue with once both coins are in escrow.
  if (kind === 'AUTOMATIC' && state === 'COMPLETED')
    return nft === null ? (
      <Trans>Both coins of this order were in escrow, so they were released.</Trans>
    ) : (
      <Trans>The NFT and its payment were in escrow, so they were released.</Trans>
    )
  if (kind === 'AUTOMATIC' && (state === 'RELEASING' || state === 'RELEASE_REVOKED'))
    return nft === null ? (
      <Trans>Both coins of this order were in escrow, so they’re being released.</Trans>
    ) : (
      <Trans>The NFT and its payment were in escrow, so they’re being released.</Trans>
    )
  return <Trans>The order continued with the time that was left.</Trans>
}
