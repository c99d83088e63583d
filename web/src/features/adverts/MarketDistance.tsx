import { Trans, useLingui } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import type { PriceCheck } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { Line, Notice } from '@/ui/Card'
import type { CheckedPrice } from './usePriceCheck'

const without = (distance: string) => distance.replace('-', '')

/** The distance of a price from the market and its place among the offers; a red line if it is far away. */
export function MarketDistance({
  checked: { check, failed },
  quote,
}: {
  checked: CheckedPrice
  quote: string
}) {
  const { t } = useLingui()
  const { amount, count } = useFormats()
  return (
    <>
      <dl>
        <Line label={t`Compared with`}>
          {check === undefined ? (
            failed ? (
              <Trans>can’t be loaded right now</Trans>
            ) : (
              '–'
            )
          ) : check.market === null ? (
            <Trans>no trades or offers yet</Trans>
          ) : (
            <>
              <SourceName of={check.source} /> {amount(check.market)} {quote}
            </>
          )}
        </Line>
        <Line label={t`Distance from it`}>
          <Distance check={check} />
        </Line>
        <Line label={t`Place among the offers`}>
          {check === undefined ? (
            '–'
          ) : (
            <Trans context="place among offers">
              {count(check.rank)} of {count(check.others + 1)}
            </Trans>
          )}
        </Line>
      </dl>
      {check?.far === true ? (
        <div role="alert">
          <Notice tone="danger" icon={<TriangleAlert size={18} aria-hidden="true" />}>
            <FarAway check={check} />
          </Notice>
        </div>
      ) : null}
    </>
  )
}

function SourceName({ of }: { of: PriceCheck['source'] }) {
  switch (of) {
    case 'REFERENCE':
      return <Trans>reference price</Trans>
    case 'LAST_TRADE':
      return <Trans>last trade</Trans>
    case 'ADVERTS':
      return <Trans>other offers</Trans>
    case 'CROSS_RATE':
      return <Trans>rate over other pairs</Trans>
    default:
      return null
  }
}

function Distance({ check }: { check: PriceCheck | undefined }) {
  const { percent } = useFormats()
  if (check?.distance == null) return '–'
  const size = percent(without(check.distance))
  if (/^-?0(\.0+)?$/.test(check.distance)) return size
  return check.distance.startsWith('-') ? <Trans>{size} below</Trans> : <Trans>{size} above</Trans>
}

/** Says how far a price is from the market. */
export function FarAway({ check }: { check: PriceCheck }) {
  const { percent } = useFormats()
  if (check.distance === null) return null
  const size = percent(without(check.distance))
  return check.distance.startsWith('-') ? (
    <Trans>Your price is {size} below the market. Check that you didn’t mistype it.</Trans>
  ) : (
    <Trans>Your price is {size} above the market. Check that you didn’t mistype it.</Trans>
  )
}
