import { useQuery } from '@tanstack/react-query'
import { coinConfig } from '@/api/queries'
import { QueryError } from '@/command/QueryError'
import { useCoins } from '@/components/useCoins'
import { useCurrentHref } from '@/navigation/navigation'
import { Skeleton } from '@/ui/Skeleton'
import { useHall } from './hallState'
import { QuickTrade } from './matching/QuickTrade'
import { readTrade, settledTrade } from './matching/trade'

/** Quick trade: the best ad for an amount, and why others don't fit. Its address keeps what is wanted. */
export default function MatchingPage() {
  const { pairs } = useCoins()
  const config = useQuery(coinConfig)
  const trade = settledTrade(readTrade(useCurrentHref(), useHall()), pairs)
  if (trade !== null) return <QuickTrade key={`${trade.hall.base}/${trade.hall.quote}`} trade={trade} />
  if (config.isError) return <QueryError error={config.error} retry={() => void config.refetch()} />
  return (
    <div className="flex flex-col gap-4 pt-3">
      <Skeleton className="h-12 w-full rounded-2xl" />
      <Skeleton className="h-40 w-full rounded-3xl" />
      <Skeleton className="h-56 w-full rounded-3xl" />
    </div>
  )
}
