import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { keys, nextPage, pollEvery } from '@/api/queries'
import type { AdvertGroup } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { MoreRecords } from '@/components/MoreRecords'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { Segments } from '@/ui/Chip'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { AdvertRow } from './AdvertRow'
import { OnlineSwitch } from './OnlineSwitch'

const GROUPS = ['ONLINE', 'OFFLINE', 'ENDED'] as const satisfies readonly AdvertGroup[]

function RowSkeletons() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-3">
      <Skeleton className="h-36 w-full rounded-3xl" />
      <Skeleton className="h-36 w-full rounded-3xl" />
      <Skeleton className="h-36 w-full rounded-3xl" />
    </div>
  )
}

/** The ads of a group, newest first. */
function AdvertList({ group }: { group: AdvertGroup }) {
  const { t } = useLingui()
  const list = useInfiniteQuery({
    queryKey: [...keys.adverts, 'mine', group],
    queryFn: ({ pageParam }) =>
      read(api.GET('/c2c/advert/pageByUser', { params: { query: { group, page: pageParam, size: 20 } } })),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    refetchInterval: pollEvery(10_000),
  })
  const adverts = list.data?.pages.flatMap((page) => page.records)
  if (adverts === undefined)
    return list.isError ? (
      <QueryError error={list.error} retry={() => void list.refetch()} />
    ) : (
      <RowSkeletons />
    )
  const empty = {
    ONLINE: <Trans>No ad is online</Trans>,
    OFFLINE: <Trans>No ad is offline</Trans>,
    ENDED: <Trans>No ad has ended</Trans>,
  }
  return (
    <>
      <StaleNotice query={list} />
      {adverts.length === 0 ? (
        <EmptyState icon={Megaphone} title={empty[group]} />
      ) : (
        <ul aria-label={t`My ads`} className="flex flex-col gap-3">
          {adverts.map((advert) => (
            <AdvertRow key={advert.id} advert={advert} />
          ))}
        </ul>
      )}
      <MoreRecords list={list} />
    </>
  )
}

/** The user's ads by group, and the switch that takes all of them online or offline. */
export default function MyAdvertPage() {
  const { t } = useLingui()
  const { count } = useFormats()
  const [chosen, setChosen] = useState<AdvertGroup | null>(null)
  const counts = useQuery({
    queryKey: [...keys.adverts, 'groups'],
    queryFn: () => read(api.GET('/c2c/advert/groups')),
    refetchInterval: pollEvery(10_000),
  })
  const known = counts.data
  const many = { ONLINE: known?.online, OFFLINE: known?.offline, ENDED: known?.ended }
  const names = { ONLINE: t`Online`, OFFLINE: t`Offline`, ENDED: t`Ended` }
  // Without a choice, the page follows the ads: one that goes offline stays in sight.
  const group = chosen ?? GROUPS.find((one) => many[one] !== 0) ?? 'ONLINE'
  const none = known !== undefined && GROUPS.every((one) => many[one] === 0)
  return (
    <div className="flex flex-col gap-3 pt-2">
      <OnlineSwitch />
      {none ? (
        <EmptyState
          icon={Megaphone}
          title={<Trans>You have no ads yet</Trans>}
          text={<Trans>Choose what you buy or sell, set your price, and wait for orders.</Trans>}
          action={
            <AppLink to="/publish" className={buttonClass('brand', 'normal', false)}>
              <Trans>Post an ad</Trans>
            </AppLink>
          }
        />
      ) : counts.isError && known === undefined ? (
        <QueryError error={counts.error} retry={() => void counts.refetch()} />
      ) : known === undefined ? (
        <RowSkeletons />
      ) : (
        <>
          <Segments<AdvertGroup>
            name="group"
            label={t`State of the ads`}
            value={group}
            onChange={setChosen}
            options={GROUPS.map((one) => ({ value: one, label: `${names[one]} ${count(many[one] ?? 0)}` }))}
          />
          <AdvertList key={group} group={group} />
        </>
      )}
    </div>
  )
}
