import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { albumTraits } from '@/api/nftQueries'
import type { AlbumTrait } from '@/api/nfts'
import { QueryError } from '@/command/QueryError'
import { useCoins } from '@/components/useCoins'
import { cleanAmount } from '@/lib/decimal'
import { Problem } from '@/ui/Problem'
import { Skeleton } from '@/ui/Skeleton'
import { TraderFilters } from '../filters/TraderFilters'
import { type HallFilter, INTEGER_DIGITS, isRange, MAX_TRAITS, type Trait } from '../hallState'
import { useTypedAmounts } from '../useTypedAmounts'

type Change = (change: Partial<HallFilter>) => void

/** What narrows the list of NFTs: the range of prices, the advertiser, and the traits of the album. */
export function NftFilters({ hall, onChange }: { hall: HallFilter; onChange: Change }) {
  return (
    <div className="flex flex-col gap-5">
      <Prices hall={hall} onChange={onChange} />
      <TraderFilters hall={hall} onChange={onChange} />
      <Traits hall={hall} onChange={onChange} />
    </div>
  )
}

/** The range of prices, which filters once both bounds make sense and typing has paused. */
function Prices({ hall, onChange }: { hall: HallFilter; onChange: Change }) {
  const { t } = useLingui()
  const decimals = useCoins().scale(hall.quote)
  const { priceMin, priceMax } = hall
  const { typed, type, settle } = useTypedAmounts({ priceMin, priceMax }, (sent) => {
    if (isRange(sent.priceMin, sent.priceMax)) onChange(sent)
  })
  const possible = isRange(typed.priceMin, typed.priceMax)
  const problem = useId()
  const field = (name: 'priceMin' | 'priceMax', label: string) => (
    <label className="flex min-h-12 min-w-0 flex-1 items-center gap-1 rounded-2xl border border-line bg-surface px-3 focus-within:border-brand focus-within:outline-2 focus-within:outline-brand">
      <span className="shrink-0 text-muted text-sm">{label}</span>
      <input
        value={typed[name]}
        inputMode="decimal"
        autoComplete="off"
        enterKeyHint="done"
        aria-invalid={!possible || undefined}
        aria-describedby={possible ? undefined : problem}
        onBlur={settle}
        onChange={(event) =>
          type({ ...typed, [name]: cleanAmount(event.target.value, decimals, INTEGER_DIGITS) })
        }
        className="w-full min-w-0 bg-transparent py-2 text-right font-medium outline-none"
      />
    </label>
  )
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-semibold">
        <Trans>Price in {hall.quote}</Trans>
      </legend>
      <div className="flex gap-2 max-2xs:flex-col">
        {field('priceMin', t({ message: 'From', context: 'price' }))}
        {field('priceMax', t({ message: 'To', context: 'price' }))}
      </div>
      {possible ? null : (
        <Problem id={problem}>
          <Trans>The highest price is below the lowest.</Trans>
        </Problem>
      )}
    </fieldset>
  )
}

function Traits({ hall, onChange }: { hall: HallFilter; onChange: Change }) {
  const traits = useQuery(albumTraits(hall.base, hall.quote))
  return (
    <section>
      <h2 className="mb-1 font-semibold">
        <Trans>Traits</Trans>
      </h2>
      {hall.base === '' ? (
        <p className="text-muted text-sm">
          <Trans>Choose an album to filter by its traits.</Trans>
        </p>
      ) : traits.data === undefined ? (
        traits.isError ? (
          <QueryError error={traits.error} retry={() => void traits.refetch()} />
        ) : (
          <Skeleton className="h-40 w-full rounded-2xl" />
        )
      ) : traits.data.length === 0 ? (
        <p className="text-muted text-sm">
          <Trans>The NFTs for sale have no traits.</Trans>
        </p>
      ) : (
        <>
          {hall.traits.length >= MAX_TRAITS ? (
            <p role="status" className="text-muted text-sm">
              <Trans>You’ve chosen {MAX_TRAITS} values, the maximum. Remove one to choose another.</Trans>
            </p>
          ) : null}
          {traits.data.map((one) => (
            <Values key={`${hall.base} ${one.name}`} of={one} hall={hall} onChange={onChange} />
          ))}
        </>
      )}
    </section>
  )
}

/** The values of a trait, of which an NFT must have one if any are chosen. */
function Values({ of, hall, onChange }: { of: AlbumTrait; hall: HallFilter; onChange: Change }) {
  const { t } = useLingui()
  const is = (value: string) => (one: Trait) => one[0] === of.name && one[1] === value
  const chosen = hall.traits.filter(([name]) => name === of.name).length
  // What is open stays open while values are chosen and removed.
  const [open] = useState(chosen > 0)
  const full = hall.traits.length >= MAX_TRAITS
  const label = of.name === '' ? t`Other` : of.name
  return (
    <details className="group border-line border-b last:border-0" open={open}>
      <summary className="flex min-h-12 cursor-pointer list-none items-center gap-2">
        <span className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">
          <bdi>{label}</bdi>
        </span>
        {chosen === 0 ? null : (
          <span className="grid min-w-5 place-items-center rounded-full bg-brand-fill px-1 text-on-brand text-xs leading-5">
            {chosen}
          </span>
        )}
        <ChevronDown
          size={18}
          aria-hidden="true"
          className="text-muted transition-transform group-open:rotate-180"
        />
      </summary>
      <fieldset className="pb-2">
        <legend className="sr-only">{label}</legend>
        {of.values.map(({ value, count }) => {
          const on = hall.traits.some(is(value))
          return (
            <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3">
              <input
                type="checkbox"
                className="size-5 shrink-0 accent-brand-fill"
                checked={on}
                disabled={full && !on}
                onChange={() =>
                  onChange({
                    traits: on
                      ? hall.traits.filter((one) => !is(value)(one))
                      : [...hall.traits, [of.name, value]],
                  })
                }
              />
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                <bdi>{value}</bdi>
              </span>
              <span className="text-muted text-sm">{count}</span>
            </label>
          )
        })}
        {of.others === 0 ? null : (
          <p className="text-muted text-sm">
            <Plural
              value={of.others}
              one="# rarer value isn’t listed."
              other="# rarer values aren’t listed."
            />
          </p>
        )}
      </fieldset>
    </details>
  )
}
