import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import type { Pair } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { Card } from '@/ui/Card'
import { Gap } from '@/ui/Gap'
import { Problem } from '@/ui/Problem'
import { type Draft, editDraft, windowChoices } from './draft'

/** The choice of how long buyers have to pay, with the pair's default chosen. */
export function WindowChoice({
  draft,
  pair,
  refusal = '',
}: {
  draft: Draft
  pair: Pair
  /** What the server said against the choice. */
  refusal: string | undefined
}) {
  const { t } = useLingui()
  const { count } = useFormats()
  const hint = useId()
  const problem = useId()
  const chosen = draft.windowMinutes ?? pair.windowMinutes
  const least = count(pair.windowMinutesMin)
  const most = count(pair.windowMinutesMax)
  return (
    <Card>
      <fieldset
        tabIndex={-1}
        aria-describedby={refusal === '' ? hint : `${problem} ${hint}`}
        className="outline-none"
      >
        <legend className="mb-2 font-semibold">
          {draft.side === 'SELL' ? t`Time buyers have to pay` : t`Time you have to pay an order`}
        </legend>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(4.75rem,1fr))] gap-2">
          {windowChoices(pair).map((minutes) => (
            <label
              key={minutes}
              className="flex min-h-11 items-center justify-center rounded-full border border-transparent bg-sunken whitespace-nowrap px-1.5 text-center font-medium text-sm transition-colors has-checked:border-brand has-checked:bg-brand-soft has-checked:text-brand has-focus-visible:outline-2 has-focus-visible:outline-brand"
            >
              <input
                type="radio"
                name="window"
                value={minutes}
                checked={minutes === chosen}
                onChange={() => editDraft({ windowMinutes: minutes })}
                className="sr-only"
              />
              <Trans>{count(minutes)} min</Trans>
            </label>
          ))}
        </div>
      </fieldset>
      <div id={problem}>
        <Problem className="mt-2">{refusal}</Problem>
      </div>
      <p id={hint} className="mt-2 text-muted text-sm">
        <Trans>
          Between {least} and {most} minutes.
        </Trans>
        <Gap />
        <Plural
          value={pair.windowMinutes}
          one="# minute is usual for this pair."
          other="# minutes are usual for this pair."
        />
      </p>
    </Card>
  )
}
