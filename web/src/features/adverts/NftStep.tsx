import { Trans, useLingui } from '@lingui/react/macro'
import { useFormats } from '@/i18n/format'
import { AmountField } from '@/ui/AmountField'
import { Button } from '@/ui/Button'
import { Card } from '@/ui/Card'
import { editDraft } from './draft'
import { MarketDistance } from './MarketDistance'
import { NftChoice } from './NftChoice'
import type { PriceStepProps } from './PriceStep'
import { useFaultLabels } from './useFaultLabels'

/** The step that chooses the NFT and its price. There is no quantity. */
export function NftStep({ draft, pair, wrong, refusal, checked }: PriceStepProps) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const say = useFaultLabels()
  const { lastPrice } = pair
  const bounded = pair.priceMin !== null && pair.priceMax !== null
  return (
    <>
      <NftChoice
        key={draft.base}
        draft={draft}
        album={pair.album ?? ''}
        problem={wrong.nftId === undefined ? (refusal.nftId ?? '') : t`Choose an NFT.`}
      />
      <Card className="flex flex-col gap-3">
        <AmountField
          label={t`Price of the NFT`}
          unit={draft.quote}
          value={draft.price}
          onChange={(price) => editDraft({ price })}
          decimals={pair.priceDecimals}
          integerDigits={12}
          hint={
            bounded
              ? t`Between ${amount(pair.priceMin ?? '')} and ${amount(pair.priceMax ?? '')} ${draft.quote}`
              : t`An order takes the whole NFT at this price.`
          }
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
      </Card>
    </>
  )
}
