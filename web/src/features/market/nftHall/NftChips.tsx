import { Trans, useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '@/ui/Button'
import { useFilterOptions } from '../filters/useFilterOptions'
import { useNftFilterTexts } from '../filters/useNftFilterTexts'
import type { HallFilter } from '../hallState'

/** The filters that are in effect, each of which can be removed. The album is shown, and removed, where it is chosen. */
export function NftChips({
  hall,
  onChange,
  onClear,
}: {
  hall: HallFilter
  onChange: (change: Partial<HallFilter>) => void
  onClear: () => void
}) {
  const { t } = useLingui()
  const texts = useNftFilterTexts()
  const group = useRef<HTMLDivElement>(null)
  /** Keeps the focus here when a chip disappears: on the chip after or before it, or where the chips were. */
  const focusNextTo = (index: number) => {
    const chips = group.current?.querySelectorAll<HTMLElement>('li > button')
    const next = chips?.[index + 1] ?? chips?.[index - 1] ?? group.current
    next?.focus()
  }
  const { methods: offered, regions } = useFilterOptions(hall)
  const { traits, methods, region } = hall
  const chips: { key: string; text: string; change: Partial<HallFilter> }[] = []
  const price = texts.price(hall)
  if (price !== null) chips.push({ key: 'price', text: price, change: { priceMin: '', priceMax: '' } })
  const named = (options: readonly (readonly [string, string])[], value: string) =>
    options.find(([one]) => one === value)?.[1] ?? value
  for (const method of methods) {
    const change = { methods: methods.filter((one) => one !== method) }
    chips.push({ key: method, text: named(offered, method), change })
  }
  if (region !== '') chips.push({ key: 'region', text: named(regions, region), change: { region: '' } })
  if (hall.certified)
    chips.push({ key: 'certified', text: t`Certified traders`, change: { certified: false } })
  if (hall.fast) chips.push({ key: 'fast', text: t`Fast traders`, change: { fast: false } })
  if (hall.requirementsMet)
    chips.push({ key: 'requirementsMet', text: t`Ads I can order from`, change: { requirementsMet: false } })
  for (const trait of traits) {
    chips.push({
      key: JSON.stringify(trait),
      text: texts.trait(trait),
      change: { traits: traits.filter((one) => one !== trait) },
    })
  }
  if (chips.length === 0) return <div ref={group} tabIndex={-1} className="outline-none" />
  return (
    <div ref={group} tabIndex={-1} className="flex flex-wrap items-center gap-2 pt-1 pb-2 outline-none">
      <ul aria-label={t`Filters in effect`} className="contents">
        {chips.map(({ key, text, change }, index) => (
          <li key={key} className="min-w-0 max-w-full">
            <button
              type="button"
              aria-label={t`Remove the filter ${text}`}
              onClick={() => {
                focusNextTo(index)
                onChange(change)
              }}
              className="inline-flex min-h-11 max-w-full items-center gap-1.5 rounded-full bg-brand-soft pr-3 pl-4 font-medium text-brand text-sm"
            >
              <bdi className="min-w-0 truncate">{text}</bdi>
              <X size={15} aria-hidden="true" className="shrink-0" />
            </button>
          </li>
        ))}
      </ul>
      <Button
        tone="quiet"
        size="small"
        onClick={() => {
          group.current?.focus()
          onClear()
        }}
      >
        <Trans>Clear all</Trans>
      </Button>
    </div>
  )
}
