import { Trans, useLingui } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import type { NftFacts as Facts } from '@/api/nfts'
import { ChainRow, ChainText } from '@/components/ChainRow'
import { useFormats } from '@/i18n/format'
import { shorten } from '@/lib/text'
import { Card, CardTitle, Line, Notice } from '@/ui/Card'
import { CopyRow } from '@/ui/CopyButton'
import { useAlbum } from './useAlbum'

/** What is known about an NFT: its traits, its creator, its contract, and who holds it. */
export function NftFacts({ nft }: { nft: Facts }) {
  const { t } = useLingui()
  const album = useAlbum(nft.classId)
  return (
    <>
      {nft.metadataChanged ? (
        <Notice tone="warn" icon={<TriangleAlert size={18} aria-hidden="true" />}>
          <Trans>
            The metadata has changed since we first read it. The picture and traits may not be those that
            others have seen before.
          </Trans>
        </Notice>
      ) : null}
      {nft.traits.length === 0 ? null : (
        <Card>
          <CardTitle>
            <Trans>Traits</Trans>
          </CardTitle>
          <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(8rem,100%),1fr))] gap-2">
            {nft.traits.map(({ name, value }) => (
              <div key={`${name} ${value}`} className="rounded-2xl bg-sunken px-3.5 py-2.5">
                <dt className="text-muted text-xs [overflow-wrap:anywhere]">
                  <bdi>{name}</bdi>
                </dt>
                <dd className="font-medium [overflow-wrap:anywhere]">
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </Card>
      )}
      <Card>
        <CardTitle>
          <Trans>Details</Trans>
        </CardTitle>
        <dl>
          <Line label={t`Album`}>
            {nft.album}
            {album === undefined || album.description === '' ? null : (
              <span className="block text-muted text-sm">{album.description}</span>
            )}
          </Line>
          <CopyRow label={t`Number`} value={nft.nftId} shown={shorten(nft.nftId)} />
          {nft.creator === '' ? null : (
            <Line label={t`Creator`}>
              <bdi>{nft.creator}</bdi>
            </Line>
          )}
          {nft.royalty === null ? null : <Royalty royalty={nft.royalty} />}
          <Holder holder={nft.holder} />
          <ChainRow label={t`Contract`} kind="address" value={nft.contract} />
          {album === undefined ? null : <Line label={t`Chain`}>{album.chainName}</Line>}
        </dl>
        {nft.metadataUrl === null ? null : <Metadata address={nft.metadataUrl} />}
      </Card>
    </>
  )
}

/** What the contract claims. It may be anything. */
function Royalty({ royalty }: { royalty: NonNullable<Facts['royalty']> }) {
  const { t } = useLingui()
  const { basisPoints } = useFormats()
  const share = basisPoints(royalty.basisPoints)
  return (
    <Line label={t`Royalty`}>
      <Trans>
        {share} to <ChainText kind="address" value={royalty.receiver} />
      </Trans>
      <span className="block text-muted text-sm">
        <Trans>Stated by the contract. MEC2C doesn’t collect it.</Trans>
      </span>
    </Line>
  )
}

function Holder({ holder }: { holder: Facts['holder'] }) {
  const { t } = useLingui()
  if (holder === null) return null
  if (holder.burned)
    return (
      <Line label={t`Holder`}>
        <span className="text-sell">
          <Trans>Burned: no one can hold it any more</Trans>
        </span>
      </Line>
    )
  const label = holder.custody ? t`Holder, in on-chain custody of MEC2C` : t`Holder`
  return <ChainRow label={label} kind="address" value={holder.address} />
}

/** An address that a stranger chose. It is neither a link nor fetched, because it may lead anywhere. */
function Metadata({ address }: { address: string }) {
  const { t } = useLingui()
  return (
    <div className="mt-1 border-line border-t pt-2">
      <dl>
        <CopyRow label={t`Metadata address`} value={address} />
      </dl>
      <p className="text-muted text-sm leading-relaxed">
        <Trans>
          The creator chose this address, and we don’t check it. If you open it, don’t enter a password or
          connect your wallet there.
        </Trans>
      </p>
    </div>
  )
}
