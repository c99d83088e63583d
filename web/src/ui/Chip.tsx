import type { ReactNode } from 'react'

export function Chip({
  on,
  onClick,
  children,
  label,
}: {
  on: boolean
  onClick: () => void
  children: ReactNode
  label?: string
}) {
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-label={label}
      onClick={onClick}
      className={`inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full px-4 font-medium text-sm transition-colors ${
        on ? 'bg-brand-soft text-brand' : 'bg-sunken text-ink'
      }`}
    >
      {children}
    </button>
  )
}

/** A segmented control. It is a set of radio buttons, so arrow keys move within it. */
export function Segments<T extends string>({
  name,
  label,
  value,
  options,
  onChange,
  tone,
}: {
  name: string
  label: string
  value: T
  options: readonly { value: T; label: ReactNode }[]
  onChange: (value: T) => void
  tone?: Partial<Record<T, string>>
}) {
  return (
    <fieldset className="flex max-2xs:flex-col rounded-2xl bg-sunken p-1">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => {
        const on = option.value === value
        return (
          <label
            key={option.value}
            className={`flex min-h-11 min-w-0 flex-1 items-center justify-center rounded-xl px-1.5 text-center font-semibold transition-colors has-focus-visible:outline-2 has-focus-visible:outline-brand ${
              on ? `bg-raised shadow-sm ${tone?.[option.value] ?? 'text-ink'}` : 'text-muted'
            }`}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={on}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        )
      })}
    </fieldset>
  )
}
