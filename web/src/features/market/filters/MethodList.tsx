import { Trans, useLingui } from '@lingui/react/macro'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { methodColor } from '@/components/methodNames'

/** Types of payment methods with their names. */
export type MethodOptions = readonly (readonly [type: string, name: string])[]

/** Fits on a phone without scrolling, so that nobody needs to search. */
const FEW = 6

/** Payment methods to check, of which an ad must offer one. */
export function MethodList({
  options,
  chosen,
  onChange,
}: {
  options: MethodOptions
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) {
  const { t } = useLingui()
  const [sought, setSought] = useState('')
  const wanted = sought.trim().toLocaleLowerCase()
  const found = options.filter(([, name]) => name.toLocaleLowerCase().includes(wanted))
  return (
    <>
      {options.length <= FEW ? null : (
        <label className="mb-1 flex min-h-11 items-center gap-2 rounded-full bg-sunken px-4 focus-within:outline-2 focus-within:outline-brand">
          <Search size={17} aria-hidden="true" className="shrink-0 text-muted" />
          <input
            type="search"
            value={sought}
            autoComplete="off"
            enterKeyHint="search"
            aria-label={t`Search payment methods`}
            placeholder={t`Search`}
            onChange={(event) => setSought(event.target.value)}
            className="w-full min-w-0 bg-transparent py-2 outline-none"
          />
        </label>
      )}
      <fieldset>
        <legend className="sr-only">{t({ message: 'Payment methods', context: 'filter' })}</legend>
        {found.map(([type, name]) => {
          const on = chosen.includes(type)
          return (
            <label key={type} className="flex min-h-12 cursor-pointer items-center gap-3">
              <input
                type="checkbox"
                className="size-5 shrink-0 accent-brand-fill"
                checked={on}
                onChange={() => onChange(on ? chosen.filter((one) => one !== type) : [...chosen, type])}
              />
              <span aria-hidden="true" className={`h-4 w-0.75 shrink-0 rounded-full ${methodColor(type)}`} />
              <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
            </label>
          )
        })}
      </fieldset>
      <p role="status" className="text-muted text-sm">
        {found.length === 0 ? <Trans>No payment method has this name.</Trans> : null}
      </p>
    </>
  )
}
