import { useEffect, useEffectEvent, useState } from 'react'
import { cleanAmount } from '@/lib/money'
import { INTEGER_DIGITS } from './hallState'

const TYPING_MS = 350

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
  const [typed, setTyped] = useState(amount)
  const [known, setKnown] = useState(amount)
  if (known !== amount) {
    setKnown(amount)
    setTyped(amount)
  }
  const changed = useEffectEvent(onChange)
  useEffect(() => {
    if (typed === amount) return
    const timer = setTimeout(() => changed(typed.replace(/\.$/, '')), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, amount])
  return (
    <label
      className={`flex min-h-11 min-w-0 items-center gap-2 rounded-full px-4 text-sm focus-within:outline-2 focus-within:outline-brand max-sm:flex-1 ${typed === '' ? 'bg-sunken' : 'bg-brand-soft'}`}
    >
      <input
        value={typed}
        inputMode="decimal"
        autoComplete="off"
        aria-label={label}
        placeholder={label}
        onChange={(event) => setTyped(cleanAmount(event.target.value, decimals, INTEGER_DIGITS))}
        className="field-sizing-content min-w-[3.5rem] max-w-[min(11rem,60vw)] bg-transparent font-medium outline-none max-sm:flex-1"
      />
      <span className={`text-muted ${typed === '' ? 'max-xs:hidden' : ''}`}>{unit}</span>
    </label>
  )
}
