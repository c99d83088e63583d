import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Gem } from 'lucide-react'
import { useState } from 'react'
import { albumConfig, ownedNfts } from '@/api/nftQueries'
import type { OwnedNft } from '@/api/nfts'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { MoreRecords } from '@/components/MoreRecords'
import NftLine from '@/components/nft/NftLine'
import { OwnedActions } from '@/components/nft/OwnedActions'
import { OwnedState } from '@/components/nft/OwnedState'
import { AppLink } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { Chip } from '@/ui/Chip'
import { revealFocused } from '@/ui/revealFocused'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'

/** The user's NFTs in custody, newest first. */
export default function MyNftsPage() {
  const { t } = useLingui()
  const [classId, setClassId] = useState('')
  const albums = useQuery(albumConfig).data ?? []
  const list = useInfiniteQuery(ownedNfts(classId))
  const nfts = list.data?.pages.flatMap((page) => page.records)
  const [total = 0] = list.data?.pages.map((page) => page.total) ?? []
  return (
    <div className="flex flex-col gap-2 pt-2">
      {albums.length < 2 ? null : (
        <div onFocus={revealFocused} className="scroll-row -mx-4 flex gap-2 px-4 py-1 xs:-mx-5 xs:px-5">
          <Chip on={classId === ''} onClick={() => setClassId('')}>
            {t`All`}
          </Chip>
          {albums.map((one) => (
            <Chip key={one.classId} on={classId === one.classId} onClick={() => setClassId(one.classId)}>
              {one.name}
            </Chip>
          ))}
        </div>
      )}
      {nfts === undefined ? (
        list.isError ? (
          <QueryError error={list.error} retry={() => void list.refetch()} />
        ) : (
          <div aria-hidden="true" className="flex flex-col gap-5 py-4">
            {[1, 2, 3, 4].map((key) => (
              <Skeleton key={key} className="h-24 w-full rounded-2xl" />
            ))}
          </div>
        )
      ) : nfts.length === 0 ? (
        <Empty />
      ) : (
        <>
          <StaleNotice query={list} />
          <p className="text-muted text-sm">
            <Plural value={total} one="# NFT in custody" other="# NFTs in custody" />
          </p>
          <ul aria-label={t`My NFTs`}>
            {nfts.map((nft) => (
              <Row key={nft.id} nft={nft} />
            ))}
          </ul>
          <MoreRecords list={list} />
        </>
      )}
    </div>
  )
}

/** Not laid out while it is off the screen, because there may be a thousand rows. */
function Row({ nft }: { nft: OwnedNft }) {
  return (
    <li className="border-line border-b py-3.5 [contain-intrinsic-size:auto_7rem] [content-visibility:auto] last:border-0">
      <AppLink to="/nft/purchaseOrder" query={{ id: nft.id }} className="block">
        <NftLine nft={nft} />
      </AppLink>
      <div className="mt-2 flex min-h-11 flex-wrap items-center justify-between gap-2">
        <OwnedState nft={nft} />
        <span className="ml-auto flex flex-wrap gap-2">
          <OwnedActions nft={nft} />
        </span>
      </div>
    </li>
  )
}

function Empty() {
  return (
    <EmptyState
      icon={Gem}
      title={<Trans>No NFTs in custody</Trans>}
      text={
        <Trans>
          To sell an NFT, post an ad. It’s kept here while you sell it, and you can withdraw it later.
        </Trans>
      }
      action={
        <AppLink to="/publish" query={{ side: 'SELL' }} className={buttonClass('plain', 'normal', false)}>
          <Trans>Post an ad</Trans>
        </AppLink>
      }
    />
  )
}
