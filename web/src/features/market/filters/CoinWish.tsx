import { useLingui } from '@lingui/react/macro'
import { Segments } from '@/ui/Chip'
import type { HallFilter } from '../hallState'

/** Whether the user buys or sells the base of the pair. */
export function CoinWish({
  hall,
  onChange,
}: {
  hall: HallFilter
  onChange: (wish: HallFilter['wish']) => void
}) {
  const { t } = useLingui()
  return (
    <Segments<HallFilter['wish']>
      name="wish"
      label={t`What do you want to do?`}
      value={hall.wish}
      onChange={onChange}
      tone={{ BUY: 'text-brand', SELL: 'text-sell' }}
      options={[
        { value: 'BUY', label: t`Buy ${hall.base}` },
        { value: 'SELL', label: t`Sell ${hall.base}` },
      ]}
    />
  )
}
