import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ownedNfts } from '@/api/nftQueries'
import type { OwnedNft } from '@/api/nfts'
import { QueryError } from '@/command/QueryError'
import { MoreButton } from '@/components/MoreButton'
import { NftPicture } from '@/components/nft/NftPicture'
import { shorten } from '@/lib/text'
import { Card, CardTitle } from '@/ui/Card'
import { Segments } from '@/ui/Chip'
import { TextField } from '@/ui/Field'
import { Problem } from '@/ui/Problem'
import { Skeleton } from '@/ui/Skeleton'
import { type Draft, editDraft } from './draft'

type Where = 'custody' | 'wallet'

/** The choice of the NFT that an ad sells: one in custody, or the number of one that the user will deposit. */
export function NftChoice({ draft, album, problem }: { draft: Draft; album: string; problem: string }) {
  const { t } = useLingui()
  const list = useInfiniteQuery(ownedNfts(album))
  const found = list.data?.pages.flatMap((page) => page.records)
  const sellable = found?.filter((one) => one.actions.includes('SELL')) ?? []
  const empty = found !== undefined && sellable.length === 0 && !list.hasNextPage
  const [asked, setAsked] = useState<Where | null>(draft.nftId !== '' && draft.nft === null ? 'wallet' : null)
  const where = asked ?? (empty ? 'wallet' : 'custody')
  return (
    <Card className="flex flex-col gap-3">
      <CardTitle>
        <Trans>Which NFT are you selling?</Trans>
      </CardTitle>
      <Segments<Where>
        name="where"
        label={t`Where is the NFT?`}
        value={where}
        onChange={(next) => {
          setAsked(next)
          editDraft({ nftId: '', nft: null })
        }}
        options={[
          { value: 'custody', label: t`In custody` },
          { value: 'wallet', label: t`In my wallet` },
        ]}
      />
      {where === 'wallet' ? (
        <TextField
          label={t`Number of the NFT`}
          value={draft.nft === null ? draft.nftId : ''}
          inputMode="numeric"
          autoComplete="off"
          maxLength={78}
          onChange={(typed) => editDraft({ nftId: typed.replace(/\D/g, ''), nft: null })}
          hint={t`Its token ID in the album. You send the NFT after you create the ad.`}
          error={problem}
        />
      ) : found === undefined ? (
        list.isError ? (
          <QueryError error={list.error} retry={() => void list.refetch()} />
        ) : (
          <Skeleton className="h-40 w-full rounded-2xl" />
        )
      ) : (
        <>
          {sellable.length === 0 ? (
            <p className="text-muted text-sm">
              {list.hasNextPage ? (
                <Trans>None of the NFTs that are listed so far can be offered now.</Trans>
              ) : (
                <Trans>None of your NFTs of this album can be offered now.</Trans>
              )}
            </p>
          ) : (
            <Tiles nfts={sellable} chosen={draft.nftId} />
          )}
          <MoreButton list={list} />
          {problem === '' ? null : <Problem>{problem}</Problem>}
        </>
      )}
    </Card>
  )
}

function Tiles({ nfts, chosen }: { nfts: readonly OwnedNft[]; chosen: string }) {
  const { t } = useLingui()
  return (
    <fieldset className="outline-none" tabIndex={-1}>
      <legend className="sr-only">{t`NFTs in custody`}</legend>
      <div className="grid max-h-[28rem] grid-cols-3 gap-2 overflow-y-auto p-1 max-2xs:grid-cols-2 sm:grid-cols-4">
        {nfts.map((nft) => (
          <label
            key={nft.id}
            className="relative cursor-pointer rounded-2xl border-2 border-line p-1.5 transition-colors has-checked:border-brand has-focus-visible:outline-2 has-focus-visible:outline-brand"
          >
            <input
              type="radio"
              name="nft"
              className="sr-only"
              checked={chosen === nft.nftId}
              onChange={() => editDraft({ nftId: nft.nftId, nft })}
            />
            <span className="block aspect-square overflow-hidden rounded-xl">
              <NftPicture nft={nft} size="small" brief />
            </span>
            <span className="mt-1 block px-0.5 font-medium text-xs leading-snug [overflow-wrap:anywhere]">
              <bdi>{nft.name}</bdi>
            </span>
            <span className="block px-0.5 text-muted text-xs [overflow-wrap:anywhere]">
              #{shorten(nft.nftId)}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
