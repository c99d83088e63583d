import { type ReactNode, useId } from 'react'

export interface RadioCard<T extends string> {
  value: T
  title: ReactNode
  note?: ReactNode
  disabled?: boolean
}

export function RadioCards<T extends string>({
  name,
  legend,
  value,
  options,
  onChange,
  error,
}: {
  name: string
  legend: ReactNode
  /** The chosen option; `null` before a choice. */
  value: T | null
  options: readonly RadioCard<T>[]
  onChange: (value: T) => void
  error?: string
}) {
  const id = useId()
  const wrong = error !== undefined && error !== ''
  return (
    <fieldset
      tabIndex={-1}
      aria-describedby={wrong ? id : undefined}
      className="mt-2 flex flex-col gap-2 outline-none"
    >
      <legend className="mb-1.5 font-medium text-sm">{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex min-h-13 items-center gap-3 rounded-2xl border border-line px-4 py-2.5 transition-colors has-checked:border-brand has-focus-visible:outline-2 has-focus-visible:outline-brand has-disabled:opacity-50"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            className="size-5 shrink-0 accent-brand-fill"
          />
          <span className="min-w-0">
            <span className="block font-medium">{option.title}</span>
            {option.note === undefined || option.note === '' ? null : (
              <span className="block text-muted text-sm leading-snug">{option.note}</span>
            )}
          </span>
        </label>
      ))}
      {wrong ? (
        <p id={id} role="alert" className="text-sell text-sm">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
