import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Matches } from '@/api/types'
import { AppLink } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { Card } from '@/ui/Card'
import type { HallFilter } from '../hallState'
import { BestMatch } from './BestMatch'
import { Matched } from './Matched'
import { TradeFields } from './TradeFields'
import { TradeHint } from './TradeHint'
import { matchBody, type Trade, tradeAddress } from './trade'

type Start = Pick<HallFilter, 'amount' | 'methods'>

/** Quick trade in the hall: the best ad for an amount of the pair and the side that the hall shows. */
export function HallTrade({ hall: shown, start }: { hall: HallFilter; start: Start }) {
  const { t } = useLingui()
  const [{ amount, methods, unit }, set] = useState<Start & Pick<Trade, 'unit'>>({
    amount: start.amount,
    methods: start.methods,
    unit: 'money',
  })
  const hall = { ...shown, amount, methods }
  const trade: Trade = { hall, unit, advertId: '' }
  return (
    <section aria-label={t`Quick trade`} className="flex flex-col gap-3 pb-3">
      <Card>
        <h2 className="font-semibold max-lg:hidden">
          <Trans>Quick trade</Trans>
        </h2>
        <p className="mb-3 text-muted text-sm">
          <TradeHint hall={hall} />
        </p>
        <div className="grid-cols-2 lg:grid lg:gap-6">
          <TradeFields
            trade={trade}
            onChange={(change) => {
              const next = { ...trade, ...change }
              set({ amount: next.hall.amount, methods: next.hall.methods, unit: next.unit })
            }}
          />
        </div>
      </Card>
      {matchBody(trade) === null ? null : (
        <Matched trade={trade}>{(matches) => <Best trade={trade} matches={matches} />}</Matched>
      )}
    </section>
  )
}

function Best({ trade, matches }: { trade: Trade; matches: Matches }) {
  const best = matches.adverts.find((one) => one.misfits.length === 0)
  return (
    <div>
      {best === undefined ? (
        <p className="px-1 font-semibold">
          <Trans>No ad takes all of this</Trans>
        </p>
      ) : (
        <BestMatch match={best} />
      )}
      <AppLink
        to="/adMatching"
        query={tradeAddress(trade)}
        className={`${buttonClass('quiet', 'small', false)} -ml-4`}
      >
        {best === undefined ? <Trans>Why the ads don’t fit</Trans> : <Trans>Compare all ads</Trans>}
        <ChevronRight size={16} aria-hidden="true" />
      </AppLink>
    </div>
  )
}
