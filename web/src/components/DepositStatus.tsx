import { Trans } from '@lingui/react/macro'
import { CircleCheck, Radar } from 'lucide-react'
import type { Deposit } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { add, compare } from '@/lib/money'
import { Gap } from '@/ui/Gap'

/** The arrived part of a deposit, shown after the user reports that it was sent. */
export function DepositStatus({ deposit, at }: { deposit: Deposit; at: string }) {
  const { amount, clock } = useFormats()
  const unit = deposit.asset
  const arrived = add(deposit.received, deposit.confirming) ?? deposit.received
  const some = compare(arrived, '0') === 1
  const missing = compare(deposit.shortfall, '0') === 1
  const what = `${amount(arrived)} ${unit}`
  const short = `${amount(deposit.shortfall)} ${unit}`
  const Icon = some ? CircleCheck : Radar
  return (
    <p role="status" className="flex gap-2 text-sm leading-snug">
      <Icon
        size={18}
        className={`mt-px shrink-0 ${some && !missing ? 'text-brand' : 'text-warn'}`}
        aria-hidden="true"
      />
      <span>
        {some ? (
          <Trans>Received {what}.</Trans>
        ) : (
          <Trans>Escrow hasn’t received any {unit}. Once it’s on-chain, tap “I have sent it” again.</Trans>
        )}
        <Gap />
        {compare(deposit.confirming, '0') === 1 && deposit.confirmations !== null ? (
          <Trans>
            {deposit.confirmations.seen} of {deposit.confirmations.needed} confirmations.
          </Trans>
        ) : null}
        <Gap />
        {some && missing ? <Trans>{short} still to send.</Trans> : null}
        <Gap />
        <span className="whitespace-nowrap text-muted">
          <Trans>Checked at {clock(at)}</Trans>
        </span>
      </span>
    </p>
  )
}
