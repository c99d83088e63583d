import { cleanAmount } from '@/lib/decimal'
import { INTEGER_DIGITS } from './hallState'
import { useTypedAmounts } from './useTypedAmounts'

/** An amount that filters the list: the total to trade, which also prefills the order form. */
export function AmountChip({
  label,
  amount,
  unit,
  decimals,
  onChange,
}: {
  label: string
  amount: string
  unit: string
  decimals: number
  onChange: (amount: string) => void
}) {
  const { typed, type, settle } = useTypedAmounts({ amount }, (sent) => onChange(sent.amount))
  return (
    <label
      className={`flex min-h-11 min-w-0 items-center gap-2 rounded-full px-4 text-sm focus-within:outline-2 focus-within:outline-brand max-sm:flex-1 ${typed.amount === '' ? 'bg-sunken' : 'bg-brand-soft'}`}
    >
      <input
        value={typed.amount}
        inputMode="decimal"
        autoComplete="off"
        aria-label={label}
        placeholder={label}
        onChange={(event) => type({ amount: cleanAmount(event.target.value, decimals, INTEGER_DIGITS) })}
        onBlur={settle}
        className="field-sizing-content min-w-14 max-w-[min(11rem,60vw)] bg-transparent font-medium outline-none max-sm:flex-1"
      />
      <span className={`text-muted ${typed.amount === '' ? 'max-xs:hidden' : ''}`}>{unit}</span>
    </label>
  )
}
