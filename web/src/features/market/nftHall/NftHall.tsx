import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { albumConfig } from '@/api/nftQueries'
import { NftAverage } from '@/components/nft/NftAverage'
import { useCoins } from '@/components/useCoins'
import { Button } from '@/ui/Button'
import { ChipSelect } from '@/ui/ChipSelect'
import { Sheet } from '@/ui/Sheet'
import { useMedia } from '@/ui/useMedia'
import { SavedChip } from '../filters/SavedChip'
import { HallCount } from '../HallCount'
import { type HallFilter, type Sort, unfiltered } from '../hallState'
import { NftChips } from './NftChips'
import { NftFilters } from './NftFilters'

/** Has room for the filters beside the list: the breakpoint `lg`. */
const WIDE = matchMedia('(min-width: 64rem)')

type Change = (change: Partial<HallFilter>) => void

/**
 * The hall's NFTs: what narrows the list, beside it on a wide screen and in a sheet on a phone, what is in effect, the average
 * price, and the list itself.
 */
export function NftHall({
  hall,
  total,
  old,
  onChange,
  children,
}: {
  hall: HallFilter
  /** The length of the list; undefined without an answer of the server. */
  total: number | undefined
  /** Whether the list is that of the previous filters. */
  old: boolean
  onChange: Change
  children: ReactNode
}) {
  const { t } = useLingui()
  const wide = useMedia(WIDE)
  const [open, setOpen] = useState(false)
  const { priceMin, priceMax, traits, methods, region, certified, fast, requirementsMet } = hall
  const set = [
    priceMin !== '' || priceMax !== '',
    traits.length > 0,
    methods.length > 0,
    region !== '',
    certified,
    fast,
    requirementsMet,
  ]
  const count = set.filter(Boolean).length
  return (
    <div className="lg:relative lg:left-1/2 lg:grid lg:w-[min(66rem,calc(100vw-4rem))] lg:-translate-x-1/2 lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-8">
      {wide ? (
        <aside
          aria-label={t`Filters`}
          className="sticky top-14 max-h-[calc(100dvh-3.5rem)] self-start overflow-y-auto py-4"
        >
          <NftFilters hall={hall} onChange={onChange} />
        </aside>
      ) : null}
      <div className="min-w-0">
        <div className="short:static sticky top-14 z-10 -mx-4 xs:-mx-5 bg-canvas/90 backdrop-blur-xl lg:mx-0">
          <div className="flex flex-wrap items-center gap-2 px-4 py-2.5 xs:px-5 lg:px-0">
            <Choices hall={hall} onChange={onChange}>
              <button
                type="button"
                aria-label={count === 0 ? t`Filters` : t`Filters, ${count} in effect`}
                onClick={() => setOpen(true)}
                className={`inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full px-3.5 font-medium text-sm lg:hidden ${count === 0 ? 'bg-sunken' : 'bg-brand-soft text-brand'}`}
              >
                <SlidersHorizontal size={18} aria-hidden="true" />
                {count === 0 ? null : count}
              </button>
            </Choices>
            <SavedChip hall={hall} onChange={onChange} />
          </div>
        </div>
        <NftChips hall={hall} onChange={onChange} onClear={() => onChange(unfiltered(hall))} />
        <NftAverage base={hall.base} quote={hall.quote} />
        {children}
      </div>
      <Sheet
        open={open && !wide}
        onClose={() => setOpen(false)}
        title={<Trans>Filters</Trans>}
        footer={
          <Button wide onClick={() => setOpen(false)}>
            <HallCount total={total} old={old} text={countText} />
          </Button>
        }
      >
        <NftFilters hall={hall} onChange={onChange} />
      </Sheet>
    </div>
  )
}

/** The album, the quote and the order of the list. The children stay beside the last choice when the row wraps. */
function Choices({ hall, onChange, children }: { hall: HallFilter; onChange: Change; children: ReactNode }) {
  const { t } = useLingui()
  const { pairs } = useCoins()
  const albums = useQuery(albumConfig).data ?? []
  const traded = pairs.filter((one) => one.album !== null)
  const named = Array.from(new Set(traded.map((one) => one.base))).map(
    (base) => [base, albums.find((one) => one.code === base)?.name ?? base] as const,
  )
  const quotes = Array.from(
    new Set(traded.filter((one) => hall.base === '' || one.base === hall.base).map((one) => one.quote)),
  )
  const choose = (base: string) => {
    const offered = traded.filter((one) => one.base === base)
    const kept = base === '' || offered.some((one) => one.quote === hall.quote)
    const prices = kept ? {} : { quote: offered[0]?.quote ?? hall.quote, priceMin: '', priceMax: '' }
    onChange({ base, traits: [], ...prices })
  }
  return (
    <>
      <ChipSelect
        label={t`Album`}
        value={hall.base}
        set={hall.base !== ''}
        options={[['', t`All albums`], ...named]}
        onChange={choose}
      />
      {quotes.length < 2 ? null : (
        <ChipSelect
          label={t`Paid in`}
          value={hall.quote}
          set
          options={quotes.map((one) => [one, one] as const)}
          onChange={(quote) => onChange({ quote, priceMin: '', priceMax: '' })}
        />
      )}
      <span className="inline-flex max-w-full shrink-0 flex-wrap items-center gap-2">
        <ChipSelect<Sort | ''>
          label={t`Sort`}
          value={hall.sort === '-price' || hall.sort === 'newest' ? hall.sort : ''}
          set={hall.sort !== '' && hall.sort !== 'price'}
          options={[
            ['', t`Price, low to high`],
            ['-price', t`Price, high to low`],
            ['newest', t`Newest first`],
          ]}
          onChange={(sort) => onChange({ sort })}
        />
        {children}
      </span>
    </>
  )
}

function countText(total: number | undefined) {
  if (total === undefined) return <Trans>Show NFTs</Trans>
  return <Plural value={total} _0="No matching NFTs" one="Show # NFT" other="Show # NFTs" />
}
