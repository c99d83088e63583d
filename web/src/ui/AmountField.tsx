import type { ReactNode } from 'react'
import { cleanAmount } from '@/lib/money'
import { FieldFrame, type FieldFrameProps } from './Field'

export interface AmountFieldProps extends FieldFrameProps {
  value: string
  onChange: (value: string) => void
  /** The asset or currency of the amount. */
  unit: string
  decimals?: number
  integerDigits?: number
  /** A button inside the box, such as Max. */
  action?: ReactNode
  autoFocus?: boolean
  name?: string
}

/** A field with large digits. Truncates, and never rounds, to the decimals of the unit. */
export function AmountField({
  value,
  onChange,
  unit,
  decimals = 8,
  integerDigits = 8,
  action,
  autoFocus,
  name,
  ...frame
}: AmountFieldProps) {
  return (
    <FieldFrame {...frame}>
      {(ids) => (
        <div className="flex min-h-16 flex-wrap items-center gap-x-2 rounded-2xl border border-line bg-surface pr-2 pl-4 transition-colors focus-within:border-brand has-[[aria-invalid]]:border-sell">
          <input
            {...ids}
            name={name}
            value={value}
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="done"
            placeholder="0"
            // biome-ignore lint/a11y/noAutofocus: the one field of a sheet that the person just opened to type into
            autoFocus={autoFocus}
            onChange={(event) => onChange(cleanAmount(event.target.value, decimals, integerDigits))}
            className="min-w-0 flex-[1_1_6rem] bg-transparent py-2 font-semibold text-2xl text-ink outline-none"
          />
          <span className="shrink-0 text-muted">{unit}</span>
          {action}
        </div>
      )}
    </FieldFrame>
  )
}
