import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { read } from '@/api/createApi'
import { navigate } from '@/navigation/location'
import { CallLine } from './CallLine'
import { api } from './client'
import { Loaded } from './Page'
import { Group } from './PayoutGroup'
import { ConsoleLink, hrefTo, usePlace } from './routing'
import { SearchField } from './SearchField'
import type { UnlistedNft } from './types'

/** Finds NFTs of unknown collections in vaults by the transaction that sent them, and says how to return them. */
export function UnlistedNfts() {
  const { t } = useLingui()
  const transaction = usePlace().query.get('transaction') ?? ''
  const found = useQuery({
    queryKey: ['unlisted NFTs', transaction],
    queryFn: () => read(api.GET('/console/unlisted-nfts', { params: { query: { transaction } } })),
    enabled: transaction !== '',
  })
  return (
    <Group
      title={<Trans>NFTs of unknown collections</Trans>}
      text={
        <Trans>
          An NFT of a collection that isn’t configured is not credited to anyone. Find it by the transaction
          that sent it to a vault, and return it with the Escrow’s administrator key.
        </Trans>
      }
    >
      <SearchField
        key={transaction}
        label={t`Transaction`}
        hint={t`0x and 64 hexadecimal digits`}
        asked={transaction}
        search={(text) => {
          // What was not final before may be now.
          if (text === transaction && text !== '') void found.refetch()
          else navigate(hrefTo('/console/payouts', { transaction: text }))
        }}
      />
      {transaction === '' ? null : (
        <Loaded query={found}>
          {(nfts) =>
            nfts.length === 0 ? (
              <p>
                <Trans>
                  There’s nothing to return: the transaction isn’t final, or no NFT of an unknown collection
                  is in the vault to which it was sent.
                </Trans>
              </p>
            ) : (
              nfts.map((nft) => <UnlistedNftCard key={`${nft.collection} ${nft.nftId}`} nft={nft} />)
            )
          }
        </Loaded>
      )}
    </Group>
  )
}

function UnlistedNftCard({ nft }: { nft: UnlistedNft }) {
  const { t } = useLingui()
  return (
    <section className="flex flex-col gap-1 rounded-2xl bg-surface p-5 text-sm">
      <h3 className="break-all font-semibold">
        <Trans>Number {nft.nftId}</Trans>
      </h3>
      <p className="break-all text-muted">
        <Trans>
          Collection {nft.collection}, in the vault{' '}
          <ConsoleLink to={`/console/users/${nft.userId}`}>{nft.vault}</ConsoleLink>. The NFT goes back to{' '}
          {nft.recipient}.
        </Trans>
      </p>
      <CallLine label={t`Contract`} value={nft.to} />
      <CallLine label={t({ message: 'Data', context: 'of a transaction' })} value={nft.data} />
    </section>
  )
}
