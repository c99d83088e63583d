import { Trans } from '@lingui/react/macro'
import { Bookmark } from 'lucide-react'
import { useState } from 'react'
import { Sheet } from '@/ui/Sheet'
import type { HallFilter } from '../hallState'
import { SavedFilters, SaveFilter } from './SavedFilters'

/** The saved filters in a row of filters of the hall, which open as a sheet. */
export function SavedChip({ hall, onChange }: { hall: HallFilter; onChange: (filter: HallFilter) => void }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full bg-sunken px-3.5 font-medium text-sm"
      >
        <Bookmark size={17} aria-hidden="true" />
        <span className="max-sm:sr-only">
          <Trans>Saved filters</Trans>
        </span>
      </button>
      <Sheet open={open} onClose={() => setOpen(false)} title={<Trans>Saved filters</Trans>}>
        <SavedFilters
          onApply={(filter) => {
            setOpen(false)
            onChange(filter)
          }}
        />
        <div className="pt-2">
          <SaveFilter hall={hall} hint={<Trans>Choose filters in the hall, then save them here.</Trans>} />
        </div>
      </Sheet>
    </>
  )
}
