import { useLingui } from '@lingui/react/macro'
import { type ChangeEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { cleanAmount, hasMinus } from '@/lib/decimal'
import { group, positionAfter, significantBefore, ungroup } from '@/lib/grouping'
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

/** A field with large, grouped digits. Truncates, and never rounds, to the decimals of the unit. */
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
  const { t } = useLingui()
  // What was typed with a minus sign. It is no amount, and without the sign it would be another one.
  const [signed, setSigned] = useState('')
  const input = useRef<HTMLInputElement>(null)
  // How many digits and dots the caret has before it; null if the last change was not typed.
  const caret = useRef<number | null>(null)
  const negative = signed !== '' && value === ''
  const shown = negative ? signed : group(value)
  useLayoutEffect(() => {
    // A new value moves the caret to the end.
    if (caret.current === null) return
    const at = positionAfter(shown, caret.current)
    caret.current = null
    input.current?.setSelectionRange(at, at)
  })
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const { value: typed, selectionStart } = event.target
    const before = significantBefore(typed, selectionStart ?? typed.length)
    const minus = hasMinus(typed)
    setSigned(minus ? typed : '')
    if (minus) return onChange('')
    const pasted = ungroup(typed)
    let next = cleanAmount(pasted, decimals, integerDigits)
    const forward =
      event.nativeEvent instanceof InputEvent && event.nativeEvent.inputType === 'deleteContentForward'
    // Deleting the space between two groups deletes the digit behind it.
    if (forward && next === value)
      next = cleanAmount(next.slice(0, before) + next.slice(before + 1), decimals, integerDigits)
    // A dot at the beginning gets a zero.
    caret.current =
      pasted === typed ? before + (typed.startsWith('.') || typed.startsWith(',') ? 1 : 0) : next.length
    onChange(next)
    // Without a change there is no rendering, which would move the caret.
    if (next === value && !negative) {
      event.target.value = shown
      const at = positionAfter(shown, caret.current)
      caret.current = null
      event.target.setSelectionRange(at, at)
    }
  }
  return (
    <FieldFrame {...frame} {...(negative ? { error: t`An amount can’t be negative.` } : {})}>
      {(ids) => (
        <div className="flex min-h-16 flex-wrap items-center gap-x-2 rounded-2xl border border-line bg-surface pr-2 pl-4 transition-colors focus-within:border-brand focus-within:outline-2 focus-within:outline-brand has-[[aria-invalid]]:border-sell">
          <input
            {...ids}
            ref={input}
            name={name}
            value={shown}
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="done"
            placeholder="0"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one field of a sheet that the person just opened to type into
            autoFocus={autoFocus}
            onChange={change}
            className="min-w-0 flex-[1_1_6rem] bg-transparent py-2 font-semibold text-2xl text-ink outline-none"
          />
          <span className="shrink-0 text-muted">{unit}</span>
          {action}
        </div>
      )}
    </FieldFrame>
  )
}
