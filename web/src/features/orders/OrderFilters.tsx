import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CalendarDays, Search } from 'lucide-react'
import { useState } from 'react'
import { coinConfig } from '@/api/queries'
import { refusedIn } from '@/command/refusedIn'
import { useFormats } from '@/i18n/format'
import { Button } from '@/ui/Button'
import { ChipSelect } from '@/ui/ChipSelect'
import { TextField } from '@/ui/Field'
import { Sheet } from '@/ui/Sheet'
import { ExportButton } from './ExportButton'
import { type OrderList, showOrders } from './orderList'

/** The length of an ID. Nicknames are shorter. */
const LONGEST_SEARCH = 36

/** What finished orders are looked for, and the file with those that are found. */
export function OrderFilters({ list, error }: { list: OrderList; error: unknown }) {
  const { t } = useLingui()
  const coins = useQuery(coinConfig).data?.coins.filter((one) => one.kind !== 'fiat') ?? []
  return (
    <search aria-label={t`Finished orders`} className="flex flex-wrap items-center gap-2 py-1">
      <label
        className={`flex min-h-11 min-w-0 flex-[1_1_calc(100%-3.5rem)] items-center max-2xs:flex-[1_1_100%] gap-2 rounded-full px-4 text-sm focus-within:outline-2 focus-within:outline-brand sm:flex-[1_1_12rem] ${list.search === '' ? 'bg-sunken' : 'bg-brand-soft'}`}
      >
        <Search size={16} aria-hidden="true" className="shrink-0 text-muted" />
        <input
          type="search"
          value={list.search}
          autoComplete="off"
          maxLength={LONGEST_SEARCH}
          aria-label={t`Nickname or order ID`}
          placeholder={t`Nickname or order ID`}
          onChange={(event) => showOrders({ search: event.target.value })}
          className="min-w-0 flex-1 bg-transparent text-base outline-none"
        />
      </label>
      <ExportButton list={list} />
      <ChipSelect
        label={t`Coin`}
        value={list.coin}
        set={list.coin !== ''}
        options={[['', t`All coins`], ...coins.map((one) => [one.enShort, one.enShort] as const)]}
        onChange={(coin) => showOrders({ coin })}
      />
      <Days list={list} refused={refusedIn(error, ['from', 'to'], {}) !== null} />
    </search>
  )
}

/** The chosen days, and the sheet in which they are chosen. */
function Days({ list: { from, to }, refused }: { list: OrderList; refused: boolean }) {
  const { t } = useLingui()
  const { day } = useFormats()
  const [open, setOpen] = useState(false)
  const shown = (text: string) => (text === '' ? '' : day(`${text}T00:00`))
  const set = from !== '' || to !== ''
  const days = set ? `${shown(from)} – ${shown(to)}`.trim() : ''
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={set ? t`Days: ${days}` : t`Choose days`}
        onClick={() => setOpen(true)}
        className={`inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-full px-3.5 font-medium text-sm ${set ? 'bg-brand-soft text-brand' : 'bg-sunken'}`}
      >
        <CalendarDays size={18} aria-hidden="true" className="shrink-0" />
        {days}
      </button>
      <Sheet open={open} onClose={() => setOpen(false)} title={<Trans>Days</Trans>}>
        <div className="flex flex-col gap-2">
          <TextField
            type="date"
            label={t`First day`}
            value={from}
            max={to}
            onChange={(first) => showOrders({ from: first })}
          />
          <TextField
            type="date"
            label={t`Last day`}
            value={to}
            min={from}
            onChange={(last) => showOrders({ to: last })}
            error={refused ? <Trans>The last day is before the first.</Trans> : null}
            hint={<Trans>Both days are included, in the time zone of this device.</Trans>}
          />
          <Button wide onClick={() => setOpen(false)}>
            <Trans>Show orders</Trans>
          </Button>
          <Button
            tone="quiet"
            wide
            disabled={!set}
            onClick={() => {
              showOrders({ from: '', to: '' })
              setOpen(false)
            }}
          >
            <Trans>All days</Trans>
          </Button>
        </div>
      </Sheet>
    </>
  )
}
