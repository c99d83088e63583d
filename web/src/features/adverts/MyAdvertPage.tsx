import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { api, read } from '@/api/client'
import { keys, pollEvery } from '@/api/queries'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { MoreRecords } from '@/components/MoreRecords'
import { AppLink } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { AdvertRow } from './AdvertRow'
import { OnlineSwitch } from './OnlineSwitch'

/** The user's ads, and the switch that takes all of them online or offline. */
export default function MyAdvertPage() {
  const { t } = useLingui()
  const list = useInfiniteQuery({
    queryKey: [...keys.adverts, 'mine'],
    queryFn: ({ pageParam }) =>
      read(api.GET('/c2c/advert/pageByUser', { params: { query: { page: pageParam, size: 20 } } })),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.page * last.size < last.total ? last.page + 1 : undefined),
    refetchInterval: pollEvery(10_000),
  })
  const adverts = list.data?.pages.flatMap((page) => page.records)
  return (
    <div className="flex flex-col gap-3 pt-2">
      <OnlineSwitch />
      {list.isError && adverts === undefined ? (
        <QueryError error={list.error} retry={() => void list.refetch()} />
      ) : adverts === undefined ? (
        <div aria-hidden="true" className="flex flex-col gap-3">
          <Skeleton className="h-44 w-full rounded-3xl" />
          <Skeleton className="h-44 w-full rounded-3xl" />
          <Skeleton className="h-44 w-full rounded-3xl" />
        </div>
      ) : adverts.length === 0 ? (
        <EmptyState
          icon={Megaphone}
          title={<Trans>You have no ads yet</Trans>}
          text={<Trans>Set your price, deposit the coins into escrow, and wait for orders.</Trans>}
          action={
            <AppLink to="/publish" className={buttonClass('brand', 'normal', false)}>
              <Trans>Post an ad</Trans>
            </AppLink>
          }
        />
      ) : (
        <>
          <StaleNotice query={list} />
          <ul aria-label={t`My ads`} className="flex flex-col gap-3">
            {adverts.map((advert) => (
              <AdvertRow key={advert.id} advert={advert} />
            ))}
          </ul>
          <MoreRecords list={list} />
        </>
      )}
    </div>
  )
}
