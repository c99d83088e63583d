import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { albumConfig } from '@/api/nftQueries'
import { NftAverage } from '@/components/nft/NftAverage'
import { useCoins } from '@/components/useCoins'
import { ChipSelect } from './ChipSelect'

/** What narrows the list of NFTs in the hall. */
interface NftFilter {
  base: string
  quote: string
  sort: '' | 'price' | '-price' | 'quantity' | '-quantity'
}

/** The album, the quote and the order of the NFTs in the hall, and what such NFTs cost on average. */
export function NftFilters({
  hall,
  onChange,
}: {
  hall: NftFilter
  onChange: (change: Partial<NftFilter>) => void
}) {
  const { t } = useLingui()
  const { pairs } = useCoins()
  const albums = useQuery(albumConfig).data ?? []
  const traded = pairs.filter((one) => one.album !== null)
  const quotes = traded.filter((one) => one.base === hall.base).map((one) => one.quote)
  const named = Array.from(new Set(traded.map((one) => one.base))).map(
    (base) => [base, albums.find((one) => one.code === base)?.name ?? base] as const,
  )
  const choose = (base: string) => {
    const offered = traded.filter((one) => one.base === base)
    const quote = (offered.find((one) => one.quote === hall.quote) ?? offered[0])?.quote ?? ''
    onChange({ base, quote })
  }
  return (
    <>
      <div className="sticky top-14 z-10 -mx-4 xs:-mx-5 bg-canvas/90 backdrop-blur-xl">
        <div className="flex flex-wrap items-center gap-2 px-4 py-2.5 xs:px-5">
          <ChipSelect label={t`Album`} value={hall.base} set options={named} onChange={choose} />
          <ChipSelect
            label={t`Paid in`}
            value={hall.quote}
            set
            options={quotes.map((one) => [one, one] as const)}
            onChange={(quote) => onChange({ quote })}
          />
          <ChipSelect
            label={t`Sort`}
            value={hall.sort === '-price' ? '-price' : ''}
            set={hall.sort === '-price'}
            options={[
              ['', t`Price, low to high`],
              ['-price', t`Price, high to low`],
            ]}
            onChange={(sort) => onChange({ sort })}
          />
        </div>
      </div>
      <NftAverage base={hall.base} quote={hall.quote} />
    </>
  )
}
