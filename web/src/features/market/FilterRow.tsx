import { Trans, useLingui } from '@lingui/react/macro'
import { SlidersHorizontal } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useCoins } from '@/components/useCoins'
import { loadCatalog } from '@/i18n/catalogs'
import { AppLink } from '@/navigation/navigation'
import { ChipSelect } from '@/ui/ChipSelect'
import { loadable } from '@/ui/loadable'
import { useMedia } from '@/ui/useMedia'
import { AmountChip } from './AmountChip'
import type More from './filters/MoreFilters'
import { countHidden, type HallFilter, hallAddress } from './hallState'

/** Has room for all filters. */
const WIDE = matchMedia('(min-width: 40rem)')

/** Not fetched by phones. Without its code, the filters are at `/filters`. */
const MoreFilters = loadable<ComponentProps<typeof More>>(
  async () => {
    const [more] = await Promise.all([import('./filters/MoreFilters'), loadCatalog('filters')])
    return more
  },
  ({ hall }) => <FiltersLink hall={hall} />,
  // As wide as two rows, so that the list below does not move.
  <span aria-hidden="true" className="h-24 w-1/2" />,
)

/** The pair, the amount, and the other filters or the way to them. */
export function FilterRow({
  hall,
  onChange: change,
}: {
  hall: HallFilter
  onChange: (change: Partial<HallFilter>) => void
}) {
  const { t } = useLingui()
  const { pairs, scale } = useCoins()
  const coins = pairs.filter((one) => one.album === null)
  const wide = useMedia(WIDE)
  return (
    <div className="short:static sticky top-14 z-10 -mx-4 xs:-mx-5 bg-canvas/90 backdrop-blur-xl xl:mx-0 xl:self-start">
      <div className="flex flex-wrap items-center gap-2 px-4 py-2.5 xs:px-5 xl:flex-col xl:items-stretch xl:px-0">
        <ChipSelect
          label={t`Pair`}
          value={`${hall.base}/${hall.quote}`}
          set
          options={coins.map((one) => [`${one.base}/${one.quote}`, `${one.base} / ${one.quote}`])}
          onChange={(value) => {
            const [base = '', quote = ''] = value.split('/')
            change({ base, quote, methods: [], amount: '' })
          }}
        />
        <AmountChip
          label={t`Amount`}
          amount={hall.amount}
          unit={hall.quote}
          decimals={scale(hall.quote)}
          onChange={(amount) => change({ amount })}
        />
        {wide ? <MoreFilters hall={hall} onChange={change} /> : <FiltersLink hall={hall} />}
      </div>
    </div>
  )
}

function FiltersLink({ hall }: { hall: HallFilter }) {
  const { t } = useLingui()
  const count = countHidden(hall)
  return (
    <AppLink
      to="/filters"
      query={hallAddress(hall)}
      label={count === 0 ? t`Filters` : t`Filters, ${count} in effect`}
      className={`inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full px-3.5 font-medium text-sm ${count === 0 ? 'bg-sunken' : 'bg-brand-soft text-brand'}`}
    >
      <SlidersHorizontal size={18} aria-hidden="true" />
      <span className="max-sm:sr-only">
        <Trans>Filters</Trans>
      </span>
      {count === 0 ? null : (
        <span className="grid min-w-5 place-items-center rounded-full bg-brand-fill px-1 text-on-brand text-xs leading-5">
          {count}
        </span>
      )}
    </AppLink>
  )
}
