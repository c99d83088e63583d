import { Trans, useLingui } from '@lingui/react/macro'
import { ShieldCheck } from 'lucide-react'
import type { Pair } from '@/api/types'
import { useCoins } from '@/components/useCoins'
import { useFormats } from '@/i18n/format'
import { total } from '@/lib/money'
import { Card, CardTitle, Line, Notice } from '@/ui/Card'
import { Switch } from '@/ui/Switch'
import type { Draft } from './draft'

/** A summary of the ad, and the consequences of posting it. */
export function ReviewStep({
  draft,
  pair,
  online,
  goOnline,
  onGoOnline,
}: {
  draft: Draft
  pair: Pair
  /** Whether the user is taking orders already. */
  online: boolean
  /** Whether to start taking orders with this ad. */
  goOnline: boolean
  onGoOnline: (goOnline: boolean) => void
}) {
  const { t } = useLingui()
  const { amount, percent } = useFormats()
  const coins = useCoins()
  const returnFee = coins.returnFee(draft.base)
  const worth = total(draft.quantity, draft.price, coins.scale(draft.quote))
  return (
    <>
      <Card>
        <CardTitle>
          <Trans>
            Sell {draft.base} for {draft.quote}
          </Trans>
        </CardTitle>
        <dl>
          <Line label={t({ message: 'Release', context: 'how an ad releases' })}>
            {draft.kind === 'AUTOMATIC' ? <Trans>Automatic</Trans> : <Trans>Manual</Trans>}
          </Line>
          <Line label={t`Unit price`}>
            {amount(draft.price)} {draft.quote}
          </Line>
          <Line label={t`Escrow amount`} strong>
            {amount(draft.quantity)} {draft.base}
          </Line>
          <Line label={t`Total value`}>{worth === null ? '–' : `${amount(worth)} ${draft.quote}`}</Line>
          <Line label={t`Order limits`}>
            {amount(draft.orderMin)} – {amount(draft.orderMax)} {draft.quote}
          </Line>
          <Line label={t`Fee per trade`}>
            <Trans>{percent(pair.feeRate)}, paid by the buyer</Trans>
          </Line>
        </dl>
        {draft.remark === '' ? null : (
          <p className="mt-2 border-line border-t pt-3 text-sm">“{draft.remark}”</p>
        )}
      </Card>
      {online ? null : (
        <Card className="flex items-center justify-between gap-4">
          <span>
            <span className="block font-semibold">
              <Trans>Take orders right away</Trans>
            </span>
            <span className="block text-muted text-sm">
              <Trans>You’re not taking orders. Turn this on to show your ads.</Trans>
            </span>
          </span>
          <Switch on={goOnline} label={t`Take orders right away`} onChange={onGoOnline} />
        </Card>
      )}
      <Notice tone="info" icon={<ShieldCheck size={18} aria-hidden="true" />}>
        <Trans>
          Next, send {amount(draft.quantity)} {draft.base} from your own wallet to your escrow address.
        </Trans>{' '}
        {online || goOnline ? (
          <Trans>Your ad is shown once the deposit is confirmed on-chain.</Trans>
        ) : (
          <Trans>Your ad is shown once the deposit is confirmed on-chain and you’re taking orders.</Trans>
        )}{' '}
        {returnFee === null ? (
          <Trans>Anything you don’t sell can only be returned to your bound address.</Trans>
        ) : (
          <Trans>
            Anything you don’t sell can only be returned to your bound address, minus a network fee of{' '}
            {amount(returnFee)} {draft.base}.
          </Trans>
        )}{' '}
        <Trans>You can’t change these terms later.</Trans>
      </Notice>
    </>
  )
}
