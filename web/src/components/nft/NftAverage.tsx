import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { nftAverage } from '@/api/nftQueries'
import { useMoney } from '@/components/useMoney'
import { Skeleton } from '@/ui/Skeleton'

/** The average price of NFTs in the last 24 hours: of those of an album, or of all. */
export function NftAverage({ base, quote }: { base: string; quote: string }) {
  const { t } = useLingui()
  const money = useMoney()
  const { data, isError } = useQuery(nftAverage(base, quote))
  return (
    <section aria-label={t`Market`} className="flex min-h-11 flex-wrap items-center gap-x-2.5 gap-y-1">
      <span className="text-muted text-sm">
        <Trans>NFT average price, 24h</Trans>
      </span>
      {data === undefined ? (
        isError ? null : (
          <Skeleton className="h-5 w-36" />
        )
      ) : data === null ? (
        <span className="text-sm">
          <Trans>No trades in the last 24 hours</Trans>
        </span>
      ) : (
        <span className="font-semibold">
          {money(data, quote)} <span className="font-normal text-muted text-sm">{quote}</span>
        </span>
      )}
    </section>
  )
}
