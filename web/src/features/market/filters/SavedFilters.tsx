import { Trans, useLingui } from '@lingui/react/macro'
import { Bookmark, Trash2 } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useCoins } from '@/components/useCoins'
import { AppLink } from '@/navigation/navigation'
import { useSession } from '@/session/session'
import { Button } from '@/ui/Button'
import { type HallFilter, hallAddress, isFiltered, readHall, settled } from '../hallState'
import { deleteFilter, MAX_SAVED, savedAddress, saveFilter, useSavedFilters } from './saved'
import { useFilterName } from './useFilterName'

const ROW = 'flex min-h-12 min-w-0 flex-1 items-center gap-3 py-1.5 text-left'

/** The filters that the user has saved: one tap applies them to the hall. */
export function SavedFilters({
  onApply,
}: {
  /** Applies filters where the hall is shown. Elsewhere, links lead to it. */
  onApply?: (filter: HallFilter) => void
}) {
  const { t } = useLingui()
  const userId = useSession((state) => state.userId) ?? ''
  const addresses = useSavedFilters(userId)
  const { pairs } = useCoins()
  const list = useRef<HTMLElement>(null)
  const saved = addresses.flatMap((address) => {
    const filter = readHall(address)
    if (filter === null) return []
    const known = settled(filter, pairs)
    // The pair is no longer traded.
    if (known.base !== filter.base || known.quote !== filter.quote) return []
    return [{ address, filter: known }]
  })
  const nameOf = useFilterName(saved.some(({ filter }) => filter.wish === 'NFT'))
  const remove = (address: string, index: number) => {
    // Keeps the focus here when the row disappears.
    const buttons = list.current?.querySelectorAll<HTMLElement>('li > :last-child')
    const next = buttons?.[index + 1] ?? buttons?.[index - 1] ?? list.current
    next?.focus()
    deleteFilter(userId, address)
  }
  return (
    <section ref={list} tabIndex={-1} aria-label={t`Saved filters`} className="outline-none">
      {saved.length === 0 ? null : (
        <>
          {onApply === undefined ? (
            <h2 className="mb-1 font-semibold">
              <Trans>Saved filters</Trans>
            </h2>
          ) : null}
          <ul className="divide-y divide-line">
            {saved.map(({ address, filter }, index) => {
              const name = nameOf(filter)
              const inside = (
                <>
                  <Bookmark size={18} aria-hidden="true" className="shrink-0 text-brand" />
                  <span className="line-clamp-2 min-w-0 leading-snug [overflow-wrap:anywhere]">{name}</span>
                </>
              )
              return (
                <li key={address} className="flex items-center gap-1">
                  {onApply === undefined ? (
                    <AppLink to="/" query={hallAddress(filter)} className={ROW}>
                      {inside}
                    </AppLink>
                  ) : (
                    <button type="button" className={ROW} onClick={() => onApply(filter)}>
                      {inside}
                    </button>
                  )}
                  <button
                    type="button"
                    aria-label={t`Delete the saved filter ${name}`}
                    onClick={() => remove(address, index)}
                    className="-mr-2.5 grid size-11 shrink-0 place-items-center rounded-full text-muted"
                  >
                    <Trash2 size={18} aria-hidden="true" />
                  </button>
                </li>
              )
            })}
          </ul>
        </>
      )}
    </section>
  )
}

/** Saves what is chosen, under a name that says it. */
export function SaveFilter({
  hall,
  hint = null,
}: {
  hall: HallFilter
  /** Said if nothing is chosen. */
  hint?: ReactNode
}) {
  const userId = useSession((state) => state.userId) ?? ''
  const addresses = useSavedFilters(userId)
  if (!isFiltered(hall) && hall.sort === '') {
    return hint === null ? null : <p className="text-center text-muted text-sm">{hint}</p>
  }
  if (addresses.includes(savedAddress(hall))) {
    return (
      <p role="status" className="flex min-h-11 items-center justify-center gap-2 text-muted text-sm">
        <Bookmark size={17} aria-hidden="true" className="fill-current text-brand" />
        <Trans>Saved on this device</Trans>
      </p>
    )
  }
  return addresses.length < MAX_SAVED ? (
    <Button tone="quiet" wide onClick={() => saveFilter(userId, hall)}>
      <Bookmark size={17} aria-hidden="true" />
      <Trans>Save these filters</Trans>
    </Button>
  ) : (
    <p className="text-center text-muted text-sm">
      <Trans>You’ve saved {MAX_SAVED} filters, the maximum. Delete one to save another.</Trans>
    </p>
  )
}
