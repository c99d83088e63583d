import { Trans } from '@lingui/react/macro'
import { BadgeCheck, Bot } from 'lucide-react'
import { nftName } from '@/api/nftName'
import type { HallAdvert } from '@/api/types'
import { RequirementsPill } from '@/components/RequirementsPill'
import { useMoney } from '@/components/useMoney'
import { AppLink } from '@/navigation/navigation'
import { Pill } from '@/ui/Badge'
import { Skeleton } from '@/ui/Skeleton'
import { NftPicture } from './NftPicture'

/** An ad for an NFT in the hall: its picture, price, album and number, and its seller. */
export function NftCard({ advert }: { advert: HallAdvert }) {
  const money = useMoney()
  const nft = advert.nft
  if (nft === null) return null
  const { nickname, certified } = advert.advertiser
  return (
    <li className="min-w-0">
      <AppLink
        to="/nft/purchaseOrder"
        query={{ adId: advert.id }}
        className="group flex h-full flex-col rounded-2xl bg-surface p-2 pb-3 transition-colors hover:bg-sunken"
      >
        <span className="relative block aspect-square overflow-hidden rounded-xl">
          <NftPicture nft={nft} size="small" />
          {advert.mine ? (
            <span className="absolute top-2 left-2">
              <Pill>
                <Trans>Your ad</Trans>
              </Pill>
            </span>
          ) : null}
        </span>
        <span className="mt-2 flex flex-wrap items-baseline gap-x-1.5 px-1">
          <span className="font-semibold text-lg leading-tight tracking-tight [overflow-wrap:anywhere]">
            {money(advert.price, advert.quote)}
          </span>{' '}
          <span className="text-muted text-sm">{advert.quote}</span>
        </span>{' '}
        <span className="mt-0.5 px-1 line-clamp-2 font-medium text-sm leading-snug [overflow-wrap:anywhere]">
          <bdi>{nft.name ?? nftName(nft)}</bdi>
        </span>{' '}
        <span className="px-1 text-muted text-xs leading-relaxed [overflow-wrap:anywhere]">
          {nftName(nft)}
        </span>{' '}
        <span className="px-1 empty:hidden">
          <RequirementsPill of={advert} />
        </span>
        <span className="mt-auto flex flex-wrap items-center gap-x-1 px-1 pt-1 text-muted text-xs">
          <span className="min-w-0 [overflow-wrap:anywhere]">{nickname}</span>
          {certified ? <BadgeCheck size={14} className="text-brand" aria-hidden="true" /> : null}
          {certified ? (
            <span className="sr-only">
              <Trans>Certified trader</Trans>
            </span>
          ) : null}
          {advert.kind === 'AUTOMATIC' ? (
            <span className="ml-auto inline-flex items-center gap-1 text-brand">
              <Bot size={13} aria-hidden="true" />
              <Trans context="how an ad releases">Automatic</Trans>
            </span>
          ) : null}
        </span>
      </AppLink>
    </li>
  )
}

/** A placeholder as tall as a card, so that the layout does not shift. */
export function NftCardSkeleton() {
  return (
    <li className="rounded-2xl bg-surface p-2 pb-3">
      <Skeleton className="aspect-square w-full rounded-xl" />
      <Skeleton className="mx-1 mt-3 h-5 w-20" />
      <Skeleton className="mx-1 mt-2 h-4 w-28" />
      <Skeleton className="mx-1 mt-2 h-3 w-24" />
    </li>
  )
}
