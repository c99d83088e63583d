import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { isApiError } from '@/api/envelope'
import { every, keys, me } from '@/api/queries'
import { NotRenewed } from '@/command/NotRenewed'
import { QueryError } from '@/command/QueryError'
import { useQueryParam } from '@/navigation/navigation'
import { useSession } from '@/session/session'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { GoneAdvert } from './GoneAdvert'
import { OrderForm } from './OrderForm'

/** It has ended or never was; its owner takes no orders; part of its escrow is missing. */
const GONE = new Set(['5000', '5010', '5044'])

/** Ordering against one ad. */
export default function BuySellPage() {
  const { t } = useLingui()
  const id = useQueryParam('id')
  const wanted = useQueryParam('amount')
  const userId = useSession((state) => state.userId) ?? ''
  const user = useQuery({ ...me(userId), refetchInterval: false })
  const advert = useQuery({
    queryKey: [...keys.hall, 'one', id],
    queryFn: () => read(api.GET('/c2c/advert/hall/{id}', { params: { path: { id } } })),
    refetchInterval: every(10_000),
    enabled: id !== '',
  })
  if (id === '')
    return <EmptyState title={t`No ad selected`} text={<Trans>Choose an ad in the trading hall.</Trans>} />
  if (isApiError(advert.error) && GONE.has(advert.error.code) && advert.data === undefined) {
    return <GoneAdvert error={advert.error} />
  }
  if (advert.data === undefined || user.data === undefined) {
    if (advert.isError || user.isError) {
      return (
        <QueryError
          error={advert.error ?? user.error}
          retry={() => {
            void advert.refetch()
            void user.refetch()
          }}
        />
      )
    }
    return (
      <div className="flex flex-col gap-4 pt-3">
        <Skeleton className="h-8 w-52" />
        <Skeleton className="h-44 w-full rounded-3xl" />
        <Skeleton className="h-36 w-full rounded-3xl" />
      </div>
    )
  }
  return (
    <>
      <NotRenewed query={advert.isRefetchError ? advert : user} />
      <OrderForm key={advert.data.id} advert={advert.data} user={user.data} wanted={wanted} />
    </>
  )
}
