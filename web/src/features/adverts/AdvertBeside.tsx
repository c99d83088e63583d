import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ownAdvert } from '@/api/queries'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { Beside } from '@/ui/Table'
import { AdvertRow } from './AdvertRow'

/** The selected ad beside the table of ads. */
export function AdvertBeside({ id }: { id: string }) {
  const { t } = useLingui()
  return (
    <Beside label={t`Details of the ad`}>
      {id === '' ? (
        <EmptyState
          title={<Trans>No ad selected</Trans>}
          text={<Trans>Choose one of your ads to see its terms and what you can do with it.</Trans>}
        />
      ) : (
        <Selected id={id} />
      )}
    </Beside>
  )
}

function Selected({ id }: { id: string }) {
  const query = useQuery(ownAdvert(id))
  if (query.data === undefined)
    return query.isError ? (
      <QueryError error={query.error} retry={() => void query.refetch()} />
    ) : (
      <div className="flex flex-col gap-3 py-4">
        <Skeleton className="h-8 w-48" />
        <Skeleton className="h-5 w-36" />
        <Skeleton className="h-64 w-full rounded-2xl" />
      </div>
    )
  return (
    <>
      <StaleNotice query={query} />
      <AdvertRow key={id} advert={query.data} whole />
    </>
  )
}
