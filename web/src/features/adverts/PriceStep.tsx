import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ownBalance } from '@/api/queries'
import type { Pair } from '@/api/types'
import { escrowedAsset } from '@/components/advertEscrow'
import { useCoins } from '@/components/useCoins'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { compare, total } from '@/lib/money'
import { AmountField } from '@/ui/AmountField'
import { Button } from '@/ui/Button'
import { Card, Line } from '@/ui/Card'
import { type Draft, editDraft, type Fault, type Field } from './draft'
import { MarketDistance } from './MarketDistance'
import { useFaultLabels } from './useFaultLabels'
import type { CheckedPrice } from './usePriceCheck'

export interface StepProps {
  draft: Draft
  pair: Pair
  wrong: Partial<Record<Field, Fault>>
  /** What the server said against a field. */
  refusal: Partial<Record<Field, string>>
}

export interface PriceStepProps extends StepProps {
  checked: CheckedPrice
}

export function PriceStep({ draft, pair, wrong, refusal, checked }: PriceStepProps) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const money = useMoney()
  const say = useFaultLabels()
  const coins = useCoins()
  const balance = useQuery(ownBalance)
  const escrowed = escrowedAsset(draft)
  const temporary = balance.data?.lines.find((line) => line.asset === escrowed)?.temporary
  const { lastPrice } = pair
  const worth = total(draft.quantity, draft.price, coins.scale(draft.quote))
  const bounds =
    pair.priceMin === null || pair.priceMax === null
      ? t`No price limit: there is no reference price for this pair yet.`
      : t`Between ${amount(pair.priceMin)} and ${amount(pair.priceMax)} ${draft.quote}`
  return (
    <Card className="flex flex-col gap-3">
      <AmountField
        label={t`Price per ${draft.base}`}
        unit={draft.quote}
        value={draft.price}
        onChange={(price) => editDraft({ price })}
        decimals={pair.priceDecimals}
        integerDigits={12}
        hint={bounds}
        error={say(wrong.price, draft.quote) || refusal.price}
        action={
          lastPrice === null ? null : (
            <Button tone="quiet" size="small" onClick={() => editDraft({ price: lastPrice })}>
              <Trans>Last</Trans>
            </Button>
          )
        }
      />
      <MarketDistance checked={checked} quote={draft.quote} />
      <AmountField
        label={draft.side === 'SELL' ? t`How much are you selling?` : t`How much do you want to buy?`}
        unit={draft.base}
        value={draft.quantity}
        onChange={(quantity) => editDraft({ quantity })}
        decimals={coins.scale(draft.base)}
        integerDigits={12}
        hint={
          escrowed === null
            ? t`You deposit nothing: you pay the sellers, order by order.`
            : temporary !== undefined && compare(temporary, '0') === 1
              ? t`Your temporary balance is ${amount(temporary)} ${escrowed}.`
              : draft.side === 'SELL'
                ? t`The full amount goes into escrow before your ad is shown.`
                : t`The total cost goes into escrow before your ad is shown.`
        }
        error={say(wrong.quantity, draft.base) || refusal.quantity}
      />
      <dl className="border-line border-t pt-2">
        <Line label={draft.side === 'SELL' ? t`Total value` : t`Total cost`} strong>
          {worth === null ? '–' : `${money(worth, draft.quote)} ${draft.quote}`}
        </Line>
      </dl>
    </Card>
  )
}
