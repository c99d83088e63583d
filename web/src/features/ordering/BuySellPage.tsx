import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isApiError } from '@/api/envelope'
import { currentUser, hallAdvert } from '@/api/queries'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { useGo, useQueryParam } from '@/navigation/navigation'
import { useSession } from '@/session/session'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { AdvertUnavailable, GONE } from './AdvertUnavailable'
import { OrderForm } from './OrderForm'

export default function BuySellPage() {
  return <PlaceOrder id={useQueryParam('id')} wanted={useQueryParam('amount')} />
}

/** Places an order from one ad. `wanted` is the amount from the hall's filter. */
export function PlaceOrder({ id, wanted }: { id: string; wanted: string }) {
  const { t } = useLingui()
  const go = useGo()
  const userId = useSession((state) => state.userId) ?? ''
  const user = useQuery({ ...currentUser(userId), refetchInterval: false })
  const advert = useQuery(hallAdvert(id))
  const isNft = advert.data !== undefined && advert.data.nft !== null
  useEffect(() => {
    // An NFT is bought where it is shown.
    if (isNft) go.replace('/nft/purchaseOrder', { adId: id })
  }, [isNft, id, go])
  if (id === '')
    return <EmptyState title={t`No ad selected`} text={<Trans>Choose an ad in the trading hall.</Trans>} />
  if (isApiError(advert.error) && GONE.has(advert.error.code) && advert.data === undefined) {
    return <AdvertUnavailable error={advert.error} id={id} />
  }
  if (advert.data === undefined || user.data === undefined || isNft) {
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
      <StaleNotice query={advert.isRefetchError ? advert : user} />
      <OrderForm key={advert.data.id} advert={advert.data} user={user.data} wanted={wanted} />
    </>
  )
}
