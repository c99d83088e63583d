import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { nftName } from '@/api/nftName'
import type { Pair } from '@/api/types'
import NftLine from '@/components/nft/NftLine'
import { useAlbum } from '@/components/nft/useAlbum'
import { AdvertOptions } from '@/components/trading/AdvertOptions'
import { useMoney } from '@/components/useMoney'
import { Card, CardTitle, Line } from '@/ui/Card'
import type { Draft } from './draft'
import { PrepaidCard } from './PrepaidCard'

/** A summary of an ad for an NFT, and what its seller prepays. */
export function NftTerms({
  draft,
  pair,
  paid,
  refused,
}: {
  draft: Draft
  pair: Pair
  paid: ReactNode
  /** Whether the ad was refused because the seller cannot prepay. */
  refused: boolean
}) {
  const { t } = useLingui()
  const money = useMoney()
  const album = useAlbum(pair.album)
  const name = nftName({ album: album?.name ?? draft.base, nftId: draft.nftId })
  const price = `${money(draft.price, draft.quote)} ${draft.quote}`
  return (
    <>
      <Card>
        <CardTitle>
          <Trans>Sell an NFT for {draft.quote}</Trans>
        </CardTitle>
        {draft.nft === null ? null : <NftLine nft={draft.nft} />}
        <dl className={draft.nft === null ? '' : 'mt-2'}>
          {draft.nft === null ? (
            <Line label={t`NFT`} strong>
              {name}
            </Line>
          ) : null}
          <Line label={t`Price`} strong>
            {price}
          </Line>
          <Line label={t({ message: 'Release', context: 'how an ad releases' })}>
            {draft.kind === 'AUTOMATIC' ? <Trans>Automatic</Trans> : <Trans>Manual</Trans>}
          </Line>
          <Line label={t`You get paid via`}>{paid}</Line>
          <Line label={t`Time to pay`}>
            <Plural value={draft.windowMinutes ?? pair.windowMinutes} one="# minute" other="# minutes" />
          </Line>
        </dl>
        <AdvertOptions of={draft} />
      </Card>
      {album === undefined ? null : (
        <PrepaidCard
          base={draft.base}
          quote={draft.quote}
          payment={`prepayment ${album.classId} ${draft.nftId}`}
          refused={refused}
        />
      )}
    </>
  )
}
