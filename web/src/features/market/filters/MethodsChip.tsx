import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/ui/Button'
import { Sheet } from '@/ui/Sheet'
import { MethodList, type MethodOptions } from './MethodList'

/** The choice of payment methods in the filter row, which opens as a sheet. */
export function MethodsChip({
  options,
  chosen,
  onChange,
}: {
  options: MethodOptions
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const only = options.find(([type]) => chosen.length === 1 && type === chosen[0])
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={t({ message: 'Payment methods', context: 'filter' })}
        onClick={() => setOpen(true)}
        className={`inline-flex min-h-11 shrink-0 items-center justify-between gap-1.5 rounded-full pr-3 pl-4 font-medium text-sm ${chosen.length === 0 ? 'bg-sunken' : 'bg-brand-soft text-brand'}`}
      >
        <span className="max-w-44 truncate">
          {chosen.length === 0 ? (
            <Trans>Any payment method</Trans>
          ) : only === undefined ? (
            <Plural value={chosen.length} one="# payment method" other="# payment methods" />
          ) : (
            only[1]
          )}
        </span>
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={<Trans context="filter">Payment methods</Trans>}
        footer={
          <Button wide onClick={() => setOpen(false)}>
            <Trans>Done</Trans>
          </Button>
        }
      >
        <MethodList options={options} chosen={chosen} onChange={onChange} />
      </Sheet>
    </>
  )
}
