import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowLeftRight } from 'lucide-react'
import { useCoins } from '@/components/useCoins'
import { AmountField } from '@/ui/AmountField'
import { MethodsField } from '../filters/MethodsField'
import { useFilterOptions } from '../filters/useFilterOptions'
import { type HallFilter, INTEGER_DIGITS } from '../hallState'
import type { Trade } from './trade'
import { useTypedAmount } from './useTypedAmount'

/** How much of the pair to trade, and with which payment methods. */
export function TradeFields({
  trade,
  onChange: change,
}: {
  trade: Trade
  onChange: (change: Partial<Trade>) => void
}) {
  const { t } = useLingui()
  const { scale } = useCoins()
  const { hall, unit } = trade
  const { methods } = useFilterOptions(hall)
  const filter = (some: Partial<HallFilter>) => change({ hall: { ...hall, ...some } })
  const [typed, type] = useTypedAmount(hall.amount, (amount) => filter({ amount }))
  const buying = hall.wish === 'BUY'
  const money = unit === 'money'
  const coin = money ? hall.quote : hall.base
  return (
    <>
      <AmountField
        label={
          money
            ? buying
              ? t`You pay`
              : t`You receive`
            : buying
              ? t({ message: 'You buy', context: 'field' })
              : t({ message: 'You sell', context: 'field' })
        }
        value={typed}
        onChange={type}
        unit={coin}
        decimals={scale(coin)}
        integerDigits={INTEGER_DIGITS}
        aside={
          <button
            type="button"
            className="-my-2 flex min-h-11 items-center gap-1.5 font-medium text-brand"
            onClick={() => change({ unit: money ? 'quantity' : 'money', hall: { ...hall, amount: '' } })}
          >
            <ArrowLeftRight size={15} aria-hidden="true" />
            {money ? <Trans>In {hall.base}</Trans> : <Trans>In {hall.quote}</Trans>}
          </button>
        }
      />
      {methods.length === 0 ? null : (
        <MethodsField
          options={methods}
          chosen={hall.methods}
          onChange={(chosen) => filter({ methods: chosen })}
        />
      )}
    </>
  )
}
