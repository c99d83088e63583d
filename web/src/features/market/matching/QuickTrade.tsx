import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowLeftRight, Zap } from 'lucide-react'
import { useCoins } from '@/components/useCoins'
import { useGo } from '@/navigation/navigation'
import { AmountField } from '@/ui/AmountField'
import { Card } from '@/ui/Card'
import { SelectField } from '@/ui/Field'
import { CoinWish } from '../filters/CoinWish'
import { MethodsField } from '../filters/MethodsField'
import { useFilterOptions } from '../filters/useFilterOptions'
import { type HallFilter, INTEGER_DIGITS } from '../hallState'
import { Matches } from './Matches'
import { matchBody, type Trade, tradeAddress } from './trade'
import { useTypedAmount } from './useTypedAmount'

/** Asks for an amount, and shows what the best ad makes of it. */
export function QuickTrade({ trade }: { trade: Trade }) {
  const { t } = useLingui()
  const go = useGo()
  const { pairs, scale } = useCoins()
  const { hall, unit } = trade
  const { methods } = useFilterOptions(hall)
  const change = (next: Partial<Trade>) => go.replace('/adMatching', tradeAddress({ ...trade, ...next }))
  const filter = (some: Partial<HallFilter>) => change({ hall: { ...hall, ...some } })
  const [typed, type] = useTypedAmount(hall.amount, (amount) => filter({ amount }))
  const buying = hall.wish === 'BUY'
  const money = unit === 'money'
  const coin = money ? hall.quote : hall.base
  return (
    <div className="flex flex-col gap-4 pt-1">
      <CoinWish hall={hall} onChange={(wish) => filter({ wish })} />
      <Card>
        <SelectField
          label={t`Pair`}
          value={`${hall.base}/${hall.quote}`}
          options={pairs
            .filter((one) => one.album === null)
            .map((one) => ({ value: `${one.base}/${one.quote}`, label: `${one.base} / ${one.quote}` }))}
          onChange={(value) => {
            const [base = '', quote = ''] = value.split('/')
            change({ hall: { ...hall, base, quote, methods: [], amount: '' }, advertId: '' })
          }}
        />
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
      </Card>
      {matchBody(trade) === null ? (
        <p className="flex items-start gap-3 px-1 text-muted">
          <Zap size={20} aria-hidden="true" className="mt-0.5 shrink-0 text-brand" />
          <span className="min-w-0">
            {buying ? (
              <Trans>Enter an amount, and see the ad that gives you the most {hall.base} for it.</Trans>
            ) : (
              <Trans>Enter an amount, and see the ad that gives you the most {hall.quote} for it.</Trans>
            )}
          </span>
        </p>
      ) : (
        <Matches trade={trade} />
      )}
    </div>
  )
}
