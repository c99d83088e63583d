import { ChevronDown } from 'lucide-react'

/** A choice in the filter row, with the native picker. */
export function ChipSelect<T extends string>({
  label,
  value,
  set,
  options,
  onChange,
}: {
  label: string
  value: T
  /** Whether the choice narrows the list or differs from the usual one. */
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
