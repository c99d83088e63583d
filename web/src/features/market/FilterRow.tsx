import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, ChevronDown, Zap } from 'lucide-react'
import { useEffect, useState } from 'react'
import { countries } from '@/api/queries'
import { useMethodNames } from '@/components/methodNames'
import { useCoins } from '@/components/useCoins'
import { useLanguageStore } from '@/i18n/catalogs'
import { cleanAmount } from '@/lib/money'
import { Chip } from '@/ui/Chip'
import { filterHall, type Sort, useHall } from './hallState'

const TYPING_MS = 350
/** The number of digits before the decimal point, as in the order form, which receives the amount. */
const INTEGER_DIGITS = 12

/** All filters in one row; each applies at once. */
export function FilterRow() {
  const { t } = useLingui()
  const { method: methodName } = useMethodNames()
  const hall = useHall()
  const coins = useCoins()
  const { data: places = [] } = useQuery(countries)
  const pair = coins.pair(hall.base, hall.quote)
  const tag = useLanguageStore((state) => state.language.tag)
  const names = new Intl.DisplayNames([tag], { type: 'region', fallback: 'none' })
  const regions = Array.from(
    new Map(
      places
        .filter((one) => one.abb2 !== '' && one.code !== 'YU')
        .map((one) => [one.abb2, names.of(one.abb2) ?? one.name]),
    ),
  ).toSorted(([, a], [, b]) => a.localeCompare(b, tag))
  return (
    <div className="sticky top-14 z-10 -mx-4 xs:-mx-5 bg-canvas/90 backdrop-blur-xl">
      <div className="scroll-row flex items-center gap-2 px-4 py-2.5 xs:px-5 sm:flex-wrap sm:overflow-visible">
        <ChipSelect
          label={t`Pair`}
          value={`${hall.base}/${hall.quote}`}
          set
          options={coins.pairs.map((one) => [`${one.base}/${one.quote}`, `${one.base} / ${one.quote}`])}
          onChange={(value) => {
            const [base = '', quote = ''] = value.split('/')
            filterHall({ base, quote, method: '', amount: '' })
          }}
        />
        <AmountChip unit={hall.quote} decimals={coins.scale(hall.quote)} />
        {pair !== undefined && pair.methodTypes.length > 0 ? (
          <ChipSelect
            label={t({ message: 'Payment method', context: 'filter' })}
            value={hall.method}
            set={hall.method !== ''}
            options={[
              ['', t`Any payment method`],
              ...pair.methodTypes.map((type): [string, string] => [type, methodName(type)]),
            ]}
            onChange={(method) => filterHall({ method })}
          />
        ) : null}
        <ChipSelect
          label={t`Region`}
          value={hall.region}
          set={hall.region !== ''}
          options={[['', t`Any region`], ...regions]}
          onChange={(region) => filterHall({ region })}
        />
        <Chip on={hall.certified} onClick={() => filterHall({ certified: !hall.certified })}>
          <BadgeCheck size={17} aria-hidden="true" />
          {t`Certified`}
        </Chip>
        <Chip on={hall.fast} onClick={() => filterHall({ fast: !hall.fast })}>
          <Zap size={16} aria-hidden="true" />
          {t`Fast`}
        </Chip>
        <ChipSelect<Sort | ''>
          label={t`Sort`}
          value={hall.sort}
          set={hall.sort !== ''}
          options={[
            ['', t`Best price first`],
            ['price', t`Price, low to high`],
            ['-price', t`Price, high to low`],
            ['-quantity', t`Quantity, high to low`],
            ['quantity', t`Quantity, low to high`],
          ]}
          onChange={(sort) => filterHall({ sort })}
        />
      </div>
    </div>
  )
}

function ChipSelect<T extends string>({
  label,
  value,
  set,
  options,
  onChange,
}: {
  label: string
  value: T
  set: boolean
  options: readonly (readonly [T, string])[]
  onChange: (value: T) => void
}) {
  return (
    <span
      className={`relative inline-flex shrink-0 items-center rounded-full ${set ? 'bg-brand-soft text-brand' : 'bg-sunken'}`}
    >
      <select
        aria-label={label}
        value={value}
        onChange={(event) => {
          const chosen = options.find(([option]) => option === event.target.value)
          if (chosen !== undefined) onChange(chosen[0])
        }}
        className="field-sizing-content min-h-11 max-w-[min(11rem,80vw)] appearance-none rounded-full bg-transparent pr-8 pl-4 font-medium text-sm"
      >
        {options.map(([option, text]) => (
          <option key={option} value={option} className="bg-raised text-ink">
            {text}
          </option>
        ))}
      </select>
      <ChevronDown size={16} aria-hidden="true" className="pointer-events-none absolute right-3" />
    </span>
  )
}

/** The total to trade: filters the list, and prefills the order form. */
function AmountChip({ unit, decimals }: { unit: string; decimals: number }) {
  const { t } = useLingui()
  const amount = useHall((state) => state.amount)
  const [typed, setTyped] = useState(amount)
  const [known, setKnown] = useState(amount)
  if (known !== amount) {
    setKnown(amount)
    setTyped(amount)
  }
  useEffect(() => {
    if (typed === amount) return
    const timer = setTimeout(() => filterHall({ amount: typed.replace(/\.$/, '') }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, amount])
  return (
    <label
      className={`flex min-h-11 shrink-0 items-center gap-2 rounded-full px-4 text-sm focus-within:outline-2 focus-within:outline-brand ${typed === '' ? 'bg-sunken' : 'bg-brand-soft'}`}
    >
      <input
        value={typed}
        inputMode="decimal"
        autoComplete="off"
        aria-label={t`Amount`}
        placeholder={t`Amount`}
        onChange={(event) => setTyped(cleanAmount(event.target.value, decimals, INTEGER_DIGITS))}
        className="field-sizing-content min-w-[5rem] max-w-[min(11rem,60vw)] bg-transparent font-medium outline-none"
      />
      <span className="text-muted">{unit}</span>
    </label>
  )
}
