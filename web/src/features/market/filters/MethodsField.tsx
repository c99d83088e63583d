import { Trans } from '@lingui/react/macro'
import { ChevronDown } from 'lucide-react'
import { useId, useRef } from 'react'
import { Button } from '@/ui/Button'
import { MethodList, type MethodOptions } from './MethodList'
import { useNames } from './useNames'

/** The choice of payment methods on a screen or in a sheet of filters, which says what is chosen and opens. */
export function MethodsField({
  options,
  chosen,
  onChange,
  aboveBar = false,
}: {
  options: MethodOptions
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  /** Whether a bar with buttons covers the lower end of the screen. */
  aboveBar?: boolean
}) {
  const oneOf = useNames()
  const name = useId()
  const details = useRef<HTMLDetailsElement>(null)
  const names = options.filter(([type]) => chosen.includes(type)).map(([, label]) => label)
  return (
    <div className="mb-3 flex flex-col gap-1.5">
      <p id={name} className="font-medium text-sm">
        <Trans context="filter">Payment methods</Trans>
      </p>
      <details
        ref={details}
        className="group rounded-2xl border border-line bg-surface"
        aria-labelledby={name}
      >
        <summary
          aria-describedby={name}
          className="flex min-h-13 cursor-pointer list-none items-center gap-3 rounded-2xl px-4 py-2.5"
        >
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            {names.length === 0 ? <Trans>Any payment method</Trans> : oneOf(names)}
          </span>
          <ChevronDown
            size={18}
            aria-hidden="true"
            className="shrink-0 text-muted transition-transform group-open:rotate-180"
          />
        </summary>
        <div className="border-line border-t px-4 pt-3 pb-2">
          <MethodList options={options} chosen={chosen} onChange={onChange} />
          <div
            className={`sticky bg-surface py-2 ${aboveBar ? 'bottom-[calc(4.5rem+env(safe-area-inset-bottom))]' : 'bottom-[env(safe-area-inset-bottom)]'}`}
          >
            <Button
              tone="plain"
              wide
              onClick={() => {
                if (details.current === null) return
                details.current.open = false
                details.current.querySelector('summary')?.focus()
              }}
            >
              <Trans>Done</Trans>
            </Button>
          </div>
        </div>
      </details>
    </div>
  )
}
