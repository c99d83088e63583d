import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { keys, nextPage, pollEvery } from '@/api/queries'
import type { Advert, AdvertGroup } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { MoreRecords } from '@/components/MoreRecords'
import { useFormats } from '@/i18n/format'
import { AppLink, useOwnQueryParam } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { Segments } from '@/ui/Chip'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { DESKTOP, useMedia } from '@/ui/useMedia'
import { AdvertBeside } from './AdvertBeside'
import { AdvertRow } from './AdvertRow'
import { AdvertTable } from './AdvertTable'
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

/** Ads: as a list, or on a desktop as a table that keeps its selection in the address. */
function Adverts({ adverts }: { adverts: readonly Advert[] }) {
  const { t } = useLingui()
  const selected = useOwnQueryParam('/myAdvert', 'id')
  const wide = useMedia(DESKTOP)
  if (wide) return <AdvertTable adverts={adverts} selected={selected} />
  return (
    <ul aria-label={t`My ads`} className="flex flex-col gap-3">
      {adverts.map((advert) => (
        <li key={advert.id}>
          <AdvertRow advert={advert} />
        </li>
      ))}
    </ul>
  )
}

/** The ads of a group, newest first. */
function AdvertList({ group }: { group: AdvertGroup }) {
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
        <Adverts adverts={adverts} />
      )}
      <MoreRecords list={list} />
    </>
  )
}

/** The user's ads, and on a desktop the selected one beside them. */
export default function MyAdvertPage() {
  const id = useOwnQueryParam('/myAdvert', 'id')
  const wide = useMedia(DESKTOP)
  return (
    <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_clamp(20rem,30%,24rem)] lg:gap-6">
      <Groups />
      {wide ? <AdvertBeside id={id} /> : null}
    </div>
  )
}

/** The user's ads by group, and the switch that takes all of them online or offline. */
function Groups() {
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
