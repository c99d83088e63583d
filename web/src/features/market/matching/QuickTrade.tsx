import { useLingui } from '@lingui/react/macro'
import { Zap } from 'lucide-react'
import { useCoins } from '@/components/useCoins'
import { useGo } from '@/navigation/navigation'
import { Card } from '@/ui/Card'
import { SelectField } from '@/ui/Field'
import { CoinWish } from '../filters/CoinWish'
import { Matches } from './Matches'
import { TradeFields } from './TradeFields'
import { TradeHint } from './TradeHint'
import { matchBody, type Trade, tradeAddress } from './trade'

/** Asks for an amount, and shows what the best ad makes of it, and why others don't fit. */
export function QuickTrade({ trade }: { trade: Trade }) {
  const { t } = useLingui()
  const go = useGo()
  const { pairs } = useCoins()
  const { hall } = trade
  const change = (next: Partial<Trade>) => go.replace('/adMatching', tradeAddress({ ...trade, ...next }))
  return (
    <div className="flex flex-col gap-4 pt-1">
      <CoinWish hall={hall} onChange={(wish) => change({ hall: { ...hall, wish } })} />
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
        <TradeFields trade={trade} onChange={change} />
      </Card>
      {matchBody(trade) === null ? (
        <p className="flex items-start gap-3 px-1 text-muted">
          <Zap size={20} aria-hidden="true" className="mt-0.5 shrink-0 text-brand" />
          <span className="min-w-0">
            <TradeHint hall={hall} />
          </span>
        </p>
      ) : (
        <Matches trade={trade} />
      )}
    </div>
  )
}
