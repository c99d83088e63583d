import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Gem } from 'lucide-react'
import { useEffect } from 'react'
import { isApiError } from '@/api/envelope'
import { nftName } from '@/api/nftName'
import { nftById } from '@/api/nftQueries'
import type { NftFacts as Facts } from '@/api/nfts'
import { currentUser, hallAdvert } from '@/api/queries'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { NftFacts } from '@/components/nft/NftFacts'
import { NftHistory } from '@/components/nft/NftHistory'
import { NftPicture } from '@/components/nft/NftPicture'
import { OwnedActions } from '@/components/nft/OwnedActions'
import { OwnedState } from '@/components/nft/OwnedState'
import { useGo, useQueryParam } from '@/navigation/navigation'
import { useSession } from '@/session/session'
import { ActionBar } from '@/ui/ActionBar'
import { Notice } from '@/ui/Card'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { AdvertUnavailable, GONE } from './AdvertUnavailable'
import { NftOrderForm } from './NftOrderForm'

/** An NFT, which its holder may sell or withdraw, and others may buy from the ad that offers it. */
export default function NftPurchasePage() {
  const { t } = useLingui()
  const go = useGo()
  const adId = useQueryParam('adId')
  const asked = useQueryParam('id')
  const user = useQuery({
    ...currentUser(useSession((state) => state.userId) ?? ''),
    refetchInterval: false,
  })
  const linked = useQuery(hallAdvert(adId))
  const isCoin = linked.data?.nft === null
  useEffect(() => {
    // An ad for coins has another screen.
    if (isCoin) go.replace('/buySell', { id: adId })
  }, [isCoin, adId, go])
  const nftId = asked === '' ? linked.data && linked.data.nft?.id : asked
  const query = useQuery(nftById(nftId ?? ''))
  const nft = query.data
  // The NFT knows its ad. An ad that was linked may have ended.
  const offered = nft === undefined || nft.mine !== null ? '' : (nft.advertId ?? '')
  const offer = useQuery(hallAdvert(adId === '' ? offered : ''))
  const advert = adId === '' ? offer : linked
  if (adId === '' && asked === '')
    return (
      <EmptyState
        icon={Gem}
        title={t`No NFT selected`}
        text={<Trans>Choose one in the trading hall.</Trans>}
      />
    )
  if (nft === undefined && isReserved(linked.error))
    return (
      <EmptyState
        icon={Gem}
        title={t`This NFT isn’t for sale right now.`}
        text={<Trans>Choose one in the trading hall.</Trans>}
      />
    )
  if (nft === undefined && isGone(linked.error)) return <AdvertUnavailable error={linked.error} />
  if (isApiError(query.error) && query.error.code === '5031' && nft === undefined)
    return <EmptyState icon={Gem} title={t`This NFT doesn’t exist`} />
  if (nft === undefined || user.data === undefined) {
    const failed = [linked, query, user].find((one) => one.isError)
    return failed === undefined ? (
      <Pending />
    ) : (
      <QueryError
        error={failed.error}
        retry={() => {
          for (const one of [linked, query, user]) if (one.isError) void one.refetch()
        }}
      />
    )
  }
  const taken = isGone(advert.error) || isReserved(advert.error)
  const stale = [...(taken ? [] : [advert]), query, user].find((one) => one.isRefetchError) ?? query
  return (
    <>
      <StaleNotice query={stale} />
      <div className="flex flex-col gap-4 pt-2 lg:grid lg:grid-cols-[minmax(0,1fr)_26rem] lg:items-start lg:gap-8">
        <div className="flex flex-col gap-4">
          <Title nft={nft} />
          {nft.mine === null ? null : <OwnedState nft={nft.mine} />}
          <NftFacts nft={nft} />
          <NftHistory id={nft.id} />
        </div>
        <div className="contents gap-4 lg:sticky lg:top-18 lg:flex lg:flex-col">
          {nft.mine !== null ? (
            nft.mine.actions.length === 0 ? null : (
              <ActionBar>
                <OwnedActions nft={nft.mine} wide />
              </ActionBar>
            )
          ) : advert.data !== undefined && !taken ? (
            <NftOrderForm key={advert.data.id} advert={advert.data} nft={nft} user={user.data} />
          ) : advert.isError && !taken ? (
            <QueryError error={advert.error} retry={() => void advert.refetch()} />
          ) : offered !== '' && !advert.isError ? (
            <Skeleton className="h-60 w-full rounded-3xl" />
          ) : (
            <Notice tone="info">
              <Trans>This NFT isn’t for sale right now.</Trans>
            </Notice>
          )}
        </div>
      </div>
    </>
  )
}

function isGone(error: unknown): boolean {
  return isApiError(error) && GONE.has(error.code)
}

/** Returns whether an order has the NFT, so that the ad has nothing left. */
function isReserved(error: unknown): boolean {
  return isApiError(error) && error.code === '5008'
}

function Title({ nft }: { nft: Facts }) {
  return (
    <>
      <div className="aspect-square w-full overflow-hidden rounded-3xl lg:max-w-[34rem]">
        <NftPicture nft={nft} size="large" />
      </div>
      <div>
        <h2 className="font-bold text-[1.65rem] leading-tight tracking-tight [overflow-wrap:anywhere]">
          <bdi>{nft.name ?? nftName(nft)}</bdi>
        </h2>
        <p className="mt-1 text-muted [overflow-wrap:anywhere]">{nftName(nft)}</p>
        {nft.description === null ? null : (
          <p dir="auto" className="mt-3 whitespace-pre-line leading-relaxed [overflow-wrap:anywhere]">
            {nft.description}
          </p>
        )}
      </div>
    </>
  )
}

function Pending() {
  return (
    <div className="flex flex-col gap-4 pt-2 lg:grid lg:grid-cols-[minmax(0,1fr)_26rem] lg:gap-8">
      <Skeleton className="aspect-square w-full rounded-3xl lg:max-w-[34rem]" />
      <div className="flex flex-col gap-4">
        <Skeleton className="h-8 w-52" />
        <Skeleton className="h-44 w-full rounded-3xl" />
        <Skeleton className="h-36 w-full rounded-3xl" />
      </div>
    </div>
  )
}
