import { Trans, useLingui } from '@lingui/react/macro'
import type { Prepaid } from '@/api/nfts'
import { useFormats } from '@/i18n/format'
import { add } from '@/lib/money'
import { Card, CardTitle, Line } from '@/ui/Card'

/** What the seller of an NFT prepays, and what becomes of it. */
export function PrepaidCard({ prepaid: { coin, fee, gas } }: { prepaid: Prepaid }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const whole = add(fee, gas) ?? fee
  return (
    <Card>
      <CardTitle>
        <Trans>You prepay in {coin}</Trans>
      </CardTitle>
      <dl>
        <Line label={t`Fee for the sale`}>
          {amount(fee)} {coin}
        </Line>
        <Line label={t`Network fee`}>
          {amount(gas)} {coin}
        </Line>
        <Line label={t`Together`} strong>
          {amount(whole)} {coin}
        </Line>
      </dl>
      <p className="mt-1 text-muted text-sm leading-relaxed">
        <Trans>
          An NFT can’t be split, so its fee is paid in {coin} and in advance. The network fee pays for the
          transaction that ends the ad: to the buyer, or back to you. The fee for the sale is only kept if the
          NFT is sold.
        </Trans>
      </p>
    </Card>
  )
}
